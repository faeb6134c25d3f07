import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { type Environment } from "../process/pulumi-home";

const MAX_BYTES = 1 << 30;

/** Runs the command line and returns the JSON that it prints. It gets the same environment and folder as this process. */
export async function askCommandLine(
  args: readonly string[],
  environment: Environment,
  timeout: number,
): Promise<unknown> {
  const options = { env: { ...environment }, timeout, maxBuffer: MAX_BYTES };
  const { stdout } = await promisify(execFile)("pulumi", [...args, "--non-interactive"], options);
  return JSON.parse(stdout);
}
