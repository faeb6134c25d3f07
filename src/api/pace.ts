/** Requests are counted over no shorter time: most limits are by the second. */
const SHORTEST_SPAN_MS = 1000;
/** A service that refused for longer than this does not limit by the second, so that its limit is not searched for as if it did. */
const SHORT_REFUSAL_MS = 2000;
/** Where the search for the limit begins: a small first burst tells far too little of it, and a large one costs nothing. */
const SEARCH_FROM = 2.5;
const DOUBLING_MS = 800;
/** When the rate reaches the limit that was found. Beyond it the rate grows further: the first finding may be too low. */
const FIRST_RISE_MS = 2500;
/** The same once the limit was met twice: each refusal costs a wait, commonly of a second. */
const LATER_RISE_MS = 40_000;
/** Of the limit, the rate after a refusal. */
const BELOW = 0.95;
/** How much of a measured limit is believed. A burst that the service allows makes it too high, above all where it refused quickly. */
const BELIEVED = { quick: 0.93, overshot: 0.95, steady: 0.975 };
const QUICK_MS = 3000;
const OVERSHOT = 1.04;
/** Of the rate at which the service refused, the least that is believed of its limit. */
const LEAST = 0.6;
/** A rate that rose so far above the limit tells nothing of it: there was a pause, or the service takes more than before. */
const LOST = 2;
/** How slowly it is forgotten how long the service refused. */
const FADING = 0.7;
/** Times of acceptance that are kept: a minute of 200 a second. */
const KEPT = 12_000;

/** How many requests a service takes in a second, found out from when it refuses some. All times in milliseconds. */
export class Pace {
  /** Undefined as long as nothing was refused. */
  #limit: number | undefined;
  /** The rate after the last refusal, from which it rises. */
  #start = 0;
  #riseMs = FIRST_RISE_MS;
  /** Whether the limit is known from the first burst only. */
  #searching = true;
  #resumedAt = 0;
  #refusedAt = 0;
  /** Until when it surely refused: it was tried, or the service said so. */
  #refusedUntil = 0;
  #refusedRate = Infinity;
  /** Over how long requests are counted. */
  #spanMs = 0;
  readonly #accepted: number[] = [];

  /** Requests a second at this moment. */
  rate(now: number): number {
    if (this.#limit === undefined) return Infinity;
    const passed = now - this.#resumedAt;
    if (this.#searching) return this.#limit * SEARCH_FROM * 2 ** (passed / DOUBLING_MS);
    // Fast where the limit is far, slow around it, fast again beyond it: most of the time is spent where it pays.
    const depth = this.#limit - this.#start;
    return this.#limit + depth * ((passed - this.#riseMs) / this.#riseMs) ** 3;
  }

  accepted(now: number): void {
    const times = this.#accepted;
    times.push(now);
    if (times.length >= 2 * KEPT) times.splice(0, times.length - KEPT);
  }

  /** The service refused a request; nothing is sent until it takes one again. */
  refused(now: number): void {
    this.#refusedAt = now;
    this.#refusedUntil = now;
    this.#refusedRate = this.rate(now);
  }

  /** It refused another one, or will refuse them until then. */
  refusedUntil(time: number): void {
    this.#refusedUntil = Math.max(this.#refusedUntil, time);
  }

  /** The service takes requests again, of which the first was counted already. */
  resumed(now: number): void {
    const pause = Math.min(now, this.#refusedUntil) - this.#refusedAt;
    const passed = this.#refusedAt - this.#resumedAt;
    const counted = this.#counted(pause);
    const rate = this.#refusedRate;
    if (this.#limit === undefined) {
      this.#limit = counted;
      this.#searching = pause < SHORT_REFUSAL_MS;
    } else if (this.#searching || rate > LOST * this.#limit) {
      this.#searching = false;
      this.#limit = Math.min(rate, counted);
      this.#riseMs = FIRST_RISE_MS;
    } else {
      const measured = Math.min(rate, Math.max(counted, LEAST * rate));
      const { quick, overshot, steady } = BELIEVED;
      const believed = rate > OVERSHOT * this.#limit ? overshot : passed < QUICK_MS ? quick : steady;
      // The rate is above the limit, and what was counted while it rose is mostly below.
      this.#limit = believed * ((rate + measured) / 2);
      this.#riseMs = LATER_RISE_MS;
    }
    this.#start = this.#limit * BELOW;
    this.#resumedAt = now;
  }

  /** The rate of acceptance until the refusal, over a time as long as the service refused: its window is not shorter. */
  #counted(pause: number): number {
    this.#spanMs = Math.max(SHORTEST_SPAN_MS, pause, FADING * this.#spanMs);
    const since = this.#refusedAt - this.#spanMs;
    const first = this.#accepted.findLastIndex((time) => time <= since) + 1;
    // Without the one that was accepted after the refusal, and with one that was on its way: it tells much where a second has room for few.
    const count = this.#accepted.length - first;
    return (count / this.#spanMs) * 1000;
  }
}
