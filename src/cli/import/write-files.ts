import { randomUUID } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { CliError, lineOf, unwritableFile } from "../errors";

/** Writes files into a folder that must not have them. They appear together, after all of them could be written. */
export function writeFolder(folder: string, files: ReadonlyMap<string, string>): void {
  const existed = existsSync(folder);
  // A folder that is there may be a mount, to which nothing can be moved from beside it.
  const place = existed ? folder : dirname(folder);
  const temporary = join(place, `.${basename(folder)}.${randomUUID()}.tmp`);
  const moved: string[] = [];
  try {
    for (const [path, text] of files) {
      const file = join(temporary, path);
      makeFolder(dirname(file));
      writeFileSync(file, text);
    }
    if (!existed) return renameSync(temporary, folder);
    for (const entry of new Set([...files.keys()].map((path) => path.split("/")[0] ?? path))) {
      const to = join(folder, entry);
      if (existsSync(to)) continue;
      renameSync(join(temporary, entry), to);
      moved.push(to);
    }
  } catch (error) {
    for (const path of moved) rmSync(path, { recursive: true, force: true });
    throw unwritableFile(`cannot write ${folder}: ${lineOf(error)}`, error);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

/** Makes a folder and those above it. The option `recursive` of Node never ends where the system refuses a folder as not found, as in `/proc`. */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  mkdirSync(path);
}

/** Writes a folder that does not exist, and imports it at the end of the file that the engine runs. It writes both or nothing. */
export function writeBeside(
  entry: string,
  folder: string,
  files: ReadonlyMap<string, string>,
  line: string,
): void {
  writeFolder(folder, files);
  try {
    addLine(realpathSync(entry), line);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

/** Adds a line to the end of a file. The file is replaced as a whole. */
function addLine(path: string, line: string): void {
  const from = readFileSync(path, "utf8");
  const ending = from.includes("\r\n") ? "\r\n" : "\n";
  const gap = from === "" || from.endsWith("\n") ? "" : ending;
  const temporary = `${path}.${randomUUID()}.tmp`;
  try {
    if (!Buffer.from(from).equals(readFileSync(path)))
      throw new CliError(`${path} is not UTF-8`, { code: "FILE_UNREADABLE" });
    writeFileSync(temporary, `${from}${gap}${line}${ending}`, { flag: "wx" });
    chmodSync(temporary, statSync(path).mode);
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw unwritableFile(`cannot write the program, nothing was changed: ${lineOf(error)}`, error);
  }
}
