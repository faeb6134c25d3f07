import { type CollectionDescription } from "../../describe/define-collection";
import { ANSWERED, IDS, LEFT } from "../../state/hidden-properties";
import { isObject, type Properties } from "../../state/values";
import { type Held, linesOf, parsedLazily, textOf } from "./member";

/** The members that exist, from the stored outputs. */
export function heldIn(description: CollectionDescription, outputs: Properties): Held[] {
  const ids = outputs[IDS];
  const idList = typeof ids === "string" && ids !== "" ? ids.split(",") : [];
  const answers = isObject(outputs[ANSWERED]) ? outputs[ANSWERED] : {};
  const left = Array.isArray(outputs[LEFT]) ? (outputs[LEFT] as unknown[]) : [];
  const lines = [
    ...linesOf(outputs[description.property]).map((line, index) => [idList[index], line]),
    ...left.map((entry) => (Array.isArray(entry) ? (entry as unknown[]) : [])),
  ];
  return lines.flatMap(([id, line]) => {
    if (typeof id !== "string" || typeof line !== "string") return [];
    const answered = answers[id];
    return [parsedLazily(description, { id, line, answered: isObject(answered) ? answered : {} })];
  });
}

/**
 * The outputs that keep members: the declared ones as text, with their ids in the same order. Members that exist and are no longer declared
 * are kept apart and encrypted: the program's secrets are known by their place, and these members have none in it.
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
