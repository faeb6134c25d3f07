import { type CollectionDescription, type Member } from "../describe/define-collection";
import { type Ref } from "../describe/define-resource";
import { type MembersInState, type State } from "./call";
import { isObject, type Properties } from "../base/values";

/** A member that exists. */
export interface Held extends Member, Required<Ref> {
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

/** The text that tells a member from the others. */
export const identityOf = ({ sameBy }: CollectionDescription, inputs: Properties): string =>
  JSON.stringify(sameBy.map((field) => inputs[field] ?? null));

/** The key and the inputs of a member alone. */
export const plainMember = ({ key, inputs }: Member): Member =>
  key === undefined ? { inputs } : { key, inputs };

/** Adds the key and the inputs of a line. The line is parsed when they are first used: most never are. */
function parsedLazily<Rest extends { readonly line: string }>(
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

/** The members that exist, from the state. */
export function heldIn(
  description: CollectionDescription,
  { outputs, members = NO_MEMBERS }: Pick<State, "outputs" | "members">,
): Held[] {
  const { ids, answered: answers, left } = members;
  const declared = linesOf(outputs[description.property]).map((line, index) => [ids[index], line] as const);
  const parent = String(outputs[description.item.id.parent ?? ""]);
  return [...declared, ...left].flatMap(([id, line]) => {
    if (id === undefined) return [];
    const answered = answers[id];
    return [parsedLazily(description, { parent, id, line, answered: isObject(answered) ? answered : {} })];
  });
}

const NO_MEMBERS: MembersInState = { ids: [], answered: {}, left: [] };

/** Members as a state keeps them. */
export interface MembersStored {
  readonly text: string;
  readonly members: MembersInState;
}

/**
 * How a state keeps members: the declared ones as text, with their ids in the same order. Members that exist and are no longer declared
 * are kept apart and encrypted: the program's secrets are known by their place, and these members have none in it.
 */
export function storedFor(
  held: readonly Held[],
  declared: readonly string[] = held.map(({ line }) => line),
): MembersStored {
  const open = new Map<string, number>();
  for (const line of declared) open.set(line, (open.get(line) ?? 0) + 1);
  const [kept, left]: [Held[], Held[]] = [[], []];
  for (const member of held) {
    const count = open.get(member.line) ?? 0;
    open.set(member.line, count - 1);
    (count > 0 ? kept : left).push(member);
  }
  kept.sort((a, b) => (a.line < b.line ? -1 : a.line > b.line ? 1 : 0));
  const answered = held.filter((member) => Object.keys(member.answered).length > 0);
  return {
    text: textOf(kept.map(({ line }) => line)),
    members: {
      ids: kept.map(({ id }) => id),
      answered: Object.fromEntries(answered.map((member) => [member.id, member.answered])),
      left: left.map(({ id, line }) => [id, line]),
    },
  };
}
