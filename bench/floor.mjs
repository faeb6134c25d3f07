import { checkpointing, commands, median, project, withStack } from "./measure.mjs";
import { floorPrograms } from "./subjects.mjs";

/** @typedef {import("./measure.mjs").Times & { cpuSeconds: number }} Cost */
/**
 * @typedef {{ size: number; components: Cost; records: Cost; ratio: number; cpuRatio: number }} Floor The ratios are the medians of those
 * of all rounds. Other load on the machine changes that of the processor time least.
 */

/**
 * Measures what many resources cost without a provider: no-op previews of component resources, in turns with those of as many single
 * records of the full plugin, so that other load on the machine affects both.
 * @param {number} size
 * @param {number} rounds
 * @param {import("./measure.mjs").Setting} setting
 * @returns {Promise<Floor>}
 */
export function measureFloor(size, rounds, setting) {
  return withStack(setting, async ({ stack }) => {
    const programs = floorPrograms(size);
    const names = /** @type {(keyof typeof programs)[]} */ (Object.keys(programs));
    for (const name of names) {
      await stack.init({ name, yaml: project });
      stack.write("index.js", programs[name]);
      await stack.pulumi([...commands.create, "--stack", name], checkpointing(false));
    }
    /** @type {Record<keyof typeof programs, import("./stack.mjs").Measured[]>} */
    const found = { components: [], records: [] };
    for (let round = 0; round <= rounds; round++) {
      // The second one may find a busier machine, so the order alternates.
      for (const name of round % 2 === 0 ? names : names.toReversed()) {
        stack.write("index.js", programs[name]);
        const preview = await stack.pulumi([...commands.preview, "--stack", name]);
        // The first round warms the caches of the file system.
        if (round > 0) found[name].push(preview);
      }
      setting.tell(`  round ${round} of ${rounds}`);
    }
    const { components, records } = found;
    const costOf = (/** @type {typeof records} */ all) => {
      const seconds = all.map((one) => one.seconds);
      return { median: median(seconds), all: seconds, cpuSeconds: median(all.map((one) => one.cpuSeconds)) };
    };
    const ratioOf = (/** @type {"seconds" | "cpuSeconds"} */ what) =>
      median(records.map((record, round) => record[what] / (components[round]?.[what] ?? NaN)));
    return {
      size,
      components: costOf(components),
      records: costOf(records),
      ratio: ratioOf("seconds"),
      cpuRatio: ratioOf("cpuSeconds"),
    };
  });
}
