/** Commands of the engine on this terminal. */
import { run } from "../child.mjs";
import { QuickstartError, throwIfStopped } from "./stop.mjs";
import { bold, say } from "./terminal.mjs";

/** @typedef {{ project: string; environment: Record<string, string> }} Place where the commands run: `project` is a folder. */

/**
 * Runs a command of the engine on this terminal.
 * @param {Place} place
 * @param {string} command such as `pulumi up --yes`.
 * @param {{ unshown?: string[] }} [options] `unshown` are flags that do not change the display.
 * @returns {Promise<number>} the exit code.
 */
export async function pulumi({ project, environment }, command, { unshown = [] } = {}) {
  throwIfStopped();
  say(`$ ${bold(command)}\n`);
  const [name = "", ...args] = command.split(" ");
  const { code } = await run(name, [...args, ...unshown], {
    cwd: project,
    env: environment,
    stdio: "inherit",
  });
  throwIfStopped();
  return code;
}

/** @param {Place} place @param {string} command */
export async function mustSucceed(place, command) {
  const code = await pulumi(place, command);
  if (code !== 0) throw new QuickstartError(`\`${command}\` failed with exit code ${code}.`);
}
