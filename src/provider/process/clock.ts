/** Time and chance. Tests pass their own. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves after `ms`, or earlier when `signal` is aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** A number from 0 up to 1. */
  random(): number;
}

export const systemClock: Clock = {
  now: Date.now,
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      signal.addEventListener("abort", () => {
        clearTimeout(timer);
        resolve();
      });
    }),
  random: Math.random,
};
