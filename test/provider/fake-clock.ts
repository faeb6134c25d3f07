import { type Clock } from "../../src/provider/base/clock";

interface Sleeper {
  readonly due: number;
  readonly wake: () => void;
}

/** Runs everything that can continue without the passing of time. */
export const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * A clock that moves to the end of the next sleep by itself when nothing else is left to run. While it is held, only `advance`
 * moves it. By default its random number is one half.
 */
export class FakeClock implements Clock {
  /** The length of each sleep, in the order of their beginnings. */
  readonly sleeps: number[] = [];
  readonly #sleepers = new Set<Sleeper>();
  readonly #settled: () => Promise<void>;
  #now: number;
  #moving = false;
  #isHeld: boolean;

  constructor(
    private readonly options: {
      readonly startsAt?: number;
      /** Whether it is held from the beginning. */
      readonly byHand?: boolean;
      readonly chance?: () => number;
      /** Runs everything that can continue without the passing of time. */
      readonly settled?: () => Promise<void>;
    } = {},
  ) {
    this.#now = options.startsAt ?? 1_000_000;
    this.#isHeld = options.byHand ?? false;
    this.#settled = options.settled ?? settle;
  }

  now = (): number => this.#now;

  random = (): number => this.options.chance?.() ?? 0.5;

  sleep = (ms: number, signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      this.sleeps.push(ms);
      const sleeper: Sleeper = {
        due: this.#now + ms,
        wake: () => {
          this.#sleepers.delete(sleeper);
          signal.removeEventListener("abort", sleeper.wake);
          resolve();
        },
      };
      if (signal.aborted) return resolve();
      signal.addEventListener("abort", sleeper.wake);
      this.#sleepers.add(sleeper);
      void this.#move();
    });

  /** Stops the clock until `release`. */
  hold(): void {
    this.#isHeld = true;
  }

  release(): void {
    this.#isHeld = false;
    void this.#move();
  }

  /** Moves the clock, and wakes each sleeper at its time. */
  async advance(ms: number): Promise<void> {
    const end = this.#now + ms;
    await this.#settled();
    for (let next = this.#next(); next !== undefined && next.due <= end; next = this.#next()) {
      this.#now = Math.max(this.#now, next.due);
      next.wake();
      await this.#settled();
    }
    this.#now = end;
  }

  async #move(): Promise<void> {
    if (this.#moving || this.#isHeld) return;
    this.#moving = true;
    await this.#settled();
    for (let next = this.#next(); next !== undefined && !this.#isHeld; next = this.#next()) {
      this.#now = Math.max(this.#now, next.due);
      next.wake();
      await this.#settled();
    }
    this.#moving = false;
  }

  #next(): Sleeper | undefined {
    return [...this.#sleepers].sort((a, b) => a.due - b.due)[0];
  }
}
