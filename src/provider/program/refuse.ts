import { runError } from "./messages";
import { noteOfCheck } from "./checked";
import { type Code } from "../base/codes";

/** Ends the program because of a mistake in it. `nodecloud check` notes the mistake, and the program goes on to the next one. */
export const refuse = (message: string, code: Code): void => refusingHere()(message, code);

/** The same for a mistake that is found later, when a value is known. `nodecloud check` names the place of this call. */
export function refusingHere(): typeof refuse {
  const note = noteOfCheck();
  if (note === undefined)
    return (message, code) => {
      throw runError(message, code);
    };
  const { stackTraceLimit } = Error;
  // The stack has the line of the mistake. While a resource is registered, errors take none.
  Error.stackTraceLimit = Number.POSITIVE_INFINITY;
  const { stack = "" } = new Error();
  Error.stackTraceLimit = stackTraceLimit;
  return (message, code) => note(Object.assign(runError(message, code), { stack }));
}
