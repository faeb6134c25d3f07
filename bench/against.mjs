import { existsSync } from "node:fs";
import { join } from "node:path";
import { commands, inTurns, ratioOf, withStack } from "./measure.mjs";
import { startPrograms, subjects } from "./subjects.mjs";

/** @import { Verdict } from "./limits.mjs" */

/** The largest allowed ratio to the time of the other version. Noise between rounds is smaller. */
const mostTimes = 1.05;
const setMembers = 1000;

/** Each program starts the plugin. A refresh also loads the API client. @satisfies {Record<string, (domainId: number) => string>} */
const programs = {
  "one record": startPrograms.ours,
  "20 mixed resources": (/** @type {number} */ domainId) => subjects.mixed.program(20, { domainId }),
  [`a set of ${setMembers} records`]: (/** @type {number} */ domainId) =>
    subjects.set.program(setMembers, { domainId }),
};
const phases = /** @type {const} */ ({ preview: commands.preview, refresh: commands.drift });

/**
 * Measures this version and another one in turns, each with its own stack and emulator, so that other load on the machine affects both.
 * @param {string} other the built checkout of the other version.
 * @param {number} rounds
 * @param {import("./measure.mjs").Setting} setting
 * @returns {Promise<Verdict[]>} a ratio for each program and phase, the median of all rounds.
 */
export async function measureAgainst(other, rounds, setting) {
  if (!existsSync(join(other, "dist", "index.js")))
    throw new Error(`${other} has no build: run "npm run build" there.`);
  return withStack(
    setting,
    (theirs) =>
      withStack(setting, async (ours) => {
        /** @type {Verdict[]} */
        const verdicts = [];
        for (const [name, program] of Object.entries(programs)) {
          const stack = name.replaceAll(" ", "-");
          for (const side of [ours, theirs]) {
            side.stack.write("disk.img", "a disk image of a few bytes");
            await side.stack.init({ name: stack });
            side.stack.write("index.js", program(side.domainId));
            await side.stack.pulumi([...commands.create, "--stack", stack]);
          }
          for (const [phase, command] of Object.entries(phases)) {
            const measured = await inTurns(
              /** @type {const} */ (["ours", "theirs"]),
              rounds,
              async (side) => {
                const { stack: of } = side === "ours" ? ours : theirs;
                return (await of.pulumi([...command, "--stack", stack])).seconds;
              },
            );
            const found = ratioOf(measured.ours, measured.theirs);
            setting.tell(`  ${phase} of ${name}: ${found.toFixed(3)} times the other version's seconds`);
            const what = `${phase} of ${name}, in turns with the other version`;
            verdicts.push({ what, found, allowed: mostTimes, unit: "×", isMet: found <= mostTimes });
          }
          // The next stack declares other objects.
          for (const side of [ours, theirs]) await side.stack.pulumi([...commands.destroy, "--stack", stack]);
        }
        return verdicts;
      }),
    { version: other },
  );
}
