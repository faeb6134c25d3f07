import { html } from "hono/html";
import { cached } from "../../api/cached";
import { type Html, count } from "./parts";
import { formatName, type Name, nameKey, parseName, withinZone } from "../zones/dns-names";
import { type Rendered, servable, zoneNameOf } from "../zones/zone";

/** A larger zone would be no picture. Its records are in the table. */
const MAX_LINES = 40;
const MAX_TEXT = 44;

/** In pixels. A character of the font of code is about as wide. */
const LINE = 22;
const CHARACTER = 7.6;
const INDENT = 18;
const GAP = 24;
const LANE = 10;

/** A name of the zone with its records. Its depth is the number of labels below the zone. */
interface Place {
  readonly key: string;
  readonly name: Name;
  readonly data: { readonly text: string; readonly to: string | undefined }[];
}

interface Line {
  readonly place: Place;
  readonly text: string | undefined;
  readonly to: string | undefined;
  readonly isFirst: boolean;
}

/** The names of the first records, each below the name that it ends with. */
function placesOf(zone: Name, { records }: Rendered): Place[] {
  const places = new Map<string, Place>();
  const at = (name: Name): Place => {
    if (name.length > zone.length) at(name.slice(1));
    const key = nameKey(name);
    return cached(places, key, () => ({ key, name, data: [] }));
  };
  at(zone);
  const serve = servable(records, zone);
  for (const record of records.slice(0, MAX_LINES)) {
    const served = serve(record);
    if (served === undefined) continue;
    const target = /^(?:CNAME|MX|NS|PTR|SRV)$/.test(record.type) ? parseName(record.target) : undefined;
    const to = target && withinZone(target, zone) ? nameKey(target) : undefined;
    at(served.owner).data.push({ text: shortened(`${record.type} ${served.data}`), to });
  }
  // Compared from the last label on, each name follows the one that it is below.
  const order = ({ name }: Place) =>
    name
      .toReversed()
      .map((label) => label.toString("latin1").toLowerCase())
      .join("\0");
  return [...places.values()].sort((one, other) => (order(one) < order(other) ? -1 : 1));
}

const shortened = (text: string): string => (text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text);

const linesOf = (place: Place): Line[] =>
  place.data.length === 0
    ? [{ place, text: undefined, to: undefined, isFirst: true }]
    : place.data.map(({ text, to }, index) => ({ place, text, to, isFirst: index === 0 }));

/** A picture of the names of a zone: which is below which, their data, and which lead to others. */
export function zonePicture(rendered: Rendered): Html | undefined {
  const { domain, records } = rendered;
  const zone = zoneNameOf(domain);
  if (zone === undefined || records.length === 0) return undefined;
  const lines = placesOf(zone, rendered).flatMap(linesOf).slice(0, MAX_LINES);
  const left = records.length - lines.filter(({ text }) => text !== undefined).length;
  const depthOf = ({ name }: Place) => name.length - zone.length;
  const labelOf = ({ name }: Place) =>
    shortened(formatName(name.length === zone.length ? name : name.slice(0, 1)));
  const nameAt = (place: Place) => GAP / 2 + INDENT * depthOf(place);
  const widthOf = (text: string) => text.length * CHARACTER;
  const dataAt = Math.max(...lines.map(({ place }) => nameAt(place) + widthOf(labelOf(place)))) + GAP;
  const dataEnd = dataAt + Math.max(...lines.map(({ text = "" }) => widthOf(text)));
  const rowOf = new Map(lines.map(({ place, isFirst }, index) => [isFirst ? place.key : "", index]));
  const middle = (row: number) => LINE * row + LINE / 2;
  const leads = lines.flatMap(({ to, text = "" }, row) => {
    const target = rowOf.get(to ?? "");
    return to === undefined || target === undefined
      ? []
      : [{ row, target, from: dataAt + widthOf(text) + 4 }];
  });
  const width = Math.ceil(dataEnd + GAP + LANE * leads.length);
  const height = LINE * lines.length;
  const stems = lines.map(({ place, isFirst }, row) => {
    const above = rowOf.get(nameKey(place.name.slice(1)));
    if (!isFirst || depthOf(place) === 0 || above === undefined) return undefined;
    const x = nameAt(place) - INDENT + 4;
    return html`<path d="M${x} ${middle(above) + 8}V${middle(row)}h${INDENT - 8}" />`;
  });
  const arrows = leads.map(({ row, target, from }, lane) => {
    const x = dataEnd + GAP / 2 + LANE * lane;
    const to = dataAt + widthOf(lines[target]?.text ?? "") + 4;
    return html`<path
      class="lead"
      d="M${from} ${middle(row) + 3}H${x}V${middle(target) - 3}H${to}m5 -4l-5 4l5 4"
    />`;
  });
  const texts = lines.map(
    ({ place, text, isFirst }, row) =>
      html`${
        isFirst &&
        html`<text x="${nameAt(place)}" y="${middle(row) + 4}" class="owner">${labelOf(place)}</text>`
      }${text !== undefined && html`<text x="${dataAt}" y="${middle(row) + 4}">${text}</text>`}`,
  );
  const name = `Picture of the zone ${domain.domain}`;
  return html`<section>
    <h2 id="picture">Picture of the zone</h2>
    <div class="scroll picture" role="region" aria-label="${name}" tabindex="0">
      <svg
        role="img"
        aria-label="${name}"
        width="${width}"
        height="${height}"
        viewBox="0 0 ${width} ${height}"
      >
        ${stems} ${arrows} ${texts}
      </svg>
    </div>
    ${left > 0 && html`<p class="quiet">It does not show ${count(left, "record")}.</p>`}
  </section>`;
}
