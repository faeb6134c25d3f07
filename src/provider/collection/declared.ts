import { type Description, type Failure } from "../describe/define-resource";
import { type Examined, examine } from "../hooks/examine";
import { shortened } from "../engine/warnings";
import { withoutQuotes } from "../state/secret-inputs";
import { hasUnknown, type Properties } from "../state/values";
import {
  type CollectionDescription,
  type Entries,
  type Entry,
  type Member,
} from "../describe/define-collection";
import { identityOf, linesOf, textOf } from "./members";

interface Declared extends Examined {
  readonly text: string;
}

/** How the program gives the members. */
interface Manner {
  /** Whether one of them may be a secret. */
  readonly guarded: boolean;
  /** Whether they are there already, and to be adopted. */
  readonly adopted: boolean;
}

/** The members that a program declares, as the text that the state keeps; or what is wrong with them. */
export function declare(
  collection: CollectionDescription,
  olds: Properties,
  inputs: Properties,
  given: Entries,
  manner: Manner,
): Declared {
  const { property, most } = collection;
  const { entries, failures } = given;
  if (failures.length > 0) return { text: "", failures: few(failures), warnings: [] };
  if (entries.length > most) {
    const reason = `must be at most ${most}, which is what the service keeps, and are ${entries.length}`;
    return { text: "", failures: [{ property, reason }], warnings: [] };
  }
  const lines = entries.map((entry) => collection.write(entry));
  const text = textOf([...lines].sort());
  // What has been held to the rules before needs it no more: there may be thousands.
  if (text === olds[property] && collection.scope.every((path) => inputs[path] === olds[path]))
    return { text, failures, warnings: [] };
  const known = new Set(linesOf(olds[property]));
  const suspects = entries.filter((_, index) => !known.has(lines[index] ?? ""));
  const formerly = formerOf(collection, olds, lines);
  const examined = suspects.map((entry) => examineMember(collection, formerly(entry), entry, manner));
  return {
    text,
    warnings: few(examined.flatMap(({ warnings }) => warnings)),
    failures: few([
      ...examined.flatMap(({ failures: found }) => found),
      ...entries.flatMap((entry) =>
        collection.covers(inputs, entry.inputs)
          ? []
          : [{ property: entry.path, reason: collection.uncovered }],
      ),
      ...doubles(collection, entries),
    ]),
  };
}

/** The members of a text of the state, which `ignoreChanges` hands over in place of the program's. */
export const entriesIn = (collection: CollectionDescription, text: unknown): Entries => ({
  entries: linesOf(text).map((line) => ({
    ...collection.parse(line),
    path: `${collection.property}: ${line}`,
  })),
  failures: [],
});

function examineMember(
  { item }: CollectionDescription,
  former: Properties | undefined,
  { path, inputs }: Entry,
  { guarded, adopted }: Manner,
): Examined {
  const { failures, warnings } = examine(asMember(item), former ?? {}, inputs, adopted);
  const within = ({ property, reason }: Failure): Failure => ({
    property: `${path}.${property}`,
    reason: guarded ? withoutQuotes(reason) : reason,
  });
  return { failures: failures.map(within), warnings: warnings.map(within) };
}

/** Finds what a changed member was before: by its key, or else by its identity. Members that did not change were nobody's former self. */
function formerOf(
  collection: CollectionDescription,
  olds: Properties,
  lines: readonly string[],
): (member: Member) => Properties | undefined {
  const kept = new Set(lines);
  const tell = ({ key, inputs }: Member) =>
    key ?? JSON.stringify(collection.item.identity.map((path) => inputs[path]));
  const formers = new Map(
    linesOf(olds[collection.property]).flatMap((line) => {
      if (kept.has(line)) return [];
      const former = collection.parse(line);
      return [[tell(former), former.inputs] as const];
    }),
  );
  return (member) => formers.get(tell(member));
}

const members = new WeakMap<Description, Description>();

/** The description of an object within a collection, which has its parent's id: one for all, since what its fields come to is kept. */
function asMember(item: Description): Description {
  const known = members.get(item);
  if (known !== undefined) return known;
  const fields = Object.fromEntries(Object.entries(item.fields).filter(([name]) => name !== item.id.parent));
  const member = { ...item, fields };
  members.set(item, member);
  return member;
}

/** The service may keep two of the same, and nothing could tell them apart. */
function doubles(collection: CollectionDescription, entries: readonly Entry[]): Failure[] {
  const first = new Map<string, string>();
  return entries.flatMap(({ path, inputs }) => {
    if (hasUnknown(inputs)) return [];
    const identity = identityOf(collection, inputs);
    const other = first.get(identity);
    if (other === undefined) first.set(identity, path);
    return other === undefined ? [] : [{ property: path, reason: `is the same as ${other}` }];
  });
}

function few(failures: readonly Failure[]): readonly Failure[] {
  const texts = shortened(failures.map(({ property, reason }) => `${property} ${reason}`));
  if (texts.length === failures.length) return failures;
  return [...failures.slice(0, texts.length - 1), { property: "", reason: String(texts.at(-1)) }];
}
