/** The shortest time over which requests are counted. Most limits are per second. */
const SHORTEST_SPAN_MS = 1000;
/** A service that refuses for longer than this does not limit per second, so the search for a limit per second ends. */
const SHORT_REFUSAL_MS = 2000;
/** Where the search for the limit begins, as a multiple of the counted rate. A small first burst reveals little, and a large one costs nothing. */
const SEARCH_FROM = 2.5;
const DOUBLING_MS = 800;
/** When the rate reaches the measured limit. After that it keeps growing, as the first measurement may be too low. */
const FIRST_RISE_MS = 2500;
/** The same after the limit was reached twice. Each refusal costs a wait, usually of a second. */
const LATER_RISE_MS = 40_000;
/** The least rate, in requests per second. A slower client would notice too late that other processes have ended. */
const LEAST_RATE = 0.5;
/** After this multiple of the rise without a refusal, other processes have probably ended: the rate doubles in this time. */
const FREED = { after: 1.2, doublingMs: 8000 };
/** In how much time the rate doubles while other processes share the limit: the limit changes with them, so it is not measured. */
const SHARED_DOUBLING_MS = 4000;
/** The rate after a refusal of a shared limit, as a share of the refused rate. Clients that are faster are refused more often, so all end at about the same rate. */
const SHARED_BELOW = 0.85;
/** So many refusals in a row after so short times mean a shared limit: a measured one would hold for longer. */
const EARLY = { ms: 20_000, times: 4 };
/** So many refusals in a row at about the same rate mean that nobody shares the limit. Its measure is this share of that rate. */
const ALONE = { times: 4, ratio: 1.06, measure: 0.9 };
/** If a shared limit does not refuse while the rate doubles so often, nobody shares it any more. */
const FREE_DOUBLINGS = 3;
/** The rate after a refusal, as a share of the limit. */
const BELOW = 0.95;
/** The share of a measured limit that is used. A burst that the service allows makes the measurement too high, most of all after a quick refusal. */
const BELIEVED = { quick: 0.93, overshot: 0.95, steady: 0.975 };
const QUICK_MS = 3000;
const OVERSHOT = 1.04;
/** The smallest limit to assume, as a share of the rate that the service refused. */
const LEAST = 0.6;
/** A rate this far above the limit means that the limit is outdated: there was a pause, or the service accepts more than before. */
const LOST = 2;
/** How slowly the length of past refusals is forgotten. */
const FADING = 0.7;
/** How many times of acceptance are kept: one minute at 200 per second. */
const KEPT = 12_000;

/** Measures how many requests per second a service accepts, from the times of its refusals. All times are in milliseconds. */
export class Pace {
  /** Undefined until the first refusal. */
  #limit: number | undefined;
  /** The rate after the last refusal, from which it rises. */
  #start = 0;
  #riseMs = FIRST_RISE_MS;
  /** Whether the limit was measured only in the first burst. */
  #searching = true;
  #resumedAt = 0;
  #refusedAt = 0;
  /** The latest time at which the service is known to refuse: a request was refused, or the service named the time. */
  #refusedUntil = 0;
  #refusedRate = Infinity;
  /** Whether other processes share the limit. */
  #shared = false;
  /** Consecutive refusals that came early. */
  #early = 0;
  /** The rates of the last refusals of a shared limit. */
  #levels: readonly number[] = [];
  /** The time over which requests are counted. */
  #spanMs = 0;
  readonly #accepted: number[] = [];

  /** The allowed requests per second at a time. */
  rate(now: number): number {
    if (this.#limit === undefined) return Infinity;
    const passed = now - this.#resumedAt;
    if (this.#shared) return Math.max(LEAST_RATE, this.#start * 2 ** (passed / SHARED_DOUBLING_MS));
    if (this.#searching) return this.#limit * SEARCH_FROM * 2 ** (passed / DOUBLING_MS);
    // Rises fast far below the limit, slowly near it, and fast again beyond it: it stays longest near the limit.
    const depth = this.#limit - this.#start;
    const near = this.#limit + depth * ((passed - this.#riseMs) / this.#riseMs) ** 3;
    const freedMs = passed - FREED.after * this.#riseMs;
    return freedMs > 0 ? Math.max(near, this.#limit * 2 ** (freedMs / FREED.doublingMs)) : near;
  }

  accepted(now: number): void {
    const times = this.#accepted;
    times.push(now);
    if (times.length >= 2 * KEPT) times.splice(0, times.length - KEPT);
  }

  /** The service refused a request. Nothing is sent until it accepts one again. */
  refused(now: number): void {
    this.#refusedAt = now;
    this.#refusedUntil = now;
    this.#refusedRate = this.rate(now);
  }

  /** The service refused another request, or said that it refuses requests until then. */
  refusedUntil(time: number): void {
    this.#refusedUntil = Math.max(this.#refusedUntil, time);
  }

  /** The service accepts requests again. The first of them is already counted. `isRivalled`: it refused once more although the client had waited long enough. */
  resumed(now: number, isRivalled: boolean): void {
    const pause = Math.min(now, this.#refusedUntil) - this.#refusedAt;
    const passed = this.#refusedAt - this.#resumedAt;
    const counted = this.#counted(pause);
    const rate = this.#refusedRate;
    const limit = this.#limit;
    if (limit === undefined) {
      this.#searching = pause < SHORT_REFUSAL_MS;
      this.#measured(counted);
    } else if (this.#shared) this.#resumedShared(passed, rate, counted, isRivalled);
    else if (this.#searching || rate > LOST * limit) {
      this.#searching = false;
      this.#early = 0;
      this.#measured(Math.min(rate, counted));
    } else {
      this.#early = isRivalled ? EARLY.times : passed < EARLY.ms ? this.#early + 1 : 0;
      const measured = Math.min(rate, Math.max(counted, LEAST * rate));
      const { quick, overshot, steady } = BELIEVED;
      const believed = passed < QUICK_MS ? quick : rate > OVERSHOT * limit ? overshot : steady;
      // The rate is above the limit, and the count during its rise is mostly below.
      this.#measured(believed * ((rate + measured) / 2), LATER_RISE_MS);
      if (this.#early >= EARLY.times) this.#share(rate, []);
    }
    this.#resumedAt = now;
  }

  /** The rate begins below a limit that is believed. */
  #measured(limit: number, riseMs = FIRST_RISE_MS): void {
    this.#limit = Math.max(LEAST_RATE, limit);
    this.#start = this.#limit * BELOW;
    this.#riseMs = riseMs;
    this.#shared = false;
  }

  /** The rate begins below the refused one, as the limit is shared. */
  #share(rate: number, levels: readonly number[]): void {
    this.#limit = rate;
    this.#start = rate * SHARED_BELOW;
    this.#levels = levels;
    this.#shared = true;
  }

  /** Finds out whether other processes still share the limit. */
  #resumedShared(passed: number, rate: number, counted: number, isRivalled: boolean): void {
    const levels = isRivalled ? [] : [...this.#levels, rate].slice(-ALONE.times);
    const least = Math.min(...levels);
    const isFree = passed > FREE_DOUBLINGS * SHARED_DOUBLING_MS;
    const isAlone = levels.length === ALONE.times && Math.max(...levels) < ALONE.ratio * least;
    this.#early = 0;
    this.#searching = isFree;
    if (isFree) this.#measured(counted);
    else if (isAlone) this.#measured(ALONE.measure * least, LATER_RISE_MS);
    else this.#share(rate, levels);
  }

  /** The accepted rate before the refusal, counted over at least the length of the refusal: the service's window is not shorter. */
  #counted(pause: number): number {
    this.#spanMs = Math.max(SHORTEST_SPAN_MS, pause, FADING * this.#spanMs);
    const since = this.#refusedAt - this.#spanMs;
    const first = this.#accepted.findLastIndex((time) => time <= since) + 1;
    // Leaves out the request accepted after the refusal, and includes the one in flight, which matters if a second allows only a few.
    const count = this.#accepted.length - first;
    return (count / this.#spanMs) * 1000;
  }
}
