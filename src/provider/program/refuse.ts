import { noteOfCheck } from "./checked";
import * as sdk from "./sdk";

/** Ends the program because of a mistake in it. `nodecloud check` notes the mistake, and the program goes on to the next one. */
export function refuse(message: string): void {
  const note = noteOfCheck();
  if (note === undefined) throw new sdk.RunError(message);
  const { stackTraceLimit } = Error;
  // The stack has the line of the mistake. While a resource is registered, errors take none.
  Error.stackTraceLimit = Number.POSITIVE_INFINITY;
  note(new sdk.RunError(message));
  Error.stackTraceLimit = stackTraceLimit;
}
