import { html } from "hono/html";
import { type Html, code } from "./parts";
import { pager, sliceOf } from "./pages";
import { zonePicture } from "./zone-picture";
import { type Store } from "../kind/kind";
import { domain as domains } from "../kinds/domain";
import { zonesOf } from "../zones/rendered";
import { zoneFile } from "../zones/zone";

const LINES_PER_PAGE = 200;

/** A line of the zone file. The page highlights the comments about omitted records. */
function line(text: string, number: number): Html {
  const kind = text.startsWith("; record") ? "left-out" : text.startsWith(";") ? "quiet" : "plain";
  return html`<span class="line ${kind}" data-line="${number}">${text}</span>${"\n"}`;
}

/** The zone file of a domain from the API, with line numbers. */
export function zoneSection(
  store: Store,
  domainId: number,
  query: Readonly<Record<string, string>>,
): Html | undefined {
  const domain = store.table(domains).get(domainId)?.fields;
  if (domain === undefined) return undefined;
  const rendered = zonesOf(store).of(domainId);
  const file = rendered ? zoneFile(rendered) : [];
  const slice = sliceOf(file, query, "lines", LINES_PER_PAGE);
  return html`${rendered && zonePicture(rendered)}
    <section>
      <h2 id="zone">Zone file</h2>
      ${
        file.length === 0
          ? html`<p>
              Nothing is served: the domain is disabled, is a slave,${rendered ? "" : " is not rendered yet,"}
              or has a name that is not valid in DNS.
            </p>`
          : code(
              `Zone file of ${domain.domain}`,
              slice.items.map((text, index) => line(text, slice.before + index + 1)),
            )
      }
      ${pager(slice, query, "lines", "the zone file", "zone")}
    </section>`;
}
