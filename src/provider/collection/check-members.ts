import { type Description, type Failure, refused } from "../describe/define-resource";
import { type InputsChecked, checkInputs } from "../inputs/check-inputs";
import { shortened } from "../kind/warnings";
import { withoutQuotes } from "../state/secret-inputs";
import { type Call } from "../state/call";
import { hasUnknown, type Properties } from "../base/values";
import {
  type CollectionDescription,
  type Entries,
  type Entry,
  type Member,
} from "../describe/define-collection";
import { identityOf, linesOf, textOf } from "../state/members";
import { isGuarded } from "./members/secrets";
import { cached } from "../../api/cached";

interface CheckedMembers extends InputsChecked {
  /** The members as the state keeps them. */
  readonly text: string;
}

/** Checks the members that a program declares, or those that exist already and are adopted. */
export function checkMembers(
  description: CollectionDescription,
  olds: Properties,
  call: Call,
  { entries, failures }: Entries,
  isAdopted: boolean,
): CheckedMembers {
  const { property, maxMembers: most } = description;
  const { inputs } = call;
  if (failures.length > 0) return { text: "", failures: few(failures), warnings: [] };
  if (entries.length > most) {
    const reason = `has ${entries.length} items; the service keeps at most ${most}`;
    return { text: "", failures: [{ property, reason }], warnings: [] };
  }
  const lines = entries.map((entry) => description.write(entry));
  const text = textOf([...lines].sort());
  // Members that were checked before need no second check: there may be thousands.
  if (text === olds[property] && description.scope.every((path) => inputs[path] === olds[path]))
    return { text, failures, warnings: [] };
  const known = new Set(linesOf(olds[property]));
  const suspects = entries.filter((_, index) => !known.has(lines[index] ?? ""));
  const formerly = formerOf(description, olds, lines);
  const examined = suspects.map((entry) => {
    const former = formerly(entry) ?? {};
    return examine(description, former, entry, isAdopted, isGuarded(call) ? () => true : undefined);
  });
  return {
    text,
    warnings: few(examined.flatMap(({ warnings }) => warnings)),
    failures: few([
      ...examined.flatMap(({ failures: found }) => found),
      ...outside(description, call, entries),
      ...equalMembers(description, entries),
    ]),
  };
}

/** The members of a text of the state. `ignoreChanges` hands it over in place of the program's members. */
export const entriesIn = (description: CollectionDescription, text: unknown): Entries => ({
  entries: linesOf(text).map((line) => ({
    ...description.parse(line),
    path: `${description.property}: ${line}`,
  })),
  failures: [],
});

function examine(
  { item }: CollectionDescription,
  former: Properties,
  { path, inputs }: Entry,
  isAdopted: boolean,
  isSecret?: () => boolean,
): InputsChecked {
  const { failures, warnings } = checkInputs(asMember(item), former, { inputs }, { isAdopted, isSecret });
  const within = ({ property, reason }: Failure): Failure => ({ property: `${path}.${property}`, reason });
  return { failures: failures.map(within), warnings: warnings.map(within) };
}

const members = new WeakMap<Description, Description>();

/** The description of an object in a collection, without the input for the parent's id. It is made once, so that its leaves are computed once. */
const asMember = (item: Description): Description =>
  cached(members, item, () => {
    const fields = Object.entries(item.fields).filter(([name]) => name !== item.id.parent);
    return { ...item, fields: Object.fromEntries(fields) };
  });

/** Finds what a changed member was before: by its key, or else by its identity. A member that did not change is no candidate. */
function formerOf(
  description: CollectionDescription,
  olds: Properties,
  lines: readonly string[],
): (member: Member) => Properties | undefined {
  const kept = new Set(lines);
  const tell = ({ key, inputs }: Member) =>
    key ?? JSON.stringify(description.item.identity.map((path) => inputs[path]));
  const formers = new Map(
    linesOf(olds[description.property]).flatMap((line) => {
      if (kept.has(line)) return [];
      const former = description.parse(line);
      return [[tell(former), former.inputs] as const];
    }),
  );
  return (member) => formers.get(tell(member));
}

/** Refuses members that the resource does not cover. */
function outside(description: CollectionDescription, call: Call, entries: readonly Entry[]): Failure[] {
  return entries.flatMap((entry) => {
    if (description.covers(call.inputs, entry.inputs)) return [];
    const reason = description.uncovered(call.inputs, entry.inputs);
    return [{ property: entry.path, reason: isGuarded(call) ? withoutQuotes(reason) : reason }];
  });
}

/** Refuses two equal members: the service may keep both, and nothing tells them apart. */
function equalMembers(description: CollectionDescription, entries: readonly Entry[]): Failure[] {
  const first = new Map<string, string>();
  return entries.flatMap(({ path, inputs }) => {
    if (hasUnknown(inputs)) return [];
    const identity = identityOf(description, inputs);
    const other = first.get(identity);
    if (other === undefined) first.set(identity, path);
    return other === undefined
      ? []
      : refused(path, `is equal to ${other}; remove one of them`, "DECLARED_TWICE");
  });
}

function few(failures: readonly Failure[]): readonly Failure[] {
  const texts = shortened(failures.map(({ property, reason }) => `${property} ${reason}`));
  if (texts.length === failures.length) return failures;
  return [...failures.slice(0, texts.length - 1), { property: "", reason: String(texts.at(-1)) }];
}
