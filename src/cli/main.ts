import { codeOf, withCode } from "../provider/base/codes";
import { Command, CommanderError } from "commander";
import { type CliCommand } from "./cli-command";
import { commands } from "./commands";
import { type Context } from "./context";
import { EXIT, type ExitCode, lineOf } from "./errors";
import { coloursFor, hasColours, widthOf } from "./terminal";
import { untilAborted } from "./until-aborted";
import { packageVersion } from "../provider/base/package-version";

/** Runs a command line, and returns its exit code. It prints an error as one line. */
export async function main(
  args: readonly string[],
  context: Context,
  available: readonly CliCommand[] = commands,
): Promise<ExitCode> {
  let code: ExitCode = EXIT.none;
  const program = programOf(context, available, async (work) => {
    code = await untilAborted(context.signal, work());
  });
  try {
    await program.parseAsync([...args], { from: "user" });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.none : EXIT.error;
    const { red } = coloursFor(context, context.stderr);
    const isInterrupted = context.signal.aborted;
    const { whenInterrupted = "interrupted; nothing was changed" } =
      available.find(({ name }) => name === args[0]) ?? {};
    context.stderr.write(isInterrupted ? `${whenInterrupted}\n` : `${red("error")}: ${messageOf(error)}\n`);
    return isInterrupted ? EXIT.interrupted : EXIT.error;
  }
}

/** The line of an error, with its code. */
const messageOf = (error: unknown): string => withCode(lineOf(error), codeOf(error, "COMMAND_FAILED"));

function programOf(
  context: Context,
  available: readonly CliCommand[],
  run: (work: () => Promise<ExitCode>) => Promise<void>,
): Command {
  const { stdout, stderr } = context;
  const program = new Command("nodecloud")
    .description("Watch, adopt and review what the provider pulumi-nodecloud manages")
    .version(packageVersion(), "--version", "Print the version")
    .helpOption("--help", "Print this text")
    .helpCommand(false)
    .addHelpText(
      "after",
      "\nnodecloud COMMAND --help prints the options, examples and exit codes of a command.",
    )
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void stdout.write(text),
      writeErr: (text) => void stderr.write(text),
      outputError: (text, write) => write(`${withCode(text.trimEnd(), "USAGE")}\n`),
      getOutHelpWidth: () => widthOf(stdout) ?? 100,
      getErrHelpWidth: () => widthOf(stderr) ?? 100,
      getOutHasColors: () => hasColours(context, stdout),
      getErrHasColors: () => hasColours(context, stderr),
    });
  for (const { name, declare } of available) {
    const command = program.command(name);
    command.copyInheritedSettings(program).helpOption("--help", "Print this text");
    declare(command, context, run);
  }
  return program;
}
