import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { cleanEnvironment } from "../../scripts/environment.cjs";
import { ROOT } from "./programs";

const program = join(ROOT, "dist/bin/nodecloud-emulator.js");
const env = cleanEnvironment();

const command = [process.execPath, program];

/** Limits the size of files that the following command can write, as a full disk does. */
const limited = (kilobytes: number) => ["bash", "-c", `ulimit -f ${kilobytes} && exec "$@"`, "bash"];

/** Starts the emulator's command line. */
function launch(prefix: string[], args: string[]): ChildProcess & { text(): { out: string; err: string } } {
  const [first = "", ...rest] = [...prefix, ...command, ...args];
  const child = spawn(first, rest, { env, stdio: ["ignore", "pipe", "pipe"] });
  let [out, err] = ["", ""];
  child.stdout?.on("data", (chunk: Buffer) => (out += chunk.toString()));
  child.stderr?.on("data", (chunk: Buffer) => (err += chunk.toString()));
  return Object.assign(child, { text: () => ({ out, err }) });
}

async function ending(child: ReturnType<typeof launch>) {
  const [code] = await once(child, "close");
  return { code: Number(code), ...child.text() };
}

/** Runs the command line and waits for its end. */
export const run = (...args: string[]) => ending(launch([], args));

/** Does the same with a limit on the size of files. */
export const runLimited = (kilobytes: number, ...args: string[]) => ending(launch(limited(kilobytes), args));

async function started(prefix: string[], args: string[]) {
  const child = launch(prefix, ["--port", "0", ...args]);
  if (child.stdout) await Promise.race([once(child.stdout, "data"), once(child, "close")]);
  const url = /^nodecloud-emulator listening on (http:\/\/127\.0\.0\.1:\d+\/v4)\n(DNS on .*\n)?$/.exec(
    child.text().out,
  )?.[1];
  return { child, url: url ?? `no line, but ${child.text().out}` };
}

/** Starts it on a free port and waits for the line that it prints. */
export const start = (...args: string[]) => started([], args);

/** Starts it with a limit on the size of files. */
export const startLimited = (kilobytes: number, ...args: string[]) => started(limited(kilobytes), args);
