import { type CollectionDescription } from "../../describe/define-collection";
import { type MembersInState, type State } from "../../state/call";
import { isObject } from "../../state/values";
import { type Held, linesOf, parsedLazily, textOf } from "./member";

/** The members that exist, from the state. */
export function heldIn(
  description: CollectionDescription,
  { outputs, members = NO_MEMBERS }: Pick<State, "outputs" | "members">,
): Held[] {
  const { ids, answered: answers, left } = members;
  const declared = linesOf(outputs[description.property]).map((line, index) => [ids[index], line] as const);
  return [...declared, ...left].flatMap(([id, line]) => {
    if (id === undefined) return [];
    const answered = answers[id];
    return [parsedLazily(description, { id, line, answered: isObject(answered) ? answered : {} })];
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
