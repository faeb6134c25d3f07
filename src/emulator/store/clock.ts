/** The default speed: how many times faster than real time the clock runs. */
export const DEFAULT_SPEED = 600;

/** The highest speed that the command line and the control API accept. */
export const MAX_SPEED = 1_000_000;

/** The end of the emulated time, because the year of a date has four digits. */
export const LAST_MOMENT = Date.UTC(9999, 11, 31);

/** The emulated time. It starts at the real time, runs `speed` times as fast, and `advance` moves it. */
export interface Clock {
  readonly speed: number;
  /** The emulated time in milliseconds since 1970. */
  now(): number;
  /** The emulated time in the format of the API, `YYYY-MM-DDThh:mm:ss`. */
  date(): string;
  /** Moves the clock forward. */
  advance(seconds: number): void;
  /** Resets the clock to the real time and to the speed at the start. */
  reset(): void;
  /** Sets the speed. 1 is real time. At 0 the clock stops, and only `advance` moves it. */
  setSpeed(speed: number): void;
}

/** A moment in the format of the API: UTC, without a time zone. */
export const asDate = (moment: number): string => new Date(moment).toISOString().slice(0, 19);

/** The state of a clock. It showed `base` at the real time `realBase`. */
export interface ClockState {
  readonly base: number;
  readonly realBase: number;
  readonly speed: number;
}

/** A clock that can be stored in a file. It continues while the emulator is stopped, like the time of a cloud. */
export interface KeptClock extends Clock {
  state(): ClockState;
  restore(state: ClockState): void;
}

/** Creates a clock that starts at the real time. `realNow` returns it in milliseconds. */
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
      // If the real clock was set back meanwhile, the emulated clock does not go back.
      if (realNow() < realBase) realBase = realNow();
    },
  };
}
