import { type Command } from "commander";
import { type Context } from "../context";
import { EXIT, type ExitCode } from "../errors";
import { writeResult } from "../output";
import { bashScript } from "./bash";
import { completedBy } from "./completed";
import { fishScript } from "./fish";
import { type Shell } from "./shells";
import { zshScript } from "./zsh";

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript } satisfies Record<Shell, unknown>;

/** Prints the script with which a shell completes the commands of a program. */
export async function runCompletion(context: Context, program: Command, shell: Shell): Promise<ExitCode> {
  await writeResult(context, SCRIPTS[shell](completedBy(program)));
  return EXIT.none;
}
