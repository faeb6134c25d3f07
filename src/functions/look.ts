import { listed } from "../api/text";
import { READS_CHANGED } from "../provider/describe/effects";
import { type Outline } from "../provider/describe/outline";
import { type Code, codeOf } from "../provider/base/codes";
import { sayingOf } from "../provider/base/errors";
import { isObject, type Properties } from "../provider/base/values";
import {
  attemptOf,
  type FunctionDeclaration,
  declarations,
  type ItemDeclaration,
  type ListDeclaration,
} from "./declarations";
import { RequestFailure } from "./messages";
import { type Look, lookAtAnswer, lookAtItem, lookAtList } from "./select-items";

/** Carries out a call of a function with known arguments. */
export function lookAt(declaration: FunctionDeclaration, args: unknown, look: Look): Promise<Properties> {
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
export const secretsOf = (declaration: FunctionDeclaration): readonly string[] =>
  declaration.kind === "view" ? (declaration.secrets ?? []) : [];

interface Changed {
  readonly outline: Outline;
  readonly id: string | undefined;
}

/** Tells whether a call reads what a changed resource manages. */
export function readsOf(declaration: FunctionDeclaration, args: unknown): (changed: Changed) => boolean {
  const given = isObject(args) ? args : {};
  const parent = declaration.kind === "item" ? declaration.list.parent : declaration.parent;
  const above = parent && given[parent.property];
  return ({ outline, id }) => {
    if (declaration.kind === "view") {
      // A view may show what is below its object.
      if (outline.contentIdentity?.within === declaration.parent.property)
        return id === undefined || id.split("/", 1)[0] === String(above);
      return id === String(above) && declaration.name.slice("get".length).startsWith(outline.type);
    }
    if (!isItem(outline, declaration)) return false;
    const wanted = given["id"] ?? above;
    // A new object is one of a list.
    if (wanted === undefined || id === undefined) return given["id"] === undefined;
    if (given["id"] !== undefined && outline.membersProperty === undefined) return id === String(wanted);
    return id.split("/", 1)[0] === String(wanted).split("/", 1)[0];
  };
}

function isItem({ type, contentIdentity }: Outline, declaration: ListDeclaration | ItemDeclaration): boolean {
  const list = declaration.kind === "item" ? declaration.list : declaration;
  const item = [...declarations.values()].find((one) => one.kind === "item" && one.list === list);
  const noun = list.result ?? item?.name.slice("get".length);
  return [type, contentIdentity?.type].includes(noun) || type === `${noun}Snapshot`;
}

/** The warning in a preview about a call that `up` makes after a change. */
export const readTooEarly = (declaration: FunctionDeclaration, changed: readonly string[]): string =>
  `${attemptOf(declaration)}: ${READS_CHANGED} (${listed(changed, "and")}), and \`pulumi up\` reads it after that, so this preview may be wrong: ` +
  `use ${declaration.name}Output with dependsOn`;

/** The code of a failed call. Errors without one are of arguments. */
export const codeOfFailure = (error: unknown): Code =>
  codeOf(error, error instanceof TypeError ? "UNEXPECTED" : "INVALID_ARGUMENT");

/** The message of a failed call, which begins with the function. */
export const messageOf = (declaration: FunctionDeclaration, error: unknown): string =>
  error instanceof RequestFailure ? error.message : `${attemptOf(declaration)}: ${sayingOf(error)}`;
