import { checkpointing, median, previews, ratioOf, withStack } from "./measure.mjs";
import { floorPrograms } from "./subjects.mjs";

/** @import { Setting, Times } from "./measure.mjs" */

/** @typedef {Times & { cpuSeconds: number }} Cost */
/**
 * @typedef {{ size: number; components: Cost; records: Cost; ratio: number; cpuRatio: number }} Floor The ratios are the medians of those
 * of all rounds. Other load on the machine changes that of the processor time least.
 */

/**
 * Measures what many resources cost without a provider: no-op previews of component resources, in turns with those of as many single
 * records of the full plugin.
 * @param {number} size
 * @param {number} rounds
 * @param {Setting} setting
 * @returns {Promise<Floor>}
 */
export function measureFloor(size, rounds, setting) {
  return withStack(setting, async ({ stack }) => {
    const found = await previews(floorPrograms(size), rounds, stack, setting.tell, checkpointing(false));
    const [components, records] = [found.components, found.records].map((all) => ({
      seconds: all.map((one) => one.seconds),
      cpu: all.map((one) => one.cpuSeconds),
    }));
    if (components === undefined || records === undefined) throw new Error("There is no preview.");
    const costOf = (/** @type {typeof records} */ { seconds, cpu }) => ({
      median: median(seconds),
      all: seconds,
      cpuSeconds: median(cpu),
    });
    return {
      size,
      components: costOf(components),
      records: costOf(records),
      ratio: ratioOf(records.seconds, components.seconds),
      cpuRatio: ratioOf(records.cpu, components.cpu),
    };
  });
}
