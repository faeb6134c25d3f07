import { setTimeout as wait } from "node:timers/promises";
import { type Ending, type Passing, type Rule, type Treatment } from "../gate";

/** Once, for the important request, or for every request. An outage ends after 20 s or never. */
export const OFTEN = ["once", "every"] as const;
export type Often = (typeof OFTEN)[number];

interface Fault {
  readonly name: string;
  rule(isTarget: (request: Passing) => boolean, often: Often): Rule;
}

const json = { "content-type": "application/json" };

const on = (name: string, treatment: Treatment): Fault => ({
  name,
  rule: (isTarget, often) => {
    let met = false;
    return (request) => {
      if (often === "every") return treatment;
      if (met || !isTarget(request)) return undefined;
      met = true;
      return treatment;
    };
  },
});

const before = (name: string, ending: Ending): Fault => on(name, { before: () => ending });
const after = (name: string, ending: Ending): Fault => on(name, { after: () => ending });

const refusal = (status: number, headers: Readonly<Record<string, string>> = {}): Ending => ({
  status,
  headers: { ...json, ...headers },
  body: JSON.stringify({ errors: [{ reason: `Refused with ${status}` }] }),
});

const answer = (body: string, type = "application/json"): Ending => ({
  status: 200,
  headers: { "content-type": type },
  body,
});

const OUTAGE_MS = 20_000;

/** The service is unreachable from one request on. */
const outage = (name: string, from: "first" | "second" | "answer"): Fault => ({
  name,
  rule: (isTarget, often) => {
    let since: number | undefined;
    return (request) => {
      const isOver = since !== undefined && often === "once" && Date.now() - since > OUTAGE_MS;
      if (since !== undefined) return isOver ? undefined : { before: () => "reset" };
      const begin = () => {
        since ??= Date.now();
      };
      if (from === "answer") {
        if (!isTarget(request)) return undefined;
        return { after: () => (begin(), "drop") };
      }
      return request.number >= (from === "first" ? 1 : 2) ? { answered: begin } : undefined;
    };
  },
});

const REFUSALS = [401, 403, 404, 408, 409, 429, 500, 502, 503, 504];

/** Longer than the client waits for an answer. */
const LONG_MS = 75_000;

export const FAULTS: readonly Fault[] = [
  before("drop-request", "drop"),
  before("reset", "reset"),
  after("drop-response", "drop"),
  after("reset after acting", "reset"),
  after("partial answer", "half"),
  ...REFUSALS.map((status) => before(String(status), refusal(status))),
  ...[429, 503].map((status) =>
    before(`${status} with Retry-After`, refusal(status, { "retry-after": "3" })),
  ),
  ...[408, 500, 502, 503, 504].map((status) => after(`${status} after acting`, refusal(status))),
  after("empty body", answer("")),
  after("broken JSON", answer('{"id": 1, "lab')),
  after("a list instead of an object", answer("[]")),
  after("null", answer("null")),
  after("no fields", answer("{}")),
  after("HTML", answer("<html><body><h1>It works!</h1></body></html>", "text/html")),
  on("answered after 20 s", { after: () => wait(20_000, undefined) }),
  on("answered after 75 s", { after: () => wait(LONG_MS, undefined) }),
  on("executed after 75 s", { before: () => wait(LONG_MS, undefined) }),
  outage("outage after the first request", "first"),
  outage("outage after the second request", "second"),
  outage("outage with the answer", "answer"),
];
