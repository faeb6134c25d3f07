import { type AnyDescription, isCollection } from "../../provider/describe/define-collection";
import { PLANNED } from "../../provider/describe/effects";
import { type ReportedChange, type PropertyChange } from "./changes";

/** The plan that a set announces for its members. */
export interface AnnouncedPlan {
  /** The property that holds them. */
  readonly property: string;
  /** The input in which the program gives them, if it is another one. */
  readonly form: string | undefined;
  readonly numbers: Readonly<Record<keyof typeof PLANNED, number>>;
}

const FIRST_LINE = /^(?<property>\w+)(?: of (?<form>\w+))?: (?<numbers>\d+ to .+)$/;

/** A line of a plan about a member that changes, or about the number of those that it does not list. */
const CHANGED = /^(?:[+~-] |… and \d+ more$)/;

/** The plan whose first line this is: `records: 1 to create, 2 to delete`. Undefined for any other line. */
export function planIn(line: string): AnnouncedPlan | undefined {
  const { property, form, numbers } = FIRST_LINE.exec(line)?.groups ?? {};
  if (property === undefined || numbers === undefined) return undefined;
  const parts = numbers.split(", ");
  const numberOf = (what: string) => parseInt(parts.find((part) => part.endsWith(` ${what}`)) ?? "0", 10);
  return {
    property,
    form,
    numbers: {
      add: numberOf(PLANNED.add),
      change: numberOf(PLANNED.change),
      remove: numberOf(PLANNED.remove),
      leave: numberOf(PLANNED.leave),
    },
  };
}

/** The plan that the first line of a message about a resource announces. */
function planOf(message: string, subject: string): AnnouncedPlan | undefined {
  const [first = ""] = message.split("\n");
  return first.startsWith(`${subject}: `) ? planIn(first.slice(subject.length + 2)) : undefined;
}

/** The property that holds the members of a set, and the input in which the program gives them. */
export interface GivenMembers {
  readonly property: string;
  readonly form: string;
}

/** How the program gives the members: the full plugin compares another input too, and a plan names it. Undefined if it is the property itself. */
export function givenIn(
  description: AnyDescription | undefined,
  detailed: readonly string[],
  messages: readonly string[],
  subject: string,
): GivenMembers | undefined {
  if (description === undefined || !isCollection(description)) return undefined;
  const { property, forms } = description;
  const named = new Set([...detailed, ...messages.map((message) => planOf(message, subject)?.form)]);
  const form = forms.find((name) => name !== property && named.has(name));
  return form === undefined ? undefined : { property, form };
}

/** The changes by the inputs of the program. */
export function asGiven(changes: PropertyChange[], given: GivenMembers | undefined): PropertyChange[] {
  const named = changes.map((one) => (one.path === given?.property ? { ...one, path: given.form } : one));
  // The full plugin names both, if that is all it tells.
  return named.filter(({ path }, at) => named.findIndex((one) => one.path === path) === at);
}

/**
 * Leaves out one of the two lists of a set's members. The lines that differ are complete, so they stay, and of the plan's list only the members that it
 * leaves to others. If the two are about other members, the plan's list stays: it deletes what a failed run has left, and changes nothing for a new key.
 */
export function membersOnce(
  subject: string,
  { messages, properties }: Pick<ReportedChange, "messages" | "properties">,
): Pick<ReportedChange, "messages" | "properties"> {
  const kept = [...properties];
  const news = messages.flatMap((message) => {
    const [first = "", ...lines] = message.split("\n");
    const plan = planOf(message, subject);
    const form = plan?.form ?? plan?.property;
    const at = kept.findIndex(({ path, added }) => path === form && added !== undefined);
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
