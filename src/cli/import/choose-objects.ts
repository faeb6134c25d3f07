import { isCollection } from "../../provider/describe/define-collection";
import { formatId } from "../../provider/describe/define-resource";
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
    const reason = reasonAgainst(live, object, { account, owners, managed, wanted });
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

function reasonAgainst(live: LiveObject, object: AccountObject, around: Around): string | undefined {
  const { account, owners, managed, wanted } = around;
  const { description, reply } = live;
  if (!isManageable(description, reply)) return "it is not the account's own, so no program can manage it";
  if (isDeclared(live, wanted.declared)) return "the program imports it already: run `pulumi up`";
  const entry = wanted.ignored.find(
    (one) => (one.until === undefined || one.until >= wanted.today) && matcherOf(one)(object),
  );
  if (entry !== undefined) return `the ignore file names it: ${entry.reason}`;
  if (wanted.only?.has(object.type) === false) return "--only leaves it out";
  const root = rootOf(account, live);
  if (wanted.match !== undefined && !isMatched(accountObject(account, root, owners), wanted.match)) {
    return "--match leaves it out";
  }
  const set = setThatOwns(managed, live);
  return set === undefined
    ? undefined
    : `the exclusive set ${set} owns it, and the next \`pulumi up\` deletes it`;
}

/** Whether the program imports an object, alone or in a set. */
function isDeclared({ description, ref, shown }: LiveObject, declared: ReadonlySet<string>): boolean {
  if (declared.has(keyOf(description.type, formatId(ref)))) return true;
  return collections.some((set) => {
    if (set.item.type !== description.type) return false;
    return [...declared].some((key) => {
      const [type, id = ""] = key.split(" ");
      const scope = type === set.type ? set.fromId(id) : undefined;
      return (
        scope?.[description.id.parent ?? ""] === ref.parent && set.covers(scope ?? {}, set.inputsOf(shown))
      );
    });
  });
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

const isMatched = (object: AccountObject, patterns: readonly string[]): boolean =>
  patterns.some((pattern) =>
    pattern.startsWith(TAG)
      ? matcherOf({ tags: [pattern.slice(TAG.length)] })(object)
      : matcherOf({ label: pattern })(object) || matcherOf({ id: pattern })(object),
  );

/** The name of the set that would delete a record that it does not declare. */
function setThatOwns(
  managed: readonly Managed[],
  { description, ref, shown }: LiveObject,
): string | undefined {
  const owner = managed.find(({ description: set, resource }) => {
    if (!isCollection(set) || set.item.type !== description.type || resource.isLeaving) return false;
    const { outputs } = resource;
    const parent = description.id.parent ?? "";
    return (
      outputs[set.exclusive] === true &&
      String(outputs[parent]) === ref.parent &&
      set.covers(outputs, set.inputsOf(shown))
    );
  });
  return owner?.resource.urn.split("::").at(-1);
}
