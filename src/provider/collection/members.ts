import { type Leaf, leavesOf } from "../describe/fields";
import { ANSWERED, IDS, LEFT } from "../state/hidden";
import { isObject, type Properties, same } from "../state/values";
import { answerOf } from "../state/answers";
import { type CollectionDescription, type Member } from "../describe/define-collection";

/** A member that is there. */
export interface Held extends Member {
  readonly id: string;
  readonly line: string;
  /** The inputs that the service keeps otherwise than they were sent. */
  readonly answered: Properties;
}

/** A member to be. */
export interface Wanted extends Member {
  readonly line: string;
}

/** Members as one text: each line has its end, so that the engine shows no change of the last one when another follows. */
export const textOf = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join("");

export const linesOf = (text: unknown): string[] =>
  typeof text === "string" ? text.split("\n").slice(0, -1) : [];

/** The members that a text declares. They are read out of their lines when they are looked at: most are not. */
export const wantedIn = (collection: CollectionDescription, text: unknown): Wanted[] =>
  linesOf(text).map((line) => lazily(collection, { line }));

/** The members that are there, from the stored outputs. */
export function heldIn(collection: CollectionDescription, outputs: Properties): Held[] {
  const ids = outputs[IDS];
  const idList = typeof ids === "string" && ids !== "" ? ids.split(",") : [];
  const answers = isObject(outputs[ANSWERED]) ? outputs[ANSWERED] : {};
  const left = Array.isArray(outputs[LEFT]) ? (outputs[LEFT] as unknown[]) : [];
  const lines = [
    ...linesOf(outputs[collection.property]).map((line, index) => [idList[index], line]),
    ...left.map((entry) => (Array.isArray(entry) ? (entry as unknown[]) : [])),
  ];
  return lines.flatMap(([id, line]) => {
    if (typeof id !== "string" || typeof line !== "string") return [];
    const answered = answers[id];
    return [lazily(collection, { id, line, answered: isObject(answered) ? answered : {} })];
  });
}

/**
 * The outputs that keep members: as text those that are declared, with their ids in the same order. What is there and no longer declared
 * is kept apart and encrypted: the program's secrets are known by their place, and what it no longer says has none.
 */
export function outputsFor(
  { property }: CollectionDescription,
  held: readonly Held[],
  declared: readonly string[] = held.map(({ line }) => line),
): Properties {
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
    [property]: textOf(kept.map(({ line }) => line)),
    [IDS]: kept.map(({ id }) => id).join(","),
    ...(answered.length > 0
      ? { [ANSWERED]: Object.fromEntries(answered.map((member) => [member.id, member.answered])) }
      : {}),
    ...(left.length > 0 ? { [LEFT]: left.map(({ id, line }) => [id, line]) } : {}),
  };
}

/** A member as the answer to what was sent shows it. */
export function heldFrom(collection: CollectionDescription, member: Member, reply: Properties): Held {
  const { item } = collection;
  const shown = answerOf(item, reply);
  const answered: Properties = {};
  for (const leaf of leavesByPath(collection, member.inputs)) {
    const live = shown[leaf.path];
    if (live !== undefined && !equal(leaf, member.inputs[leaf.path], live)) answered[leaf.path] = live;
  }
  return { ...plain(member), id: item.idOf(reply), line: collection.write(member), answered };
}

/** A member as it is now, with the live value in place of each input that has drifted. */
export function drifted(collection: CollectionDescription, member: Held, reply: Properties): Held {
  const shown = answerOf(collection.item, reply);
  const changes: Properties = {};
  for (const leaf of leavesByPath(collection, member.inputs)) {
    const { path } = leaf;
    const before = path in member.answered ? member.answered[path] : member.inputs[path];
    const live = shown[path];
    if (live !== undefined && !equal(leaf, before, live)) changes[path] = live;
  }
  const paths = Object.keys(changes);
  if (paths.length === 0) return member;
  const cleared = paths.filter((path) => changes[path] === null || changes[path] === "");
  const inputs = without({ ...member.inputs, ...changes }, cleared);
  const moved = { ...plain(member), inputs };
  return {
    ...moved,
    id: member.id,
    line: collection.write(moved),
    answered: without(member.answered, paths),
  };
}

/** An object that the program does not declare. */
export function strangerFrom(collection: CollectionDescription, reply: Properties): Held {
  const inputs = collection.inputsOf(answerOf(collection.item, reply));
  return { inputs, id: collection.item.idOf(reply), line: collection.write({ inputs }), answered: {} };
}

/** Whether an object is the one that is wanted, by what tells one from another. */
export const identityOf = ({ tells }: CollectionDescription, inputs: Properties): string =>
  JSON.stringify(tells.map((field) => inputs[field] ?? null));

const plain = ({ key, inputs }: Member): Member => (key === undefined ? { inputs } : { key, inputs });

const without = (properties: Properties, paths: readonly string[]): Properties =>
  Object.fromEntries(Object.entries(properties).filter(([path]) => !paths.includes(path)));

const equal = ({ comparison }: Leaf, a: unknown, b: unknown): boolean => a === b || same(comparison, a, b);

/** The fields that a member sets. */
function leavesByPath({ item }: CollectionDescription, inputs: Properties): Leaf[] {
  return leavesOf(item.fields).filter(({ path }) => inputs[path] !== undefined);
}

/** Reads the line when what it says is asked for. */
function lazily<Rest extends { readonly line: string }>(
  collection: CollectionDescription,
  rest: Rest,
): Rest & Member {
  let parsed: Member | undefined;
  const read = () => (parsed ??= collection.parse(rest.line));
  return Object.defineProperties({ ...rest } as Rest & Member, {
    key: { get: () => read().key, enumerable: true },
    inputs: { get: () => read().inputs, enumerable: true },
  });
}
