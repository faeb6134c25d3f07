import { AdaptiveLimiter } from "./limiter";
import { type Limiter, type LimiterTime } from "./limiter-interface";

export {
  GivenUp,
  type Limiter,
  type LimiterTime,
  MAX_CONCURRENT,
  type Outcome,
  type Pass,
} from "./limiter-interface";

/** A limiter that shares nothing with others. */
export const newLimiter = (time: LimiterTime): Limiter => new AdaptiveLimiter(time);

/** A registered symbol: a second copy of the package shares the limiters. */
const KEPT = Symbol.for("pulumi-nodecloud.limiters.1");

/** The one limiter of an origin in this process. */
export function limiterOf(origin: string, time: LimiterTime): Limiter {
  const kept = globalThis as { [KEPT]?: Map<string, Limiter> };
  const limiters = (kept[KEPT] ??= new Map());
  const limiter = limiters.get(origin) ?? newLimiter(time);
  limiters.set(origin, limiter);
  return limiter;
}
