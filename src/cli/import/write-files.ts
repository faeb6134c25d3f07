import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { CliError, lineOf } from "../errors";

/** Writes files into a folder that must not have them. They appear together, after all of them could be written. */
export function writeFolder(folder: string, files: ReadonlyMap<string, string>): void {
  const existed = existsSync(folder);
  const temporary = join(dirname(folder), `.${basename(folder)}.${randomUUID()}.tmp`);
  const moved: string[] = [];
  try {
    for (const [path, text] of files) {
      const file = join(temporary, path);
      mkdirSync(dirname(file), { recursive: true });
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
    throw new CliError(`cannot write ${folder}: ${lineOf(error)}`, { cause: error });
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

/** Adds a line to the end of a file. The file is replaced as a whole. */
export function addLine(file: string, line: string): void {
  const before = readFileSync(file, "utf8");
  const ending = before.includes("\r\n") ? "\r\n" : "\n";
  const gap = before === "" || before.endsWith("\n") ? "" : ending;
  const temporary = join(dirname(file), `.${basename(file)}.${randomUUID()}.tmp`);
  try {
    writeFileSync(temporary, `${before}${gap}${line}${ending}`);
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw new CliError(`cannot write ${file}: ${lineOf(error)}`, { cause: error });
  }
}
