import { messageIn } from "../../api/redact";
import { printableLine } from "../../api/text";
import { type ApiError, describeReasons, isApiError, isNodeCloudError } from "../../api/errors";
import { type Code, codeOf, withCode } from "./codes";
import { camelPath } from "./values";

/** The beginning of the text with which the plugin prints an error that it also reports. */
const REPORTED = "\0";

/** The reason of an error: a code, or the error that it explains further, whose code it has. */
export type Problem = { readonly code: Code; readonly cause?: unknown } | { readonly cause: unknown };

/** An error for the user, in one line. */
export class ProviderError extends Error {
  readonly code: Code;

  constructor(message: string, problem: Problem) {
    super(printableLine(message), "cause" in problem ? { cause: problem.cause } : undefined);
    this.code = codeOf(problem);
    this.stack = "";
  }

  override toString(): string {
    return `${REPORTED}${this.message}`;
  }
}

/** Prevents the plugin from printing errors that it also reports, because users would read them twice. */
export function printOnlyUnreported(output: Pick<Console, "error">): void {
  const print = output.error.bind(output);
  output.error = (...message: unknown[]) => {
    if (typeof message[0] !== "string" || !message[0].startsWith(REPORTED)) print(...message);
  };
}

/** The user cancelled the run. */
export class RunCancelled extends ProviderError {
  constructor() {
    super("the run was cancelled, so the provider starts nothing more", { code: "CANCELLED" });
  }
}

/** The error of a setting with a wrong value. */
export const invalidSetting = (message: string, cause?: unknown): ProviderError =>
  new ProviderError(message, { code: "SETTING_INVALID", ...(cause === undefined ? {} : { cause }) });

/** Turns any error into one line for the user. */
export function asProviderError(error: unknown, attempt: string): ProviderError {
  if (error instanceof ProviderError) return error;
  return new ProviderError(`${attempt}: ${sayingOf(error)}`, { cause: error });
}

/** The error for a 404 about an object that can still be read. */
export const deniedThough = (attempt: string, consequence: string, cause: unknown): ProviderError =>
  new ProviderError(
    `${attempt}: the service answers that it does not exist (404), but it can still be read. ${consequence}; the next run tries again`,
    { code: "DELETE_UNFINISHED", cause },
  );

/** An error as it leaves the process, with its code in its message. The error itself stays as it is, because others may repeat or quote it. */
export function leaving(error: unknown): Error {
  const inner = error instanceof Error ? error : new Error(String(error));
  const message = withCode(inner.message, codeOf(inner));
  return Object.create(inner, { message: { value: message } }) as Error;
}

/** Runs a step. An error becomes one line that says what was attempted. */
export async function attempting<Result>(
  attempt: string,
  step: (attempt: string) => Promise<Result>,
): Promise<Result> {
  try {
    return await step(attempt);
  } catch (error) {
    throw asProviderError(error, attempt);
  }
}

/** The message of an error without its operation: the provider names the attempt more exactly than the client. */
export function sayingOf(error: unknown): string {
  if (isApiError(error)) return apiSaying(error);
  const message = messageIn(error);
  const operation = isNodeCloudError(error) ? `${error.operation}: ` : "";
  return message.startsWith(operation) ? message.slice(operation.length) : message;
}

/** The API's reasons, with the fields in the program's spelling. */
function apiSaying(error: ApiError): string {
  const reasons = error.reasons.map(({ field, reason }) => ({
    reason,
    ...(field === undefined ? {} : { field: camelPath(field) }),
  }));
  const said = describeReasons(reasons) || "the API gave no reason";
  return `${said} (${error.status})${error.hint === undefined ? "" : `; ${error.hint}`}`;
}
