import { z } from "zod";
import { quietly } from "../../api/quietly";
import { type Glob, fits, globOf } from "./globs";
import { refuse } from "../base/refusal";

/** The same limit as for `--latency`. Timers cannot wait longer than some weeks. */
export const MAX_DELAY_MS = 600_000;

/** Every path of the API is much shorter. */
const MAX_PATH_LENGTH = 1000;

/** Every request is compared with every planned failure. */
const MAX_PLANNED = 1000;

/** Whether a response can have these headers. */
export const canBeSent = (headers: Record<string, string> = {}): boolean =>
  quietly(() => new Headers(headers)) !== undefined;

const effect = z.union([
  /** `drop-response` runs the operation and closes the connection. The others do not run the operation. */
  z.enum(["drop-response", "drop-request", "reset"]),
  z.strictObject({
    status: z.int().min(200).max(599),
    headers: z.record(z.string(), z.string()).refine(canBeSent, "are not valid HTTP headers").optional(),
    body: z.json().optional(),
  }),
  z.strictObject({ delayMs: z.number().min(0).max(MAX_DELAY_MS) }),
]);

/**
 * A planned failure in a request to `POST /_emulator/faults`.
 * @internal
 */
export const faultPlan = z.strictObject({
  method: z.string().default("*"),
  path: z.string().max(MAX_PATH_LENGTH),
  /** The number of requests that fail. */
  times: z.int().min(1).default(1),
  effect,
});

export type FaultPlan = z.output<typeof faultPlan>;

/** The effect of a planned failure on a request. */
export type FaultEffect = FaultPlan["effect"];

/** A failure that is still to come. */
export interface PlannedFault {
  readonly plan: FaultPlan;
  /** The number of requests that will still fail. */
  readonly left: number;
}

/** All planned failures, oldest plan first. */
export class Faults {
  #planned: { plan: FaultPlan; left: number; glob: Glob }[] = [];

  get planned(): readonly PlannedFault[] {
    return this.#planned;
  }

  /** Plans failures. Refuses all of them if there would be too many. */
  plan(plans: readonly FaultPlan[]): void {
    if (this.#planned.length + plans.length > MAX_PLANNED) {
      throw refuse(400, `At most ${MAX_PLANNED} failures can be planned at a time.`);
    }
    this.#planned.push(...plans.map((plan) => ({ plan, left: plan.times, glob: globOf(plan.path) })));
  }

  /** Returns the effect of the first plan that fits the request, and counts the request for this plan. */
  take(method: string, path: string): FaultEffect | undefined {
    const met = this.#planned.find(
      ({ plan, glob }) => (plan.method === "*" || plan.method.toUpperCase() === method) && fits(glob, path),
    );
    if (!met) return undefined;
    met.left -= 1;
    if (met.left === 0) this.#planned = this.#planned.filter((other) => other !== met);
    return met.plan.effect;
  }

  /** The plans that have requests left, each with their number as `times`. */
  list(): FaultPlan[] {
    return this.#planned.map(({ plan, left }) => ({ ...plan, times: left }));
  }

  clear(): void {
    this.#planned = [];
  }
}
