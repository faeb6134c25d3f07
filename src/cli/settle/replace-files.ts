import { randomUUID } from "node:crypto";
import { chmodSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { CliError, lineOf } from "../errors";

/** A file with its old and its new text. */
export interface Replacement {
  readonly path: string;
  readonly from: string;
  readonly text: string;
}

/** Replaces files as a whole, or none of them if one cannot be written. Without an await, no signal comes between. */
export function replaceFiles(files: readonly Replacement[]): void {
  const prepared = files.map((file) => ({ ...file, temporary: `${file.path}.${randomUUID()}.tmp` }));
  const replaced: string[] = [];
  try {
    for (const { path, text, temporary } of prepared) {
      writeFileSync(temporary, text, { flag: "wx" });
      chmodSync(temporary, statSync(path).mode);
    }
    for (const { path, from } of prepared) {
      if (Buffer.from(from).equals(readFileSync(path))) continue;
      throw new CliError(`${path} is not UTF-8, or was changed in the meantime`);
    }
    for (const { path, temporary } of prepared) {
      renameSync(temporary, path);
      replaced.push(path);
    }
  } catch (error) {
    for (const { temporary } of prepared) rmSync(temporary, { force: true });
    const changed = replaced.length === 0 ? "nothing was changed" : `only ${replaced.join(", ")} changed`;
    throw new CliError(`cannot write the program, ${changed}: ${lineOf(error)}`, { cause: error });
  }
}
