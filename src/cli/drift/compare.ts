import { isNodeCloudError } from "../../api/errors";
import { heldIn } from "../../provider/state/members";
import { isGuarded } from "../../provider/collection/members/secrets";
import { type CollectionDescription, isCollection } from "../../provider/describe/define-collection";
import { type Description, parseId } from "../../provider/describe/define-resource";
import { leavesOf } from "../../provider/describe/fields";
import { type State } from "../../provider/state/call";
import { mayBeMadeOf } from "../../provider/ownership/compare-with-import";
import { isSecretAt } from "../../provider/state/secret-inputs";
import { contains, parsePath } from "../../provider/base/property-paths";
import { same } from "../../provider/base/values";
import { type ServiceAccount } from "../account/accounts";
import { keyOf } from "../account/list-account";
import { describedObject } from "./account-object";
import { type ChangedMember, type ChangedProperty } from "./findings";
import { type Gap } from "../stacks/names-and-gaps";
import { type ReadResource } from "./listed-reads";
import { type Managed, type ManagedObjects } from "./managed";
import { type ListedObject, type PartFinding, withoutAccount } from "./part";

/** The result of comparing a resource with its account. */
export interface ComparedWithAccount {
  readonly finding?: PartFinding;
  /** Their texts do not name the account. */
  readonly gaps: readonly Gap[];
}

const NOTHING: ComparedWithAccount = { gaps: [] };

/** Compares the state of a resource with what a refresh of it reads. */
export async function compareResource(
  managed: Managed,
  account: ServiceAccount,
  objects: ManagedObjects,
  read: ReadResource,
): Promise<ComparedWithAccount> {
  const { description, resource, state, parent } = managed;
  const { type } = managed.item;
  const isGone = parent !== undefined && account.isGone(type, parent);
  if (resource.isLeaving || parseId(description, resource.id) === undefined) return NOTHING;
  // A list that was not read is among the gaps.
  if (!isGone && !account.isListed(type, parent)) return NOTHING;
  try {
    const isSealed = isCollection(description) && resource.sealed.has(description.property);
    const found = isGone && isCollection(description) ? undefined : isSealed ? managed : await read(managed);
    const about = aboutOf(managed, account, objects, found?.state ?? state);
    if (found === undefined) return { ...NOTHING, finding: { kind: "deleted", ...about } };
    if (!isCollection(description)) {
      const properties = changedProperties({ ...managed, description }, found.state);
      return properties.length === 0
        ? NOTHING
        : { ...NOTHING, finding: { kind: "changed", ...about, properties } };
    }
    const key = (id: string) => keyOf(type, `${parent}/${id}`);
    if (isSealed) return { ...NOTHING, ...lackingMembers(managed, account, about) };
    const isOwned = (id: string) => objects.has(account, key(id));
    const { members, added } = changedMembers({ ...managed, description }, found.state, isOwned);
    if (members.length === 0) return NOTHING;
    return { ...NOTHING, finding: { kind: "changed", ...about, members, added: added.map(key) } };
  } catch (error) {
    if (!isNodeCloudError(error)) throw error;
    return { ...NOTHING, gaps: [{ what: `${description.type} ${resource.id}`, reason: error.message }] };
  }
}

/** The object of a finding. A set has the name of its parent. */
function aboutOf(managed: Managed, account: ServiceAccount, objects: ManagedObjects, { outputs }: State) {
  const { description, resource, item, parent = "" } = managed;
  const above = account.objects.get(keyOf(item.id.parentType ?? "", parent));
  const { type } = description;
  const [named, shown] = isCollection(description)
    ? [{ type, identity: above?.description.identity ?? [] }, above?.shown ?? {}]
    : [description, outputs];
  return withoutAccount(describedObject(account, named, resource.id, shown, objects));
}

/** Whether the program leaves an input as it is. */
const isIgnored = ({ ignored }: Managed["resource"], path: string): boolean =>
  ignored.some((one) => contains(one, parsePath(path) ?? [path]));

/** The inputs whose live values differ from those that the stack set, except those that the program leaves as they are. */
function changedProperties(
  { description, state, secrets, resource }: Managed & { readonly description: Description },
  { sent }: State,
): ChangedProperty[] {
  return leavesOf(description.fields).flatMap(({ path, comparison }): ChangedProperty[] => {
    const [expected, live] = [state.sent.get(path) ?? undefined, sent.get(path) ?? undefined];
    if (same(comparison, expected, live) || isIgnored(resource, path)) return [];
    if (isSecretAt(secrets, path)) return resource.sealed.size > 0 ? [] : [{ path, secret: true }];
    return [{ path, ...(expected !== undefined && { expected }), ...(live !== undefined && { live }) }];
  });
}

/** The members that differ from those that the stack set, and the ids of undeclared objects that an exclusive set will delete. */
function changedMembers(
  { description, state, secrets, resource }: Managed & { readonly description: CollectionDescription },
  found: State,
  isOwned: (id: string) => boolean,
): { members: ChangedMember[]; added: string[] } {
  const isSecret = isGuarded(state) || isSecretAt(secrets, description.property);
  const member = (change: ChangedMember["change"], values: Omit<ChangedMember, "change">): ChangedMember => ({
    change,
    ...(isSecret ? {} : values),
  });
  const now = heldIn(description, found);
  const lines = new Map(now.map(({ id, line }) => [id, line]));
  const undeclared = new Set(state.members?.left.map(([id]) => id));
  const members = heldIn(description, state).flatMap(({ id, line: expected }): ChangedMember[] => {
    const live = lines.get(id);
    if (undeclared.has(id) || live === expected) return [];
    if (live !== undefined && isIgnored(resource, description.property)) return [];
    if (resource.sealed.size > 0 && live !== undefined && mayBeKept(description, expected, live)) return [];
    return [live === undefined ? member("deleted", { expected }) : member("changed", { expected, live })];
  });
  const added = now.filter(({ id }) => !isOwned(id));
  return {
    members: [...members, ...added.map(({ line: live }) => member("added", { live }))],
    added: added.map(({ id }) => id),
  };
}

/** Whether the service may have made one member of the other: its answers to the program's values are encrypted in the state. */
function mayBeKept({ item, parse }: CollectionDescription, expected: string, live: string): boolean {
  const [wanted, actual] = [parse(expected).inputs, parse(live).inputs];
  return leavesOf(item.fields).every((leaf) => {
    const [one, other] = [wanted[leaf.path], actual[leaf.path]];
    return same(leaf.comparison, one, other) || mayBeMadeOf(leaf, one, other);
  });
}

/** The members that do not exist any more, if their values are encrypted. */
function lackingMembers(
  { keys }: Managed,
  { objects }: ServiceAccount,
  about: ListedObject,
): Partial<ComparedWithAccount> {
  const lacking = keys.filter((key) => !objects.has(key));
  const members = lacking.map(() => ({ change: "deleted" as const }));
  return lacking.length === 0 ? {} : { finding: { kind: "changed", ...about, members } };
}
