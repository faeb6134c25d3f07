/** Runs at most `limit` tasks at a time, in the order of arrival. A task whose signal aborts leaves the queue. */
export function takingTurns(limit: number) {
  let running = 0;
  const queue = new Set<() => void>();

  const turn = (signal: AbortSignal | undefined) =>
    new Promise<void>((resolve, reject) => {
      const start = () => {
        queue.delete(start);
        signal?.removeEventListener("abort", leave);
        running++;
        resolve();
      };
      const leave = () => {
        queue.delete(start);
        reject(signal?.reason as Error);
      };
      if (signal?.aborted) return leave();
      if (running < limit) return start();
      queue.add(start);
      signal?.addEventListener("abort", leave, { once: true });
    });

  return async <Result>(signal: AbortSignal | undefined, work: () => Promise<Result>): Promise<Result> => {
    await turn(signal);
    try {
      return await work();
    } finally {
      running--;
      const [next] = queue;
      next?.();
    }
  };
}
