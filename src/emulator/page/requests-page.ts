import { html } from "hono/html";
import { showable } from "../control/redaction";
import { type LoggedRequest } from "../control/requests";
import { apiCommand } from "./curl";
import { type Html, code, count, laidOut, moment, command } from "./parts";
import { filterForm, filtered, pager, sliceOf } from "./pages";
import { answerStatus } from "./status";
import { type View } from "./view";

const PER_PAGE = 50;
const MAX_SHOWN_LENGTH = 10_000;

function pathWithQuery({ path, query }: LoggedRequest): string {
  const search = new URLSearchParams(query).toString();
  return search === "" ? path : `${path}?${search}`;
}

function bodyText(body: unknown): string {
  const text = typeof body === "string" ? body : JSON.stringify(showable(body), null, 2);
  return text.length <= MAX_SHOWN_LENGTH
    ? text
    : `${text.slice(0, MAX_SHOWN_LENGTH)}… [${text.length} characters]`;
}

/** A request that can be opened to show its query, body and answer. */
function entry(request: LoggedRequest, now: number): Html {
  const { serial, method, status, answer, body, query, at } = request;
  const path = pathWithQuery(request);
  const sent = (label: string, value: unknown) =>
    html`<p class="label">${label}</p>
      ${code(`${label} of request ${serial}`, bodyText(value))}`;
  return html`<li data-key="${serial}">
    <details>
      <summary>
        <span class="method">${method}</span> <span class="path">${path}</span> ${answerStatus(status)}
        <span class="quiet">${moment(at, now)}</span>
      </summary>
      <div class="exchange">
        ${Object.keys(query).length > 0 && sent("Query", query)} ${body !== undefined && sent("Body", body)}
        <p class="label">Answer</p>
        ${
          answer === undefined
            ? html`<p>
                ${status === null ? "The connection closed without an answer, or the answer has not been sent yet." : "It has no body."}
              </p>`
            : code(`Answer to request ${serial}`, laidOut(answer))
        }
      </div>
    </details>
  </li>`;
}

/** A list of requests. */
export const requestList = (requests: readonly LoggedRequest[], name: string, now: number): Html =>
  html`<ol class="requests" reversed aria-label="${name}">
    ${requests.map((request) => entry(request, now))}
  </ol>`;

/** The latest requests, latest first. */
export function requestsPage(view: View) {
  const { requests } = view.emulation;
  const all = requests.last.toReversed();
  const found = filtered(
    all,
    view.query,
    (request) => `${request.method} ${pathWithQuery(request)} ${request.status}`,
  );
  const slice = sliceOf(found, view.query, "page", PER_PAGE);
  const main = html`<h1>Requests</h1>
    <div class="tools row">
      <p>
        ${count(requests.total, "request")} to the
        API${all.length < requests.total && html`, the log keeps the last ${all.length}`}${found.length < all.length && html`, ${found.length} with “${view.query["q"]}”`}
      </p>
      ${all.length > 0 && filterForm(view.query, "Filter requests")}
    </div>
    ${slice.items.length > 0 && requestList(slice.items, "Latest requests first", view.now)}
    ${
      all.length === 0 &&
      html`<p>There are no requests yet. This command sends one:</p>
        ${command("Command that sends a request", apiCommand(view, EXAMPLE))}`
    }
    ${pager(slice, view.query, "page", "requests", "main")}`;
  return { title: "Requests", main };
}

const EXAMPLE = {
  path: "/domains",
  body: { domain: "example.org", type: "master", soa_email: "dns@example.org" },
};
