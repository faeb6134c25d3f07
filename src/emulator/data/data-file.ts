import { createHash } from "node:crypto";
import { readFileSync, realpathSync } from "node:fs";
import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { z } from "zod";
import { quietly } from "../../api/quietly";
import { codeOf, messageIn } from "../../api/redact";
import { lockFile } from "./file-lock";

const header = z.object({
  format: z.literal("nodecloud-emulator data"),
  version: z.int(),
  /** The number of lines that were written together with this one. None of them can be cut off. */
  lines: z.int(),
});

const VERSION = 1;
// JSON may contain U+2028 and U+2029, which end a line for `.`.
const WHOLE_LINE = /^([0-9a-f]{16}) (.*)$/s;

/** A checksum over a line and all lines before it. It reveals a line that is changed, missing or in the wrong place. */
const checksum = (before: string, json: string): string =>
  createHash("sha256").update(before).update(json).digest("hex").slice(0, 16);

function textOf(entries: readonly unknown[], before: string): { text: string; last: string } {
  let last = before;
  const lines = entries.map((entry) => {
    const json = JSON.stringify(entry);
    last = checksum(last, json);
    return `${last} ${json}\n`;
  });
  return { text: lines.join(""), last };
}

/** The path without links. Replacing the file at a link would replace the link. */
const realPath = (path: string): string =>
  quietly(() => realpathSync(path)) ?? join(realpathSync(dirname(path)), basename(path));

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** The entries of a data file. A last line that is cut off is dropped: no request was answered with its changes. */
function entriesOf(file: string, text: string): unknown[] {
  const damage = (line: number, what: string) =>
    new Error(
      `${file}, line ${line}: ${what}. The emulator did not change the file. Restore a copy of it, or move it away to start without objects.`,
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
      throw damage(index + 1, index === 0 ? "it is not a data file of nodecloud-emulator" : "it is damaged");
    }
    before = sum;
    const entry: unknown = JSON.parse(json);
    if (index > 0) {
      entries.push(entry);
      continue;
    }
    const first = header.safeParse(entry);
    if (!first.success) throw damage(1, "it is not a data file of nodecloud-emulator");
    if (first.data.version !== VERSION) throw damage(1, "another version of nodecloud-emulator wrote it");
    whole = first.data.lines + 1;
  }
  if (lines.length === 0) throw damage(1, "the file is empty");
  if (entries.length + 1 < whole) throw damage(lines.length + 1, "the rest of the file is missing");
  return entries;
}

/** A file of JSON lines with checksums. It is appended to, or replaced as a whole. Only one process can open it at a time. */
export class DataFile {
  #handle: FileHandle | undefined;
  #last = "";
  #size = 0;
  #sizeWhenReplaced = 0;

  private constructor(
    private readonly path: string,
    /** The path for messages, as the user wrote it. */
    readonly name: string,
    private readonly unlock: () => void,
  ) {}

  /** Locks and reads a file. The first `replace` opens it for writing. */
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
      const reason = messageIn(error);
      throw new Error(`cannot use the data in ${reason.startsWith(given) ? reason : `${given}: ${reason}`}`, {
        cause: error,
      });
    }
  }

  /** Whether the appended part is larger than the rest, so that it is time to replace the file. */
  get hasGrown(): boolean {
    const appended = this.#size - this.#sizeWhenReplaced;
    return appended > Math.max(4 * 1024 * 1024, this.#sizeWhenReplaced);
  }

  /** Appends one entry. It resolves when the entry is on disk. */
  async append(entry: unknown): Promise<void> {
    const { text, last } = textOf([entry], this.#last);
    await this.#handle?.appendFile(text);
    await this.#handle?.datasync();
    this.#last = last;
    this.#size += Buffer.byteLength(text);
  }

  /** Replaces all entries. At any moment the file is either the old or the new one. */
  async replace(entries: readonly unknown[]): Promise<void> {
    const first: z.input<typeof header> = {
      format: "nodecloud-emulator data",
      version: VERSION,
      lines: entries.length,
    };
    const { text, last } = textOf([first, ...entries], "");
    const path = `${this.path}.tmp`;
    // An existing file may be readable by others, or be a link to another file.
    await rm(path, { force: true });
    // The file contains passwords, so only its owner may read it.
    const next = await open(path, "wx", 0o600);
    try {
      await next.appendFile(text);
      await next.sync();
      await rename(path, this.path);
    } catch (error) {
      await next.close();
      // An incomplete file would take space on a full disk.
      await rm(path, { force: true }).catch(() => undefined);
      throw error;
    }
    await syncDirectory(dirname(this.path));
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

/** Flushes a directory, so that a new file name is on disk. Some systems cannot open a directory. */
async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path).catch(() => undefined);
  await directory?.sync().catch(() => undefined);
  await directory?.close().catch(() => undefined);
}
