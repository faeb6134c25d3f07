import { hintFor } from "../provider/base/nearest-name";
import { type CliError, usageError } from "./errors";

/** The error of an unknown name. `source` is the option or file that has it, and `noun` what it names. */
export const unknownName = (source: string, noun: string, name: string, known: readonly string[]): CliError =>
  usageError(`${source}: unknown ${noun} ${JSON.stringify(name)}; ${hintFor(name, known, `${noun}s`)}`);
