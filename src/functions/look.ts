import { sayingOf } from "../provider/engine/errors";
import { type Properties } from "../provider/state/values";
import { attemptOf, type Declaration } from "./declarations";
import { RequestFailure } from "./messages";
import { type Look, lookAtAnswer, lookAtItem, lookAtList } from "./select-items";

/** Carries out a call of a function with known arguments. */
export function lookAt(declaration: Declaration, args: unknown, look: Look): Promise<Properties> {
  switch (declaration.kind) {
    case "list":
      return lookAtList(declaration, args, look);
    case "item":
      return lookAtItem(declaration, args, look);
    case "view":
      return lookAtAnswer(declaration, args, look);
  }
}

/** The fields of a result that are secret. */
export const secretsOf = (declaration: Declaration): readonly string[] =>
  declaration.kind === "view" ? (declaration.secrets ?? []) : [];

/** The message of a failed call, which begins with the function. */
export const messageOf = (declaration: Declaration, error: unknown): string =>
  error instanceof RequestFailure ? error.message : `${attemptOf(declaration)}: ${sayingOf(error)}`;
