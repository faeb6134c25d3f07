import { isCollection } from "../../provider/describe/define-collection";
import { formatId } from "../../provider/describe/define-resource";
import { nameInUrn } from "../../provider/describe/urn";
import { type Account } from "../account/accounts";
import { isManageable, keyOf, type LiveObject } from "../account/list-account";
import { accountObject } from "../drift/account-object";
import { type AccountObject } from "../drift/findings";
import { matcherOf } from "../drift/ignore/ignore";
import { type IgnoreEntry } from "../drift/ignore/parse";
import { type Managed, ManagedObjects } from "../drift/managed";
import { collections } from "./collections";

/** An object of the account that the program gets no resource for. */
export interface LeftOut {
  readonly object: AccountObject;
  readonly reason: string;
}

/** Which objects of an account to write. */
export interface Wanted {
  /** The classes to write. Absent: all. */
  readonly only?: ReadonlySet<string>;
  /** Patterns of labels, ids and, after `tag:`, tags. Absent: every object. */
  readonly match?: readonly string[];
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

/** The lists are read at the same time, so their order is not certain. */
const order = new Intl.Collator("en", { numeric: true });

/** Chooses the objects of an account that no stack manages and that a program should manage. */
export function chooseObjects(account: Account, managed: readonly Managed[], wanted: Wanted): Chosen {
  const owners = new ManagedObjects(managed);
  const reasonAgainst = reasonsAgainst({ account, owners, managed, wanted });
  const sorted = [...account.objects.values()].sort(
    (one, other) =>
      order.compare(one.description.type, other.description.type) ||
      order.compare(formatId(one.ref), formatId(other.ref)),
  );
  const objects: LiveObject[] = [];
  const leftOut: LeftOut[] = [];
  for (const live of sorted) {
    if (owners.has(account, keyOf(live.description.type, formatId(live.ref)))) continue;
    const object = accountObject(account, live, owners);
    const reason = reasonAgainst(live, object);
    if (reason === undefined) objects.push(live);
    else leftOut.push({ object, reason });
  }
  return { objects, leftOut };
}

interface Around {
  readonly account: Account;
  readonly owners: ManagedObjects;
  readonly managed: readonly Managed[];
  readonly wanted: Wanted;
}

/** Tells why the program gets no resource for an object. Undefined if it gets one. */
function reasonsAgainst({ account, owners, managed, wanted }: Around) {
  const ignored = wanted.ignored
    .filter(({ until }) => until === undefined || until >= wanted.today)
    .map((entry) => ({ ...entry, matches: matcherOf(entry) }));
  const isMatched = wanted.match === undefined ? undefined : anyOf(wanted.match);
  const isDeclared = declaredBy(wanted.declared, managed);
  const ownerOf = exclusiveOwners(account, managed);
  return (live: LiveObject, object: AccountObject): string | undefined => {
    const { description, reply } = live;
    if (!isManageable(description, reply)) return "it is not the account's own, so no program can manage it";
    if (isDeclared(live)) return "the program imports it already: run `pulumi up`";
    const entry = ignored.find(({ matches }) => matches(object));
    if (entry !== undefined) return `the ignore file names it: ${entry.reason}`;
    if (wanted.only?.has(object.type) === false) return "--only leaves it out";
    if (isMatched?.(accountObject(account, rootOf(account, live), owners)) === false) {
      return "--match leaves it out";
    }
    const set = ownerOf(live);
    if (set !== undefined) return `the exclusive set ${set} owns it, and the next \`pulumi up\` deletes it`;
    const status = busyStatus(live);
    return status && `its status is ${status}: run this command again when that has ended`;
  };
}

/** The status of an object that is changing: its values soon differ from what a program would declare. */
function busyStatus({ description, reply }: LiveObject): string | undefined {
  const { status } = reply;
  return typeof status === "string" && description.statuses?.busy.includes(status) === true
    ? status
    : undefined;
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
  return ({ description, ref, shown }: LiveObject): boolean =>
    declared.has(keyOf(description.type, formatId(ref))) ||
    scopes.some(
      ({ set, scope }) =>
        set.item.type === description.type &&
        scope[description.id.parent ?? ""] === ref.parent &&
        set.covers(scope, set.inputsOf(shown)),
    );
}

/** The object at the top, such as the domain of a record. */
function rootOf(account: Account, live: LiveObject): LiveObject {
  const parent = parentObject(account, live);
  return parent === undefined ? live : rootOf(account, parent);
}

/** The object that an object is below. Undefined if it is below none, or if that was not listed. */
export function parentObject(
  { objects }: Pick<Account, "objects">,
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
function exclusiveOwners(
  { endpoint }: Account,
  managed: readonly Managed[],
): (live: LiveObject) => string | undefined {
  const ofAccount = managed.filter(({ connection }) => connection.endpoint === endpoint);
  const sets = ofAccount.flatMap(({ description: set, resource }) =>
    isCollection(set) && !resource.isLeaving && resource.outputs[set.exclusive] === true
      ? [{ set, outputs: resource.outputs, name: nameInUrn(resource.urn) }]
      : [],
  );
  return ({ description, ref, shown }) =>
    sets.find(
      ({ set, outputs }) =>
        set.item.type === description.type &&
        String(outputs[description.id.parent ?? ""]) === ref.parent &&
        set.covers(outputs, set.inputsOf(shown)),
    )?.name;
}
