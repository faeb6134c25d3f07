import { spawn } from "node:child_process";
import { constants } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";

/** @import { SpawnOptions } from "node:child_process" */

/** @typedef {{ code: number; output: string; stoppedBy: NodeJS.Signals | undefined }} Ending */

/** @type {NodeJS.Signals[]} */
const stopSignals = ["SIGINT", "SIGTERM", "SIGHUP"];

/** For tests that start the same programs many times: Node keeps compiled code, and the engine collects no garbage before it has this much. */
export const manyStarts = {
  NODE_COMPILE_CACHE: join(fileURLToPath(new URL("..", import.meta.url)), "node_modules/.cache/compiled"),
  GOGC: "off",
  GOMEMLIMIT: "1GiB",
};

/** A command that failed. The message contains the end of its output. */
export class CommandError extends Error {
  /** @param {string[]} command @param {Ending} ending */
  constructor([program = "", operation = ""], { code, output }) {
    const name = `${basename(program)} ${basename(operation)}`.trimEnd();
    const tail = output.trimEnd().split("\n").slice(-15).join("\n");
    super(`${name} failed with exit code ${code}${tail === "" ? "" : `:\n${tail}`}`);
    this.name = "CommandError";
    this.code = code;
  }
}

/**
 * Runs a command to its end. It forwards the signals that ask this process to stop, so that the command can clean up
 * first. It collects piped output.
 * @param {string} command
 * @param {string[]} args
 * @param {SpawnOptions} [options]
 * @returns {Promise<Ending>} with the exit code of a shell: 128 plus the signal number after a fatal signal.
 */
export function run(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    let output = "";
    /** @type {NodeJS.Signals | undefined} */
    let stoppedBy;
    /** @param {NodeJS.Signals} signal */
    const handOn = (signal) => {
      stoppedBy ??= signal;
      // A terminal sends Ctrl-C to the command too. A second one would mean "stop at once".
      if (signal !== "SIGINT" || !process.stdin.isTTY) child.kill(signal);
    };
    const letGo = () => stopSignals.forEach((signal) => process.off(signal, handOn));
    // Before the start, so that no signal is lost.
    stopSignals.forEach((signal) => process.on(signal, handOn));
    const child = spawn(command, args, options);
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding("utf8").on("data", (text) => (output += text));
    }
    child.on("error", (error) => {
      letGo();
      reject(error);
    });
    child.on("close", (code, signal) => {
      letGo();
      resolve({ code: code ?? 128 + (signal === null ? 0 : constants.signals[signal]), output, stoppedBy });
    });
  });
}

/**
 * The command that starts npm. npm names its own program to the scripts that it runs.
 * @param {string[]} args
 * @returns {{ command: string; args: string[]; shell: boolean }}
 */
export function npmCommand(args) {
  const cli = process.env["npm_execpath"];
  // Another package manager names itself in this variable.
  if (cli?.endsWith("npm-cli.js")) return { command: process.execPath, args: [cli, ...args], shell: false };
  // On Windows npm is a batch file, which needs a shell.
  return { command: "npm", args, shell: process.platform === "win32" };
}

/**
 * Like `run`, but it fails with a {@link CommandError} if the command fails, and a signal that arrived meanwhile stops
 * this process too.
 * @param {string} command
 * @param {string[]} args
 * @param {SpawnOptions} [options]
 * @returns {Promise<string>} the output of the command, if it is piped.
 */
export async function step(command, args, options) {
  const ending = await run(command, args, options);
  if (ending.stoppedBy !== undefined) process.kill(process.pid, ending.stoppedBy);
  if (ending.code !== 0) throw new CommandError([command, ...args], ending);
  return ending.output;
}
