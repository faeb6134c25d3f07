import { type Argument, type Command, type Option } from "commander";
import { ListOption, SuggestedArgument } from "../list-option";

/** The completions that a shell offers for a value. */
export type Values = "any" | "files" | "folders" | readonly string[];

/** An option of a command. */
export interface CompletedOption {
  /** `--format` */
  readonly name: string;
  readonly description: string;
  /** Undefined if the option has no value. */
  readonly values?: Values;
  /** Whether commas separate its values. */
  readonly isList: boolean;
}

/** A command, as a shell completes it. */
export interface CompletedCommand {
  readonly name: string;
  readonly description: string;
  readonly options: readonly CompletedOption[];
  readonly arguments: Values;
}

/** The commands and options that can follow the name of the program. */
export interface Completed {
  readonly commands: readonly CompletedCommand[];
  readonly options: readonly CompletedOption[];
}

/** Reads the declared commands, options and arguments of a program. */
export function completedBy(program: Command): Completed {
  const help = program.createHelp();
  const optionsOf = (command: Command) =>
    help.visibleOptions(command).flatMap((option) => completedOption(option));
  return {
    commands: help.visibleCommands(program).map((command) => ({
      name: command.name(),
      description: command.description(),
      options: optionsOf(command),
      arguments: argumentsOf(command.registeredArguments),
    })),
    options: optionsOf(program),
  };
}

function completedOption(option: Option): CompletedOption[] {
  const { short, long, flags, description, required, optional, argChoices } = option;
  const suggested = option instanceof ListOption ? option.suggested?.() : undefined;
  const values = required || optional ? (argChoices ?? suggested ?? namedBy(flags)) : undefined;
  // An option with two long names has the first of them as its short one.
  return [short, long].flatMap((name) =>
    name?.startsWith("--") === true
      ? [
          {
            name,
            description,
            isList: option instanceof ListOption,
            ...(values === undefined ? {} : { values }),
          },
        ]
      : [],
  );
}

function argumentsOf([first]: readonly Argument[]): Values {
  if (first === undefined) return "any";
  return first instanceof SuggestedArgument ? first.suggested() : (first.argChoices ?? namedBy(first.name()));
}

/** The name of a value says whether it is a file: `--out <file>`. */
function namedBy(name: string): Values {
  if (/\bfiles?\b/.test(name.replace(/^--\S+/, ""))) return "files";
  return /\b(director(y|ies)|folders?)\b/.test(name) ? "folders" : "any";
}
