/** Commands of the engine on this terminal. */
import { run } from "../child.mjs";
import { root } from "./places.mjs";
import { QuickstartError, throwIfStopped } from "./stop.mjs";
import { bold, say } from "./terminal.mjs";

/**
 * Runs a command of the engine on this terminal.
 * @param {Record<string, string>} environment
 * @param {string} command such as `pulumi up --yes`.
 * @param {{ unshown?: string[] }} [options] `unshown` are flags that do not change the display.
 * @returns {Promise<number>} the exit code.
 */
export async function pulumi(environment, command, { unshown = [] } = {}) {
  throwIfStopped();
  say(`$ ${bold(command)}\n`);
  const [name = "", ...args] = command.split(" ");
  const { code } = await run(name, [...args, ...unshown], { cwd: root, env: environment, stdio: "inherit" });
  throwIfStopped();
  return code;
}

/**
 * @param {Record<string, string>} environment
 * @param {string} command
 */
export async function mustSucceed(environment, command) {
  const code = await pulumi(environment, command);
  if (code !== 0) throw new QuickstartError(`\`${command}\` failed with exit code ${code}.`);
}
