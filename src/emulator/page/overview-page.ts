import { html } from "hono/html";
import { type Caller, DEFAULT_TOKEN } from "../operations/accounts";
import { type Collection } from "../control/collections";
import { controlCommand, exampleToken } from "./curl";
import { baseUrl, speedOf } from "./layout";
import { type Html, NOTHING, moment, table, tableSection, command } from "./parts";
import { requestList } from "./requests-page";
import { status, statusOf } from "./status";
import { PAGE_PATH, type View, collectionPath } from "./view";

const LATEST = 5;

/** The number of objects in each status. */
function statuses({ now }: View, { kind, all }: Collection): Html | Html[] {
  const counts = new Map<string, number>();
  for (const entity of all()) {
    const text = statusOf(kind, entity, now);
    if (text !== undefined) counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  if (counts.size === 0) return NOTHING;
  return [...counts].map(([text, number]) => html`<span class="tally">${number} ${status(text)}</span> `);
}

function tokensTable({ emulation: { directory } }: View): Html {
  return table({
    caption: "Tokens",
    columns: [
      {
        title: "token",
        cell: ([token]: [string, Caller]) =>
          token === DEFAULT_TOKEN ? html`<code>${token}</code>` : html`<span class="quiet">not shown</span>`,
      },
      { title: "user", cell: ([, { username }]) => username },
      { title: "rights", cell: ([, { restricted }]) => (restricted ? "restricted" : "unrestricted") },
      { title: "grants", cell: ([, { grants }]) => grants.join(", ") || NOTHING },
      {
        title: "scopes",
        cell: ([, { scopes }]) => (scopes.includes("*") ? "all" : scopes.join(", ") || NOTHING),
      },
    ],
    rows: [...directory],
    keyOf: ([token]) => [...directory.keys()].indexOf(token),
  });
}

/** The objects by kind, and how to connect. */
export function overviewPage(view: View) {
  const { emulation, collections, now } = view;
  const { clock } = emulation.store;
  const latest = emulation.requests.last.slice(-LATEST).toReversed();
  const main = html`<h1>Overview</h1>
    <section>
      <h2 id="connect">Connect</h2>
      ${command(
        "Environment of a program",
        `export NODECLOUD_BASE_URL=${baseUrl(view)}\nexport NODECLOUD_TOKEN=${exampleToken(view).replace(/^\$.*/, "…")}`,
      )}
      ${tokensTable(view)}
    </section>
    ${tableSection("resources", {
      caption: "Resources",
      columns: [
        {
          title: "kind",
          cell: (collection) => html`<a href="${collectionPath(collection)}">${collection.view.title}</a>`,
        },
        { title: "objects", cell: ({ all }) => all().length, isNumber: true },
        { title: "statuses", cell: (collection) => statuses(view, collection) },
      ],
      rows: [...collections.values()],
      keyOf: ({ name }) => name,
    })}
    <section>
      <h2 id="latest">Latest requests</h2>
      ${
        latest.length > 0
          ? html`${requestList(latest, "Latest requests first", now)}
              <p><a href="${PAGE_PATH}/requests">All requests</a></p>`
          : html`<p>There are no requests yet.</p>`
      }
    </section>
    <section>
      <h2 id="clock">Clock</h2>
      <p>
        It is ${moment(now)} UTC in the emulator, and its clock
        ${clock.speed === 0 ? "" : "runs at "}${speedOf(clock.speed)}. This command moves it by 20 minutes:
      </p>
      ${command("Command that moves the clock", controlCommand(view, "/clock", { advance: 1200 }))}
    </section>`;
  return { title: "Overview", main };
}
