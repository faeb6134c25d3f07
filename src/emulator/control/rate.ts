/** How many requests the emulator accepts, in how many seconds of real time. */
export interface Rate {
  readonly requests: number;
  /** @default 1 */
  readonly seconds?: number;
}

/** The largest numbers of a rate. */
export const MAX_RATE = { requests: 1_000_000, seconds: 86_400 };

/** Throws if a number of the rate is invalid. */
export function checkRate(rate: Rate): void {
  for (const name of ["requests", "seconds"] as const) {
    const value = rate[name] ?? 1;
    if (!Number.isInteger(value) || value < 1 || value > MAX_RATE[name])
      throw new Error(`rate.${name} must be an integer from 1 to ${MAX_RATE[name]}, not ${value}`);
  }
}

/** A bucket of tokens: it allows `requests` at once, and is full again after `seconds`. */
export class RateLimit {
  readonly #requests: number;
  readonly #msPerToken: number;
  #tokens: number;
  #filledAt = 0;

  constructor(
    { requests, seconds = 1 }: Rate,
    private readonly now: () => number,
  ) {
    this.#requests = this.#tokens = requests;
    this.#msPerToken = (seconds * 1000) / requests;
  }

  /** Takes a request. If there are too many, it returns the seconds to wait. */
  take(): number | undefined {
    const now = this.now();
    this.#tokens = Math.min(
      this.#requests,
      this.#tokens + Math.max(0, now - this.#filledAt) / this.#msPerToken,
    );
    this.#filledAt = now;
    if (this.#tokens < 1) return Math.max(1, Math.ceil(((1 - this.#tokens) * this.#msPerToken) / 1000));
    this.#tokens--;
    return undefined;
  }

  reset(): void {
    this.#tokens = this.#requests;
  }
}
