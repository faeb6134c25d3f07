import { randomUUID } from "node:crypto";
import { rename, rm, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { type Context } from "./context";
import { lineOf, unwritableFile } from "./errors";

/** Writes a result to a file, or to stdout. A file is replaced as a whole, so that a reader never sees a part of it. */
export async function writeResult(context: Context, text: string, file?: string): Promise<void> {
  const ended = text.endsWith("\n") ? text : `${text}\n`;
  if (file === undefined || file === "-") return print(context.stdout, ended);
  const path = resolve(context.directory, file);
  const temporary = `${path}.${randomUUID()}.tmp`;
  try {
    await writeFile(temporary, ended);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw unwritableFile(`cannot write ${file}: ${lineOf(error)}`, error);
  }
}

/** Waits until the stream has taken the text. A reader that has seen enough closes it. */
const print = (stream: Context["stdout"], text: string): Promise<void> =>
  new Promise((resolved, reject) => {
    stream.write(text, (error) => {
      const isClosed = error !== null && error !== undefined && "code" in error && error.code === "EPIPE";
      if (error === null || error === undefined || isClosed) resolved();
      else reject(error);
    });
  });
