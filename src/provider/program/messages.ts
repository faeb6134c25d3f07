import { type Code, withCode } from "../base/codes";
import * as sdk from "./sdk";

/** An error of the program that the engine shows on one line, with its code at the end. */
export const runError = (message: string, code: Code, options?: ErrorOptions): sdk.RunError =>
  new sdk.RunError(withCode(message, code), options);

/** Adds a warning of the program to the diagnostics, with its code at the end. */
export const warn = (message: string, code: Code): Promise<void> => sdk.warn(withCode(message, code));
