/** @import { Log } from "../cache.mjs" */

/**
 * Reports the start, the duration so far and the end of a long step.
 * @template T
 * @param {Log} log
 * @param {string} title
 * @param {() => Promise<T>} work
 */
export async function withProgress(log, title, work) {
  const started = Date.now();
  const seconds = () => Math.round((Date.now() - started) / 1000);
  log(`${title} …`);
  const ticks = setInterval(() => log(`  … ${seconds()} s so far`), 15_000);
  try {
    const result = await work();
    log(`  done in ${seconds()} s`);
    return result;
  } finally {
    clearInterval(ticks);
  }
}
