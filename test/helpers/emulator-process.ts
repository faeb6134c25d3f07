import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

const root = join(__dirname, "../..");
const program = join(root, "src/bin/nodecloud-emulator.ts");
const env = { ...process.env, TS_NODE_COMPILER_OPTIONS: JSON.stringify({ rootDir: root }) };

/** Starts the command line from its source. */
function launch(...args: string[]): ChildProcess & { text(): { out: string; err: string } } {
  const child = spawn(process.execPath, ["-r", "ts-node/register/transpile-only", program, ...args], { env });
  let [out, err] = ["", ""];
  child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (err += chunk.toString()));
  return Object.assign(child, { text: () => ({ out, err }) });
}

/** Runs the command line to its end. */
export async function run(...args: string[]) {
  const child = launch(...args);
  const [code] = await once(child, "close");
  return { code: Number(code), ...child.text() };
}

/** Starts it on a free port and waits for the line that it prints. */
export async function start(...args: string[]) {
  const child = launch("--port", "0", ...args);
  if (child.stdout) await Promise.race([once(child.stdout, "data"), once(child, "close")]);
  const url = /^nodecloud-emulator listening on (http:\/\/127\.0\.0\.1:\d+\/v4)\n$/.exec(
    child.text().out,
  )?.[1];
  return { child, url: url ?? `no line, but ${child.text().out}` };
}
