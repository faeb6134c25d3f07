/** How many times of acceptance are kept: enough for some seconds. */
const KEPT = 4096;
/** How long the first estimate is kept before it doubles. */
const HOLD_MS = 300;
const DOUBLING_MS = 1500;
/** How far below the limit the service is left in peace. */
const BELOW = 0.95;
/** A refusal so soon says that the limit was far too high. */
const QUICKLY_MS = 3000;
const SHORTEST_RISE_MS = 8000;
const CONFIRMED_RISE_MS = 30_000;
const LONGEST_RISE_MS = 120_000;

/** How many requests a service takes in a second, found out from when it refuses some. All times in milliseconds. */
export class Pace {
  /** The rate at which the last refusals are expected to begin again; undefined as long as there was none. */
  #limit: number | undefined;
  /** The rate after the last refusal, from which it rises. */
  #start = 0;
  /** Whether the limit is only known from a first burst, which may tell far too little. */
  #searching = true;
  /** When the limit is reached again. */
  #riseMs = SHORTEST_RISE_MS;
  #since = 0;
  readonly #accepted: number[] = [];

  /** Requests a second at this moment. */
  rate(now: number): number {
    if (this.#limit === undefined) return Infinity;
    const passed = now - this.#since;
    if (this.#searching) return this.#start * 2 ** (Math.max(0, passed - HOLD_MS) / DOUBLING_MS);
    // Fast where the limit is far, slow around it, fast again beyond it: most of the time is spent where it pays.
    const depth = Math.max(this.#limit - this.#start, this.#limit * 0.05);
    return this.#limit + depth * ((passed - this.#riseMs) / this.#riseMs) ** 3;
  }

  accepted(now: number): void {
    const times = this.#accepted;
    times.push(now);
    if (times.length < 2 * KEPT) return;
    times.splice(0, times.length - KEPT);
  }

  /** The service takes requests again after it refused some. */
  resumed(now: number): void {
    this.#since = now;
  }

  /** The service refused a request. */
  refused(now: number): void {
    const rate = this.rate(now);
    const passed = now - this.#since;
    const lately = this.#acceptedRate(now, Math.min(5000, Math.max(1000, passed)));
    if (this.#limit === undefined) {
      this.#limit = lately;
      this.#start = lately * BELOW;
    } else if (this.#searching) {
      this.#searching = false;
      this.#limit = Math.min(rate, lately * 1.3);
      this.#start = Math.min(lately, this.#limit) * BELOW;
    } else {
      // A limit that was met where it was expected is known: it is tried again the later the more often it was confirmed.
      if (passed >= 0.6 * this.#riseMs && rate < 1.15 * this.#limit) {
        this.#riseMs = Math.min(Math.max(2 * this.#riseMs, CONFIRMED_RISE_MS), LONGEST_RISE_MS);
      }
      const limit = Math.min(rate, Math.max(lately, 0.85 * rate));
      this.#limit = limit * (passed < QUICKLY_MS ? 0.92 : 0.985);
      this.#start = this.#limit * BELOW;
    }
  }

  #acceptedRate(now: number, spanMs: number): number {
    let count = 0;
    for (let index = this.#accepted.length - 1; index >= 0; index--) {
      if ((this.#accepted[index] ?? 0) <= now - spanMs) break;
      count++;
    }
    return (Math.max(count, 1) / spanMs) * 1000;
  }
}
