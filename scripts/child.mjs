import { spawn } from "node:child_process";
import { constants } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";

/** @typedef {{ code: number; output: string; stoppedBy: NodeJS.Signals | undefined }} Ending */

/** @type {NodeJS.Signals[]} */
const stopSignals = ["SIGINT", "SIGTERM", "SIGHUP"];

/** For the environment of tests, which start the same programs many times: what Node has compiled of them is kept. */
export const compiled = {
  NODE_COMPILE_CACHE: join(fileURLToPath(new URL("..", import.meta.url)), "node_modules/.cache/compiled"),
};

/** A command that ended badly; the message holds the end of what it printed. */
export class CommandError extends Error {
  /**
   * @param {string[]} command
   * @param {Ending} ending
   */
  constructor([program = "", operation = ""], { code, output }) {
    const name = `${basename(program)} ${basename(operation)}`.trimEnd();
    const tail = output.trimEnd().split("\n").slice(-15).join("\n");
    super(`${name} failed with exit code ${code}${tail === "" ? "" : `:\n${tail}`}`);
    this.name = "CommandError";
    this.code = code;
  }
}

/**
 * Runs a command to its end and hands on the signals that ask this process to stop, so that the command can clean up
 * first. Piped output is collected.
 * @param {string} command
 * @param {string[]} args
 * @param {import("node:child_process").SpawnOptions} [options]
 * @returns {Promise<Ending>} with the exit code as a shell would give it: 128 and the number of a deadly signal.
 */
export function run(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    let output = "";
    /** @type {NodeJS.Signals | undefined} */
    let stoppedBy;
    /** @param {NodeJS.Signals} signal */
    const handOn = (signal) => {
      stoppedBy ??= signal;
      // A terminal sends Ctrl-C to the command itself; a second one would read as "stop at once".
      if (signal !== "SIGINT" || !process.stdin.isTTY) child.kill(signal);
    };
    const letGo = () => stopSignals.forEach((signal) => process.off(signal, handOn));
    // Before the start: a signal right after it must find somebody who hands it on.
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
 * How npm is started: the program that runs this script names itself, where it is npm.
 * @param {string[]} args
 * @returns {{ command: string; args: string[]; shell: boolean }}
 */
export function npmCommand(args) {
  const cli = process.env["npm_execpath"];
  // `npm run` names its own program; another package manager names itself there.
  if (cli?.endsWith("npm-cli.js")) return { command: process.execPath, args: [cli, ...args], shell: false };
  // On Windows npm is a batch file, which only a shell runs.
  return { command: "npm", args, shell: process.platform === "win32" };
}

/**
 * Like `run`, for a step on the way: fails with a {@link CommandError}, and a signal that came meanwhile stops this
 * process too.
 * @param {string} command
 * @param {string[]} args
 * @param {import("node:child_process").SpawnOptions} [options]
 * @returns {Promise<string>} what the command printed, where its output is piped.
 */
export async function step(command, args, options) {
  const ending = await run(command, args, options);
  if (ending.stoppedBy !== undefined) process.kill(process.pid, ending.stoppedBy);
  if (ending.code !== 0) throw new CommandError([command, ...args], ending);
  return ending.output;
}
