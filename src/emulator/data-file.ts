import { createHash } from "node:crypto";
import { closeSync, fsyncSync, openSync, readFileSync, realpathSync } from "node:fs";
import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { z } from "zod";
import { codeOf, messageOf } from "./failure";
import { lockFile } from "./file-lock";

const header = z.object({
  format: z.literal("nodecloud-emulator data"),
  version: z.int(),
  /** How many of the lines that follow were written with this one, and so cannot be torn. */
  lines: z.int(),
});

const VERSION = 1;
const WHOLE_LINE = /^([0-9a-f]{16}) (.*)$/;

/** Binds a line to all before it: one that is changed, missing or out of place does not fit any more. */
function checksum(before: string, json: string): string {
  return createHash("sha256").update(before).update(json).digest("hex").slice(0, 16);
}

function textOf(entries: readonly unknown[], before: string): { text: string; last: string } {
  let last = before;
  const lines = entries.map((entry) => {
    const json = JSON.stringify(entry);
    last = checksum(last, json);
    return `${last} ${json}\n`;
  });
  return { text: lines.join(""), last };
}

/** The path behind any links, as a file that is replaced by another would else take the place of the link. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return join(realpathSync(dirname(path)), basename(path));
  }
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** The entries of a data file. A last line that was cut off while it was written has never been acknowledged. */
function entriesOf(file: string, text: string): unknown[] {
  const damage = (line: number, what: string) =>
    new Error(
      `${file}, line ${line}: ${what}. Nothing was changed: put back a copy, or move it away to start anew.`,
    );
  const lines = text.split("\n");
  const tail = lines.pop() ?? "";
  if (tail !== "") lines.push(tail);
  let before = "";
  const entries: unknown[] = [];
  let whole = 1;
  for (const [index, line] of lines.entries()) {
    const [, sum, json] = WHOLE_LINE.exec(line) ?? [];
    if (sum === undefined || json === undefined || sum !== checksum(before, json)) {
      if (tail !== "" && index === lines.length - 1 && index >= whole) break;
      throw damage(index + 1, index === 0 ? "this is no data file of nodecloud-emulator" : "it is damaged");
    }
    before = sum;
    const entry: unknown = JSON.parse(json);
    if (index > 0) {
      entries.push(entry);
      continue;
    }
    const first = header.safeParse(entry);
    if (!first.success) throw damage(1, "this is no data file of nodecloud-emulator");
    if (first.data.version !== VERSION) throw damage(1, "another version of nodecloud-emulator wrote it");
    whole = first.data.lines + 1;
  }
  if (lines.length === 0) throw damage(1, "the file is empty");
  if (entries.length + 1 < whole) throw damage(lines.length + 1, "the rest of the file is missing");
  return entries;
}

/** A file of JSON lines, each with a checksum, which is appended to or replaced as a whole. One process has it at a time. */
export class DataFile {
  #handle: FileHandle | undefined;
  #last = "";
  #size = 0;
  #sizeWhenReplaced = 0;

  private constructor(
    private readonly path: string,
    /** The path as it was given, for messages. */
    readonly name: string,
    private readonly unlock: () => void,
  ) {}

  /** Locks a file and reads it; it is not written to until it has been replaced once. */
  static open(given: string): { file: DataFile; entries: unknown[] } {
    try {
      const path = realPath(given);
      const unlock = lockFile(path);
      try {
        const text = readIfThere(path);
        const entries = text === undefined ? [] : entriesOf(given, text);
        return { file: new DataFile(path, given, unlock), entries };
      } catch (error) {
        unlock();
        throw error;
      }
    } catch (error) {
      const reason = messageOf(error);
      throw new Error(`cannot use the data in ${reason.startsWith(given) ? reason : `${given}: ${reason}`}`, {
        cause: error,
      });
    }
  }

  /** Whether more has been appended than there was, so that replacing it pays. */
  get hasGrown(): boolean {
    const appended = this.#size - this.#sizeWhenReplaced;
    return appended > Math.max(4 * 1024 * 1024, this.#sizeWhenReplaced);
  }

  /** Adds one entry; it is on disk when this resolves. */
  async append(entry: unknown): Promise<void> {
    const { text, last } = textOf([entry], this.#last);
    await this.#handle?.appendFile(text);
    await this.#handle?.datasync();
    this.#last = last;
    this.#size += Buffer.byteLength(text);
  }

  /** Puts these entries in the place of all that there are; at any moment the file is the old or the new one. */
  async replace(entries: readonly unknown[]): Promise<void> {
    const first: z.input<typeof header> = {
      format: "nodecloud-emulator data",
      version: VERSION,
      lines: entries.length,
    };
    const { text, last } = textOf([first, ...entries], "");
    const path = `${this.path}.tmp`;
    // What has the name already may be readable by others, or lead to another file.
    await rm(path, { force: true });
    // It holds the passwords of databases, so it is for its owner only.
    const next = await open(path, "wx", 0o600);
    try {
      await next.appendFile(text);
      await next.sync();
      await rename(path, this.path);
    } catch (error) {
      await next.close();
      // Half a file would take the room that a full disk does not have.
      await rm(path, { force: true }).catch(() => undefined);
      throw error;
    }
    syncDirectory(dirname(this.path));
    await this.#handle?.close();
    this.#handle = next;
    this.#last = last;
    this.#size = this.#sizeWhenReplaced = Buffer.byteLength(text);
  }

  async close(): Promise<void> {
    await this.#handle?.close();
    this.#handle = undefined;
    this.unlock();
  }
}

/** A file's new name is on disk once its directory is. Not every system can open one. */
function syncDirectory(path: string): void {
  try {
    const directory = openSync(path, "r");
    try {
      fsyncSync(directory);
    } finally {
      closeSync(directory);
    }
  } catch {
    return;
  }
}
