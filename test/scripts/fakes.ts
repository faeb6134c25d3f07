import { type ChildProcess, execFile, execFileSync, spawn } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";

/** Long enough to end only processes that hang, and not slow ones. */
const LONG_ENOUGH_MS = 600_000;

const execFileAsync = promisify(execFile);

/** The repository. */
export const root = join(__dirname, "..", "..");

/** The system tools for the scripts and the stand-ins. Real `pulumi`, `go` and `npm` are not among them. */
const systemTools = ["sh", "bash", "cat", "chmod", "dirname", "gzip", "ln", "mkdir", "tar"];

export interface Ending {
  code: number | null;
  /** The signal that ended the process, if any. */
  signal?: NodeJS.Signals;
  stdout: string;
  stderr: string;
}

/** A running Node process. */
export interface Running {
  ended: Promise<Ending>;
  /** Resolves when the process prints `text` to either stream, and rejects if it ends without it. */
  says(text: string): Promise<void>;
  signal(signal: NodeJS.Signals): void;
  /** Kills the process and all processes that it started. */
  kill(): Promise<void>;
}

/** A separate home directory and PATH in a temporary directory. */
export class Sandbox {
  readonly directory = mkdtempSync(join(tmpdir(), "nodecloud-scripts-"));
  readonly bin = join(this.directory, "bin");
  readonly cache = join(this.directory, "cache");
  readonly env: NodeJS.ProcessEnv;
  private readonly running = new Set<Running>();

  constructor() {
    const system = join(this.directory, "system");
    const home = join(this.directory, "home");
    for (const directory of [this.bin, system, home]) mkdirSync(directory);
    for (const tool of systemTools) symlinkSync(whereIs(tool), join(system, tool));
    this.env = { HOME: home, XDG_CACHE_HOME: this.cache, PATH: [this.bin, system].join(delimiter) };
  }

  /** Puts a shell script on PATH, or into another directory, that records each call. */
  tool(name: string, body: string, directory = this.bin): void {
    const file = join(directory, name);
    mkdirSync(directory, { recursive: true });
    writeFileSync(file, `#!${whereIs("sh")}\necho "$*" >> "${this.callsFile(name)}"\n${body}\n`);
    chmodSync(file, 0o755);
  }

  /** The arguments of each call of a tool so far. */
  calls(name: string): string[] {
    const file = this.callsFile(name);
    return existsSync(file) ? readFileSync(file, "utf8").trimEnd().split("\n") : [];
  }

  /** A pipe whose reader waits until `open` is called. */
  gate(): { path: string; open(): Promise<unknown> } {
    const path = join(this.directory, "gate");
    execFileSync(whereIs("mkfifo"), [path]);
    // Opening a pipe blocks until a reader opens it, so a child process does it, with a timeout.
    const open = () =>
      execFileAsync(whereIs("sh"), ["-c", 'echo open > "$0"', path], { timeout: LONG_ENOUGH_MS });
    return { path, open };
  }

  /** Starts Node, or another program, with these arguments. */
  start(args: string[], env: NodeJS.ProcessEnv = {}, program = process.execPath): Running {
    const child = spawn(program, args, {
      cwd: this.directory,
      env: { ...this.env, ...env },
      stdio: ["ignore", "pipe", "pipe"],
      // Its own process group, so that its child processes can be killed with it.
      detached: true,
      timeout: LONG_ENOUGH_MS,
    });
    const running = watch(child);
    this.running.add(running);
    return running;
  }

  run(args: string[], env?: NodeJS.ProcessEnv, program?: string): Promise<Ending> {
    return this.start(args, env, program).ended;
  }

  async remove(): Promise<void> {
    await Promise.all([...this.running].map((running) => running.kill()));
    rmSync(this.directory, { recursive: true, force: true });
  }

  private callsFile(name: string): string {
    return join(this.directory, `${name}.calls`);
  }
}

function watch(child: ChildProcess): Running {
  let stdout = "";
  let stderr = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr?.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const ended = new Promise<Ending>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) =>
      resolve({ code, ...(signal === null ? {} : { signal }), stdout, stderr }),
    );
  });
  return {
    ended,
    says: (text) =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (stdout.includes(text) || stderr.includes(text)) resolve();
        };
        child.stdout?.on("data", look);
        child.stderr?.on("data", look);
        child.on("close", () => reject(new Error(`ended without saying "${text}":\n${stdout}${stderr}`)));
        look();
      }),
    signal: (signal) => void child.kill(signal),
    async kill() {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
      } catch (error) {
        // The whole group has ended.
        if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
      }
      await ended;
    },
  };
}

function whereIs(tool: string): string {
  const found = (process.env["PATH"] ?? "")
    .split(delimiter)
    .map((directory) => join(directory, tool))
    .find(existsSync);
  if (found === undefined) throw new Error(`${tool} is needed for this test`);
  return found;
}

/** Writes a file, and creates its directories. */
export function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
