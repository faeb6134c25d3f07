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
