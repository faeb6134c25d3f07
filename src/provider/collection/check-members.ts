import { type Description, type Failure } from "../describe/define-resource";
import { type InputsChecked, checkInputs } from "../inputs/check-inputs";
import { shortened } from "../engine/warnings";
import { withoutQuotes } from "../state/secret-inputs";
import { type Call } from "../state/call";
import { hasUnknown, type Properties } from "../state/values";
import {
  type CollectionDescription,
  type Entries,
  type Entry,
  type Member,
} from "../describe/define-collection";
import { identityOf, linesOf, textOf } from "./members/member";

interface Checked extends InputsChecked {
  /** The members as the state keeps them. */
  readonly text: string;
}

interface Manner {
  /** Whether one of the members may be a secret. */
  readonly guarded: boolean;
  /** Whether the members exist already and are adopted. */
  readonly adopted: boolean;
}

/** Checks the members that a program declares. */
export function checkMembers(
  description: CollectionDescription,
  olds: Properties,
  { inputs }: Call,
  given: Entries,
  manner: Manner,
): Checked {
  const { property, maxMembers: most } = description;
  const { entries, failures } = given;
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
  const examined = suspects.map((entry) => examineMember(description, formerly(entry), entry, manner));
  return {
    text,
    warnings: few(examined.flatMap(({ warnings }) => warnings)),
    failures: few([
      ...examined.flatMap(({ failures: found }) => found),
      ...outside(description, inputs, entries, manner),
      ...doubles(description, entries),
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

function examineMember(
  { item }: CollectionDescription,
  former: Properties | undefined,
  { path, inputs }: Entry,
  { guarded, adopted }: Manner,
): InputsChecked {
  const { failures, warnings } = checkInputs(
    asMember(item),
    former ?? {},
    { inputs },
    adopted,
    guarded ? () => true : undefined,
  );
  const within = ({ property, reason }: Failure): Failure => ({ property: `${path}.${property}`, reason });
  return { failures: failures.map(within), warnings: warnings.map(within) };
}

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

const members = new WeakMap<Description, Description>();

/** The description of an object in a collection, without the input for the parent's id. It is made once, so that its leaves are computed once. */
function asMember(item: Description): Description {
  const known = members.get(item);
  if (known !== undefined) return known;
  const fields = Object.fromEntries(Object.entries(item.fields).filter(([name]) => name !== item.id.parent));
  const member = { ...item, fields };
  members.set(item, member);
  return member;
}

/** Refuses members that the resource does not cover. */
function outside(
  description: CollectionDescription,
  inputs: Properties,
  entries: readonly Entry[],
  { guarded }: Manner,
): Failure[] {
  return entries.flatMap((entry) => {
    if (description.covers(inputs, entry.inputs)) return [];
    const reason = description.uncovered(inputs, entry.inputs);
    return [{ property: entry.path, reason: guarded ? withoutQuotes(reason) : reason }];
  });
}

/** Refuses two equal members: the service may keep both, and nothing tells them apart. */
function doubles(description: CollectionDescription, entries: readonly Entry[]): Failure[] {
  const first = new Map<string, string>();
  return entries.flatMap(({ path, inputs }) => {
    if (hasUnknown(inputs)) return [];
    const identity = identityOf(description, inputs);
    const other = first.get(identity);
    if (other === undefined) first.set(identity, path);
    return other === undefined
      ? []
      : [{ property: path, reason: `is equal to ${other}; remove one of them` }];
  });
}

function few(failures: readonly Failure[]): readonly Failure[] {
  const texts = shortened(failures.map(({ property, reason }) => `${property} ${reason}`));
  if (texts.length === failures.length) return failures;
  return [...failures.slice(0, texts.length - 1), { property: "", reason: String(texts.at(-1)) }];
}
