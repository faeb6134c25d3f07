import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { type Context } from "./context";
import { CliError, lineOf } from "./errors";

/** Reads a file that the user names. `what` is its name in messages. */
export async function readInput({ directory }: Context, file: string, what = file): Promise<Buffer> {
  try {
    return await readFile(resolve(directory, file));
  } catch (error) {
    throw new CliError(`cannot read ${what}: ${lineOf(error)}`, { code: "FILE_UNREADABLE", cause: error });
  }
}
