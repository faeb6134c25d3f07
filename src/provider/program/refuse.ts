import { runError } from "./messages";
import { noteOfCheck } from "./checked";
import { type Code } from "../base/codes";

/** Ends the program because of a mistake in it. `nodecloud check` notes the mistake, and the program goes on to the next one. */
export function refuse(message: string, code: Code): void {
  const note = noteOfCheck();
  if (note === undefined) throw runError(message, code);
  const { stackTraceLimit } = Error;
  // The stack has the line of the mistake. While a resource is registered, errors take none.
  Error.stackTraceLimit = Number.POSITIVE_INFINITY;
  note(runError(message, code));
  Error.stackTraceLimit = stackTraceLimit;
}
