import { type Command } from "commander";
import { type Context } from "./context";
import { type ExitCode } from "./errors";

/** A command of `nodecloud`. What it needs is loaded when it runs. */
export interface CliCommand {
  /** Declares its arguments, options and help. `run` receives what its action returns: the exit code. */
  declare(command: Command, context: Context, run: (work: () => Promise<ExitCode>) => Promise<void>): void;
  readonly name: string;
  /** The line to print when it is interrupted, if it may have changed something by then. */
  readonly whenInterrupted?: string;
}

/** The end of the help of a command. */
export interface HelpEnd {
  /** Command lines, and what each does. */
  readonly examples: readonly (readonly [line: string, does: string])[];
  /** What else to know, in sentences. */
  readonly notes?: readonly string[];
  /** What the exit codes mean: `0 no findings, 1 an error`. */
  readonly codes: string;
}

/** A longer line has its explanation below it. */
const WIDEST = 52;

/** The end of the help of a command, in the one form of all commands. */
export function helpEnd({ examples, notes = [], codes }: HelpEnd): string {
  const lengths = examples.map(([line]) => line.length).filter((length) => length <= WIDEST);
  const width = Math.max(2, ...lengths) + 2;
  const lines = examples.map(([line, does]) =>
    line.length > WIDEST ? `  ${line}\n${" ".repeat(width + 2)}${does}` : `  ${line.padEnd(width)}${does}`,
  );
  const parts = [["Examples:", ...lines], notes, [`Exit codes: ${codes}.`]];
  return parts.flatMap((part) => (part.length === 0 ? [] : ["", ...part])).join("\n");
}
