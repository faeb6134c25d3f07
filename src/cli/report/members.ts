import { PLANNED } from "../../provider/describe/effects";
import { type Change } from "./changes";

/** What a set announces of its members. */
export interface AnnouncedPlan {
  /** The property that holds them. */
  readonly property: string;
  readonly numbers: Readonly<Record<keyof typeof PLANNED, number>>;
}

const FIRST_LINE = /^(?<property>\w+): (?<numbers>\d+ to .+)$/;

/** A line of a plan about a member that changes, or about the number of those that it does not list. */
const CHANGED = /^(?:[+~-] |… and \d+ more$)/;

/** The plan whose first line this is: `records: 1 to create, 2 to delete`. Undefined for any other line. */
export function planIn(line: string): AnnouncedPlan | undefined {
  const { property, numbers } = FIRST_LINE.exec(line)?.groups ?? {};
  if (property === undefined || numbers === undefined) return undefined;
  const parts = numbers.split(", ");
  const numberOf = (what: string) => parseInt(parts.find((part) => part.endsWith(` ${what}`)) ?? "0", 10);
  return {
    property,
    numbers: {
      add: numberOf(PLANNED.add),
      change: numberOf(PLANNED.change),
      remove: numberOf(PLANNED.remove),
      leave: numberOf(PLANNED.leave),
    },
  };
}

/**
 * Leaves out one of the two lists of a set's members. The lines that differ are complete, so they stay, and of the plan's list only the members that it
 * leaves to others. If the two are about other members, the plan's list stays: it deletes what a failed run has left, and changes nothing for a new key.
 */
export function membersOnce(
  subject: string,
  { messages, properties }: Pick<Change, "messages" | "properties">,
): Pick<Change, "messages" | "properties"> {
  const kept = [...properties];
  const news = messages.flatMap((message) => {
    const [first = "", ...lines] = message.split("\n");
    const plan = first.startsWith(`${subject}: `) ? planIn(first.slice(subject.length + 2)) : undefined;
    const at = kept.findIndex(({ path, added }) => path === plan?.property && added !== undefined);
    const { path = "", added = [], removed = [] } = kept[at] ?? {};
    if (plan === undefined || at < 0) return [message];
    const { add, change, remove, leave } = plan.numbers;
    if (added.length !== add + change || removed.length !== change + remove + leave) {
      kept[at] = { path };
      return [message];
    }
    const besides = lines.filter((line) => !CHANGED.test(line));
    return besides.length === 0 && leave === 0 ? [] : [[first, ...besides].join("\n")];
  });
  return { messages: news, properties: kept };
}
