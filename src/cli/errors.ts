import { types } from "node:util";
import { type Code, codeOf } from "../provider/base/codes";
import { type Problem } from "../provider/base/errors";

/** The exit codes of `nodecloud`. */
export const EXIT = { none: 0, error: 1, findings: 2, interrupted: 130 } as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** A problem that the user can solve. It is printed as one line, without a stack. */
export class CliError extends Error {
  override readonly name = "CliError";
  readonly code: Code;

  constructor(message: string, problem: Problem) {
    super(message, "cause" in problem ? { cause: problem.cause } : undefined);
    this.code = codeOf(problem, "COMMAND_FAILED");
  }
}

/** Makes errors with a code, each of a message and of the error behind it. */
const errorsWith =
  (code: Code) =>
  (message: string, cause?: unknown): CliError =>
    new CliError(message, cause === undefined ? { code } : { code, cause });

export const usageError = errorsWith("USAGE");
export const unwritableFile = errorsWith("FILE_UNWRITABLE");
export const unusableProject = errorsWith("PROJECT_UNUSABLE");
export const unusableProgram = errorsWith("PROGRAM_UNUSABLE");
export const unreadableStacks = errorsWith("STACKS_UNREADABLE");
export const unreadablePreview = errorsWith("PREVIEW_UNREADABLE");
export const invalidRules = errorsWith("RULES_INVALID");
export const unfitParts = errorsWith("PARTS_UNFIT");
export const foreignState = errorsWith("FOREIGN_STATE");

/** Returns the result of a step. An error of it becomes one that the user can solve: what failed, and the reason. */
export function explained<Result>(what: string, code: Code, step: () => Result): Result {
  try {
    return step();
  } catch (error) {
    throw new CliError(`${what}: ${lineOf(error)}`, { code, cause: error });
  }
}

/** An error in one line, for a message. */
export function lineOf(error: unknown): string {
  // One that leaves for the engine is derived from another error.
  const text = types.isNativeError(error) || error instanceof Error ? error.message : String(error);
  return (text.split("\n").find((line) => line.trim() !== "") ?? "unknown error").trim();
}

/** The reason in the error of a command that also says what cannot be read. */
export const reasonIn = (error: unknown): string =>
  error instanceof CliError && typeof error.cause === "string" ? error.cause : lineOf(error);
