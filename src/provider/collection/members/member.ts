import { type CollectionDescription, type Member } from "../../describe/define-collection";
import { type Properties } from "../../state/values";

/** A member that exists. */
export interface Held extends Member {
  readonly id: string;
  readonly line: string;
  /** The service's values of the inputs that it does not keep as they were sent. */
  readonly answered: Properties;
}

/** A member that the program declares. */
export interface Wanted extends Member {
  readonly line: string;
}

/** Members as one text. Each line has its end, so that the engine shows no change of the last line when another one follows. */
export const textOf = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join("");

export const linesOf = (text: unknown): string[] =>
  typeof text === "string" ? text.split("\n").slice(0, -1) : [];

/** The members that a text declares. */
export const wantedIn = (description: CollectionDescription, text: unknown): Wanted[] =>
  linesOf(text).map((line) => parsedLazily(description, { line }));

/** What tells a member from the others. */
export const identityOf = ({ sameBy }: CollectionDescription, inputs: Properties): string =>
  JSON.stringify(sameBy.map((field) => inputs[field] ?? null));

/** The key and the inputs of a member alone. */
export const plainMember = ({ key, inputs }: Member): Member =>
  key === undefined ? { inputs } : { key, inputs };

/** Adds the key and the inputs of a line. The line is parsed when they are first used: most never are. */
export function parsedLazily<Rest extends { readonly line: string }>(
  description: CollectionDescription,
  rest: Rest,
): Rest & Member {
  let parsed: Member | undefined;
  const read = () => (parsed ??= description.parse(rest.line));
  return Object.defineProperties({ ...rest } as Rest & Member, {
    key: { get: () => read().key, enumerable: true },
    inputs: { get: () => read().inputs, enumerable: true },
  });
}
