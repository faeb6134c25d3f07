import { type CollectionDescription, isCollection } from "../../provider/describe/define-collection";
import { nameInUrn } from "../../provider/describe/urn";
import { type Properties } from "../../provider/base/values";
import { type ServiceAccount } from "../account/accounts";
import { keyOf, type LiveObject } from "../account/list-account";
import { accountObject } from "../drift/account-object";
import { type AccountObject } from "../drift/findings";
import { matcherOf } from "../drift/ignore/ignore";
import { type IgnoreEntry } from "../drift/ignore/parse";
import { type Managed, ManagedObjects } from "../drift/managed";
import { byKeys } from "../in-order";
import { collections } from "./collections";

/** An object of the account that the program gets no resource for. */
export interface LeftOut {
  readonly object: AccountObject;
  readonly reason: string;
}

/** Which objects of an account to write. */
export interface WantedObjects {
  /** The classes to write. Absent: all. */
  readonly only?: ReadonlySet<string> | undefined;
  /** Patterns of labels, ids and, after `tag:`, tags. Absent: every object. */
  readonly match?: readonly string[] | undefined;
  readonly ignored: readonly IgnoreEntry[];
  /** The day that decides which entries of the ignore file still hold: `2027-01-31`. */
  readonly today: string;
  /** The objects that the program imports already, by type and id. */
  readonly declared: ReadonlySet<string>;
}

export interface Chosen {
  readonly objects: readonly LiveObject[];
  readonly leftOut: readonly LeftOut[];
}

/** Chooses the objects of an account that no stack manages and that a program should manage. */
export function chooseObjects(
  account: ServiceAccount,
  managed: readonly Managed[],
  wanted: WantedObjects,
): Chosen {
  const owners = new ManagedObjects(managed);
  const ignored = wanted.ignored
    .filter(({ until }) => until === undefined || until >= wanted.today)
    .map((entry) => ({ ...entry, matches: matcherOf(entry) }));
  const isMatched = wanted.match && anyOf(wanted.match);
  const isDeclared = declaredBy(wanted.declared, managed);
  const ownerOf = exclusiveOwners(account, managed);
  /** Why the program gets no resource for an object. Undefined if it gets one. */
  const reasonAgainst = (live: LiveObject, object: AccountObject): string | undefined => {
    if (isDeclared(live)) return "the program imports it already: run `pulumi up`";
    const entry = ignored.find(({ matches }) => matches(object));
    if (entry !== undefined) return `the ignore file names it: ${entry.reason}`;
    if (wanted.only?.has(object.type) === false) return "--only leaves it out";
    if (isMatched?.(accountObject(account, rootOf(account, live), owners)) === false)
      return "--match leaves it out";
    const set = ownerOf(live);
    if (set !== undefined) return `the exclusive set ${set} owns it, and the next \`pulumi up\` deletes it`;
    const { status } = live.reply;
    // Its values soon differ from what a program would declare.
    if (live.description.statuses?.busy.includes(String(status)) === true)
      return `its status is ${String(status)}: wait until that has ended, delete what this run has written, and run it again`;
    return undefined;
  };
  const judged = [...account.objects.values()]
    // The service's own images are in each account.
    .filter(({ key, isManageable }) => isManageable && !owners.has(account, key))
    // The lists are read at the same time, so their order is not certain.
    .sort(byKeys(({ description, id }) => [description.type, id]))
    .map((live) => {
      const object = accountObject(account, live, owners);
      return { live, object, reason: reasonAgainst(live, object) };
    });
  return {
    objects: judged.flatMap(({ live, reason }) => (reason === undefined ? [live] : [])),
    leftOut: judged.flatMap(({ object, reason }) => (reason === undefined ? [] : [{ object, reason }])),
  };
}

/** Tells whether the program imports an object, alone or in a set that it has not adopted yet. */
function declaredBy(declared: ReadonlySet<string>, managed: readonly Managed[]) {
  const adopted = new Set(managed.map(({ description, resource }) => keyOf(description.type, resource.id)));
  const scopes = [...declared].flatMap((key) => {
    const [type, id = ""] = key.split(" ");
    const set = adopted.has(key) ? undefined : collections.find((one) => one.type === type);
    const scope = set?.fromId(id);
    return set === undefined || scope === undefined ? [] : [{ set, scope }];
  });
  return (live: LiveObject): boolean =>
    declared.has(live.key) || scopes.some(({ set, scope }) => isCovered(live, set, scope));
}

/** Whether a set with these inputs covers an object. */
const isCovered = (
  { description: { type, id }, ref, shown }: LiveObject,
  set: CollectionDescription,
  inputs: Properties,
): boolean =>
  set.item.type === type &&
  String(inputs[id.parent ?? ""]) === ref.parent &&
  set.covers(inputs, set.inputsOf(shown));

/** The object at the top, such as the domain of a record. */
function rootOf(account: ServiceAccount, live: LiveObject): LiveObject {
  const parent = parentObject(account, live);
  return parent === undefined ? live : rootOf(account, parent);
}

/** The object that an object is below. Undefined if it is below none, or if that was not listed. */
export function parentObject(
  { objects }: ServiceAccount,
  { description, ref }: LiveObject,
): LiveObject | undefined {
  const { parentType } = description.id;
  if (parentType === undefined || ref.parent === undefined) return undefined;
  return objects.get(keyOf(parentType, ref.parent));
}

const TAG = "tag:";

/** Tells whether an object matches one of these patterns. */
function anyOf(patterns: readonly string[]): (object: AccountObject) => boolean {
  const matchers = patterns.flatMap((pattern) =>
    pattern.startsWith(TAG)
      ? [matcherOf({ tags: [pattern.slice(TAG.length)] })]
      : [matcherOf({ label: pattern }), matcherOf({ id: pattern })],
  );
  return (object) => matchers.some((matches) => matches(object));
}

/** Finds the name of the set that would delete an object that it does not declare. */
function exclusiveOwners({ endpoint }: ServiceAccount, managed: readonly Managed[]) {
  const sets = managed.flatMap(({ description: set, resource: { isLeaving, outputs, urn }, connection }) =>
    isCollection(set) && connection.endpoint === endpoint && !isLeaving && outputs[set.exclusive] === true
      ? [{ set, outputs, name: nameInUrn(urn) }]
      : [],
  );
  return (live: LiveObject): string | undefined =>
    sets.find(({ set, outputs }) => isCovered(live, set, outputs))?.name;
}
