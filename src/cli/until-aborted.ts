/** Returns the result of `work`. If the signal is aborted first, throws the reason at once and does not wait for the work. */
export const untilAborted = <Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> =>
  new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason as Error);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
