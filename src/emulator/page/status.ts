import { html } from "hono/html";
import { type ObjectKind, type StatusTone } from "../kind/kind";
import { kinds } from "../kinds";
import { type Entity } from "../store/table";
import { type Html, duration, moment, textOf } from "./parts";

/** The tones of the statuses in the catalogue, and of those of all kinds. */
const TONES = new Map<string, StatusTone>([
  ["ok", "good"],
  ["available", "good"],
  ["outage", "bad"],
  ["deprecated", "idle"],
  ...kinds.flatMap(({ statuses }) => Object.entries(statuses)),
]);

const mark = (tone: StatusTone, text: string): Html => html`<span class="status ${tone}">${text}</span>`;

/** Shows a status with its tone. */
export function status(value: unknown): Html {
  const text = textOf(value);
  return mark(TONES.get(text) ?? "busy", text);
}

/** The status of an answer. */
export function answerStatus(code: number | null): Html {
  if (code === null) return mark("bad", "no answer");
  if (code < 400) return mark(code < 300 ? "good" : "idle", String(code));
  return mark(code < 500 ? "warn" : "bad", String(code));
}

/** Whether the objects of a kind have a status. */
export const hasStatus = ({ fields, listed }: ObjectKind): boolean =>
  "status" in fields || listed !== undefined;

/** Whether the status of an object can change without a request. */
export const changesByItself = ({ transitions, listed }: ObjectKind): boolean =>
  Object.keys(transitions).length > 0 || listed !== undefined;

/** The status of an object. An object without one in the API has the status `listed` as soon as the API lists it. */
export function statusOf(
  { listed }: ObjectKind,
  { fields, hidden }: Entity,
  now: number,
): string | undefined {
  if ("status" in fields) return textOf(fields.status);
  if (listed) return listed.from(hidden) <= now ? "listed" : listed.before;
  return undefined;
}

/** The changes of an object that are still to come, each with the status from then on. */
export function comingOf({ listed }: ObjectKind, { moves, hidden }: Entity, now: number) {
  const changes = moves.map(({ at, set, gone }) => ({
    at,
    status: gone ? "gone" : set && "status" in set ? textOf(set.status) : "changed",
  }));
  const from = listed?.from(hidden) ?? now;
  return from > now ? [...changes, { at: from, status: "listed" }] : changes;
}

/** The next change of an object: `running in 12 min, 14:03:20`. */
export function nextChange(kind: ObjectKind, entity: Entity, now: number): Html | undefined {
  const [next] = comingOf(kind, entity, now);
  return (
    next &&
    html`${next.status} in ${duration(next.at - now)}<span class="quiet"> · ${moment(next.at, now)}</span>`
  );
}
