import { type Clock } from "../../src/provider/process/clock";

interface Sleeper {
  readonly due: number;
  readonly wake: () => void;
}

/** Runs everything that can continue without the passing of time. */
export const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * A clock that moves to the end of the next sleep by itself when nothing else is left to run. With `byHand`, only `advance`
 * moves it. By default its random number is one half.
 */
export class FakeClock implements Clock {
  /** The length of each sleep, in the order of their beginnings. */
  readonly sleeps: number[] = [];
  readonly #sleepers = new Set<Sleeper>();
  #now: number;
  #moving = false;

  constructor(
    private readonly options: {
      readonly startsAt?: number;
      readonly byHand?: boolean;
      readonly chance?: () => number;
    } = {},
  ) {
    this.#now = options.startsAt ?? 1_000_000;
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
          resolve();
        },
      };
      signal.addEventListener("abort", sleeper.wake);
      this.#sleepers.add(sleeper);
      if (this.options.byHand !== true) void this.#move();
    });

  /** Moves the clock, and wakes each sleeper at its time. */
  async advance(ms: number): Promise<void> {
    const end = this.#now + ms;
    await settle();
    for (let next = this.#next(); next !== undefined && next.due <= end; next = this.#next()) {
      this.#now = Math.max(this.#now, next.due);
      next.wake();
      await settle();
    }
    this.#now = end;
  }

  async #move(): Promise<void> {
    if (this.#moving) return;
    this.#moving = true;
    await settle();
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      this.#now = Math.max(this.#now, next.due);
      next.wake();
      await settle();
    }
    this.#moving = false;
  }

  #next(): Sleeper | undefined {
    return [...this.#sleepers].sort((a, b) => a.due - b.due)[0];
  }
}
