import { cached } from "../cached";
import { Limiter, type LimiterTime } from "./limiter";

export { GivenUp, type Limiter, MAX_CONCURRENT, type Outcome, type Pass } from "./limiter";

/** A limiter that shares nothing with others. */
export const newLimiter = (time: LimiterTime): Limiter => new Limiter(time);

/** A registered symbol: a second copy of the package shares the limiters. */
const KEPT = Symbol.for("pulumi-nodecloud.limiters.1");

/** The one limiter of an origin in this process. */
export function limiterOf(origin: string, time: LimiterTime): Limiter {
  const kept = globalThis as { [KEPT]?: Map<string, Limiter> };
  return cached((kept[KEPT] ??= new Map()), origin, () => newLimiter(time));
}
