import { z } from "zod";
import { type Json } from "../api/types/common";
import { type Glob, fits, globOf } from "./globs";
import { refuse } from "./refusal";

/** As `--latency`; timers take no more than some weeks. */
const MAX_DELAY_MS = 600_000;

/** No path of the API is near this long. */
const MAX_PATH_LENGTH = 1000;

/** Each request is held against all that are planned. */
const MAX_PLANNED = 1000;

function canBeSent(headers: Record<string, string>): boolean {
  try {
    return Boolean(new Headers(headers));
  } catch {
    return false;
  }
}

const effect = z.union([
  /** `drop-response` runs the operation and closes the connection; the others do not run it. */
  z.enum(["drop-response", "drop-request", "reset"]),
  z.strictObject({
    status: z.int().min(200).max(599),
    headers: z.record(z.string(), z.string()).refine(canBeSent, "are no headers of HTTP").optional(),
    body: z.json().optional(),
  }),
  z.strictObject({ delayMs: z.number().min(0).max(MAX_DELAY_MS) }),
]);

/**
 * A planned failure, as `POST /_emulator/faults` takes it.
 * @internal
 */
export const faultPlan = z.strictObject({
  method: z.string().default("*"),
  path: z.string().max(MAX_PATH_LENGTH),
  /** How many requests it hits. */
  times: z.int().min(1).default(1),
  effect,
});

/** What happens to a request in place of its answer. */
export type Effect =
  | "drop-response"
  | "drop-request"
  | "reset"
  | { status: number; headers?: Record<string, string> | undefined; body?: Json | undefined }
  | { delayMs: number };

/** A planned failure. */
export interface FaultPlan {
  method: string;
  path: string;
  /** How many requests it hits. */
  times: number;
  effect: Effect;
}

/** A failure that is still to come. */
export interface PlannedFault {
  readonly plan: FaultPlan;
  /** How many requests it will still hit. */
  readonly left: number;
}

/** Planned failures, in the order in which they were planned. */
export class Faults {
  #planned: { plan: FaultPlan; left: number; glob: Glob }[] = [];

  get planned(): readonly PlannedFault[] {
    return this.#planned;
  }

  /** Plans failures: all of them, or none where they would be too many. */
  plan(plans: readonly FaultPlan[]): void {
    if (this.#planned.length + plans.length > MAX_PLANNED) {
      throw refuse(400, `At most ${MAX_PLANNED} failures can be planned at a time.`);
    }
    this.#planned.push(...plans.map((plan) => ({ plan, left: plan.times, glob: globOf(plan.path) })));
  }

  /** The effect of the first plan that this request meets, which is one time nearer to its end. */
  take(method: string, path: string): Effect | undefined {
    const met = this.#planned.find(
      ({ plan, glob }) => (plan.method === "*" || plan.method.toUpperCase() === method) && fits(glob, path),
    );
    if (!met) return undefined;
    met.left -= 1;
    if (met.left === 0) this.#planned = this.#planned.filter((other) => other !== met);
    return met.plan.effect;
  }

  /** The plans that are still to be met, with the times left. */
  list(): FaultPlan[] {
    return this.#planned.map(({ plan, left }) => ({ ...plan, times: left }));
  }

  clear(): void {
    this.#planned = [];
  }
}
