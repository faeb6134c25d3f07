import { html } from "hono/html";
import { type Entity } from "../store";
import { type Html, duration, moment, textOf } from "./parts";

/** What a status means for the one who looks: colour and shape follow it, and the word always stands beside. */
type Tone = "good" | "busy" | "idle" | "warn" | "bad";

const TONES: Readonly<Record<string, Tone>> = {
  running: "good",
  active: "good",
  available: "good",
  successful: "good",
  listed: "good",
  ok: "good",
  ready: "good",
  offline: "idle",
  stopped: "idle",
  disabled: "idle",
  suspended: "idle",
  paused: "idle",
  deprecated: "idle",
  failed: "bad",
  degraded: "bad",
  outage: "bad",
  userAborted: "bad",
};

function mark(tone: Tone, text: string): Html {
  return html`<span class="status ${tone}">${text}</span>`;
}

/** A status; one that is not known is taken for a passing one. */
export function status(value: unknown): Html {
  const text = textOf(value);
  return mark(Object.hasOwn(TONES, text) ? (TONES[text] ?? "busy") : "busy", text);
}

/** The status of an answer. */
export function answerStatus(code: number | null): Html {
  if (code === null) return mark("bad", "no answer");
  if (code < 400) return mark(code < 300 ? "good" : "idle", String(code));
  return mark(code < 500 ? "warn" : "bad", String(code));
}

/** The status of an object; a database's backup has none in the API, and is listed when it is complete. */
export function statusOf({ fields, hidden }: Entity, now: number): string | undefined {
  if ("status" in fields) return textOf(fields.status);
  if ("listed_from" in hidden) return Number(hidden.listed_from) <= now ? "listed" : "being taken";
  return undefined;
}

/** One change that is still to come: when, and into what. */
export interface Coming {
  readonly at: number;
  readonly status: string;
}

/** The changes of an object that are still to come. */
export function comingOf({ moves, hidden }: Entity, now: number): Coming[] {
  const changes = moves.map(({ at, set, gone }) => ({
    at,
    status: gone ? "gone" : set && "status" in set ? textOf(set.status) : "changed",
  }));
  if ("listed_from" in hidden && Number(hidden.listed_from) > now) {
    changes.push({ at: Number(hidden.listed_from), status: "listed" });
  }
  return changes;
}

/** The end of what an object is in: `running in 12 min, 14:03:20`. */
export function nextChange(entity: Entity, now: number): Html | undefined {
  const [next] = comingOf(entity, now);
  return (
    next &&
    html`${next.status} in ${duration(next.at - now)}<span class="quiet"> · ${moment(next.at, now)}</span>`
  );
}
