/** Commands that the runner starts, and checks that pass if a command succeeds. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { npmCommand, run } from "../child.mjs";

export const root = fileURLToPath(new URL("../..", import.meta.url));

/** @param {string} line */
export const say = (line) => process.stdout.write(`${line}\n`);

/** The user asked to stop, so no further step begins. */
export class Stopped extends Error {}

/** @import { SpawnOptions } from "node:child_process" */

/** @param {string} command @param {string[]} args @param {SpawnOptions} [options] */
async function runCommand(command, args, options) {
  const ending = await run(command, args, { cwd: root, ...options });
  if (ending.stoppedBy !== undefined) throw new Stopped(`Stopped by ${ending.stoppedBy}`);
  return ending;
}

/**
 * Runs a script under this Node.
 * @param {string} script its path from the root.
 * @param {string[]} args
 * @param {SpawnOptions} [options]
 */
export const runTool = (script, args, options) =>
  runCommand(process.execPath, [join(root, script), ...args], options);

/** Its output is printed in one piece at its end, because other steps run at the same time. @type {SpawnOptions} */
const collected = { stdio: ["ignore", "pipe", "pipe"] };

/** @typedef {() => Promise<{ code: number; output: string }>} Step */
/** @typedef {{ title: string; step: Step }} Check */

/** @param {string} script @param {string[]} args @returns {Step} */
export const tool = (script, args) => () => runTool(script, args, collected);

/**
 * @param {string} name
 * @param {string[]} [more]
 * @returns {Step} runs `npm run NAME`.
 */
export const npmScript =
  (name, more = []) =>
  () => {
    const { command, args, shell } = npmCommand(["run", "--silent", name, ...more]);
    return runCommand(command, args, { ...collected, shell });
  };

/**
 * @param {Check} check
 * @returns {Promise<boolean>} whether it passes.
 */
export async function runCheck({ title, step }) {
  const started = Date.now();
  const { code, output } = await step().catch((error) => {
    if (error instanceof Stopped) throw error;
    return { code: 1, output: `  ${error instanceof Error ? error.message : error}` };
  });
  say(`\n== ${title}`);
  if (output.trim() !== "") say(output.trimEnd());
  say(`   ${code === 0 ? "passed" : "FAILED"} (${((Date.now() - started) / 1000).toFixed(1)} s)`);
  return code === 0;
}
