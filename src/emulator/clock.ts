/** How many times faster than real time the emulator's clock runs unless told otherwise. */
export const DEFAULT_SPEED = 600;

/** The highest speed that the command line and the control API take. */
export const MAX_SPEED = 1_000_000;

/** The emulated time ends here: dates have four digits for the year. */
export const LAST_MOMENT = Date.UTC(9999, 11, 31);

/** Emulated time: real time from the start on, multiplied by `speed` and moved by `advance`. */
export interface Clock {
  readonly speed: number;
  /** The emulated time in milliseconds since 1970. */
  now(): number;
  /** The emulated time as the API writes it, `YYYY-MM-DDThh:mm:ss`. */
  date(): string;
  /** Moves the clock forward at once. */
  advance(seconds: number): void;
  /** Back to the real time and to the speed at the start. */
  reset(): void;
  /** 1 is real time; at 0 the clock stands still and only `advance` moves it. */
  setSpeed(speed: number): void;
}

/** A moment in milliseconds as the API writes it: UTC, without a zone. */
export function asDate(moment: number): string {
  return new Date(moment).toISOString().slice(0, 19);
}

/** All that a clock is made of: it read `base` at the real time `realBase`. */
export interface ClockState {
  readonly base: number;
  readonly realBase: number;
  readonly speed: number;
}

/** A clock that can be kept in a file. It runs on while the file is closed, as the time of a cloud would. */
export interface KeptClock extends Clock {
  state(): ClockState;
  restore(state: ClockState): void;
}

/** A clock that starts at the real time, which `realNow` tells in milliseconds. */
export function createClock(
  speed: number,
  realNow: () => number,
  onMoved: () => void = () => undefined,
): KeptClock {
  let current = speed;
  let realBase = realNow();
  let base = realBase;
  const now = () => Math.min(base + (realNow() - realBase) * current, LAST_MOMENT);
  return {
    get speed() {
      return current;
    },
    now,
    date: () => asDate(now()),
    advance(seconds) {
      base += seconds * 1000;
      onMoved();
    },
    reset() {
      base = realBase = realNow();
      current = speed;
      onMoved();
    },
    setSpeed(next) {
      base = now();
      realBase = realNow();
      current = next;
      onMoved();
    },
    state: () => ({ base, realBase, speed: current }),
    restore(state) {
      ({ base, realBase, speed: current } = state);
      // A real clock that was put back meanwhile does not take the emulated one with it.
      if (realNow() < realBase) realBase = realNow();
    },
  };
}
