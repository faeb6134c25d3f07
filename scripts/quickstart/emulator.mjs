/** The emulator of the quickstart. */
import { spawn } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { hermeticEnvironment } from "../environment.cjs";
import { root } from "./places.mjs";
import { isStopped, QuickstartError, throwIfStopped } from "./stop.mjs";

/** @typedef {Awaited<ReturnType<typeof startEmulator>>} Emulator */

/** The token of the emulator's default user. */
export const token = "emulator-token";

const startMs = 600_000;
const stopMs = 5_000;

/** @param {string} directory the directory of its log. */
export async function startEmulator(directory) {
  const script = join(root, "dist", "bin", "nodecloud-emulator.js");
  const log = join(directory, "emulator.log");
  const output = openSync(log, "w");
  // Detached, so that a Ctrl-C reaches only the engine, which may still send requests.
  const options = {
    detached: true,
    env: hermeticEnvironment(join(directory, "home")),
    stdio: /** @type {["ignore", number, number]} */ (["ignore", output, output]),
  };
  const child = spawn(process.execPath, [script, "--port", "0"], options);
  closeSync(output);
  const ended = new Promise((resolve) => child.once("close", resolve));
  const { pid } = child;
  child.unref();

  const deadline = Date.now() + startMs;
  for (;;) {
    const printed = readFileSync(log, "utf8");
    const url = /^nodecloud-emulator listening on (\S+)$/m.exec(printed)?.[1];
    if (url !== undefined && pid !== undefined) return { url, pid, stop };
    if (child.exitCode !== null || isStopped() || Date.now() > deadline) {
      await stop();
      throwIfStopped();
      throw new QuickstartError(`The emulator did not start:\n${printed.trim()}`);
    }
    await sleep(20);
  }

  async function stop() {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.ref();
    child.kill();
    const patience = setTimeout(() => child.kill("SIGKILL"), stopMs);
    await ended;
    clearTimeout(patience);
  }
}
