import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hermeticEnvironment } from "../../scripts/environment.cjs";
import { type Accounts } from "../../src/emulator";
import { DEFAULT_TOKEN } from "../../src/emulator/operations/accounts";
import { ROOT } from "../helpers/programs";
import { type Control } from "./account";

/** An emulator in its own process. It keeps its data in a file and can be killed. */
export interface Service {
  readonly origin: string;
  readonly token: string;
  readonly control: Control;
  /** Its whole output. */
  printed(): string;
  /** Kills it (-9). */
  kill(): Promise<void>;
  /** Starts it again on the same port, with the data that it kept. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** Its clock runs this many times faster than real time. */
const SPEED = 3_600;

/** @param accounts replace the one user with the default token */
export async function startService(accounts?: Accounts): Promise<Service> {
  const directory = mkdtempSync(join(tmpdir(), "nodecloud-service-"));
  const data = join(directory, "data");
  const users = join(directory, "accounts");
  if (accounts) writeFileSync(users, JSON.stringify(accounts), { mode: 0o600 });
  let printed = "";
  let port = "0";
  let child: ChildProcess | undefined;

  const start = async () => {
    const program = join(ROOT, "dist/bin/nodecloud-emulator.js");
    const args = [program, "--port", port, "--data", data, "--speed", String(SPEED)];
    if (accounts) args.push("--accounts", users);
    const env = hermeticEnvironment(directory);
    child = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "pipe"] });
    for (const stream of [child.stdout, child.stderr])
      stream?.on("data", (chunk: Buffer) => (printed += chunk.toString()));
    const line = await new Promise<string>((resolve, reject) => {
      child?.stdout?.once("data", (chunk: Buffer) => resolve(chunk.toString()));
      child?.once("exit", (code) => reject(new Error(`The emulator ended with ${code}. ${printed}`)));
    });
    port = /:(\d+)\/v4/.exec(line)?.[1] ?? port;
  };
  const end = async (signal: NodeJS.Signals) => {
    const going = child;
    child = undefined;
    if (going?.exitCode !== null || going.signalCode !== null) return;
    const ended = once(going, "exit");
    going.kill(signal);
    await ended;
  };

  await start();
  const origin = `http://127.0.0.1:${port}`;
  return {
    origin,
    token: accounts?.users[0]?.tokens[0]?.token ?? DEFAULT_TOKEN,
    printed: () => printed,
    control: async <Body>(method: string, path: string, body?: unknown) => {
      const sent = body === undefined ? {} : { body: JSON.stringify(body) };
      const answer = await fetch(`${origin}/_emulator${path}`, { method, ...sent });
      return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Body };
    },
    kill: () => end("SIGKILL"),
    restart: start,
    async stop() {
      await end("SIGTERM");
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
