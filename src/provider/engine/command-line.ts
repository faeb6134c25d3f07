import { execFile } from "node:child_process";
import { existsSync, readFileSync, readlinkSync } from "node:fs";
import { basename } from "node:path";
import { promisify } from "node:util";
import { type Environment } from "../process/pulumi-home";
import { quietly } from "../process/quietly";
import { parentOf } from "../process/runs";

const MAX_BYTES = 1 << 30;

/** How many processes are looked at above this one. */
const MOST_ABOVE = 10;

/**
 * The command line that runs this process, and its folder: it may not be on the PATH, and a relative URL of a backend leads from there. Only Linux shows
 * it without another process.
 */
export function commandLine(): { readonly file: string; readonly cwd?: string; readonly pid?: number } {
  let pid = process.ppid;
  for (let above = 0; above < MOST_ABOVE && pid > 1; above++) {
    const file = quietly(() => readlinkSync(`/proc/${pid}/exe`));
    const cwd = quietly(() => readlinkSync(`/proc/${pid}/cwd`));
    if (file !== undefined && cwd !== undefined && basename(file) === "pulumi" && existsSync(file))
      return { file, cwd, pid };
    pid = parentOf(pid) ?? 0;
  }
  return { file: "pulumi" };
}

/** Whether it leaves resources of the program out. */
export function leavesSomeOut(): boolean {
  const { pid } = commandLine();
  const args = pid === undefined ? undefined : quietly(() => readFileSync(`/proc/${pid}/cmdline`, "utf8"));
  return args?.split("\0").some((arg) => /^(?:--target|-t|--exclude)(?:=|$)/.test(arg)) === true;
}

/** Runs the command line and returns the JSON that it prints. It gets the same environment and folder as the one that runs this process. */
export async function askCommandLine(
  args: readonly string[],
  environment: Environment,
  timeout: number,
): Promise<unknown> {
  const { file, cwd } = commandLine();
  const options = { env: { ...environment }, cwd, timeout, maxBuffer: MAX_BYTES };
  const { stdout } = await promisify(execFile)(file, [...args, "--non-interactive"], options);
  return JSON.parse(stdout);
}
