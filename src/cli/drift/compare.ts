import { heldIn } from "../../provider/state/members";
import { isGuarded } from "../../provider/collection/members/secrets";
import { type CollectionDescription, isCollection } from "../../provider/describe/define-collection";
import { type Description, parseId } from "../../provider/describe/define-resource";
import { leavesOf } from "../../provider/describe/fields";
import { type State } from "../../provider/state/call";
import { isSecretAt } from "../../provider/state/secret-inputs";
import { same } from "../../provider/base/values";
import { type Account } from "../account/accounts";
import { keyOf, type LiveObject, reasonOf } from "../account/list-account";
import { describedObject } from "./account-object";
import { type Changed, type ChangedMember, type ChangedProperty, type Deleted, type Gap } from "./findings";
import { type ReadResource } from "./listed-reads";
import { type Managed, type ManagedObjects, ownerOf } from "./managed";

/** The result of comparing a resource with its account. */
export interface Compared {
  readonly findings: readonly (Changed | Deleted)[];
  readonly gaps: readonly Gap[];
  /** The objects that an exclusive set will delete. They are among the findings. */
  readonly added: readonly (LiveObject | undefined)[];
}

const NOTHING: Compared = { findings: [], gaps: [], added: [] };

/** Compares the state of a resource with what a refresh of it reads. */
export async function compareResource(
  managed: Managed,
  account: Account,
  objects: ManagedObjects,
  read: ReadResource,
): Promise<Compared> {
  const { description, resource, state, parent } = managed;
  const { type } = managed.item;
  const isGone = parent !== undefined && account.isGone(type, parent);
  if (resource.isLeaving || parseId(description, resource.id) === undefined) return NOTHING;
  // A list that was not read is among the gaps.
  if (!isGone && !account.isListed(type, parent)) return NOTHING;
  try {
    const found = isGone && isCollection(description) ? undefined : await read(managed);
    const about = aboutOf(managed, account, objects, found?.state ?? state);
    if (found === undefined) return { ...NOTHING, findings: [{ kind: "deleted", ...about }] };
    if (!isCollection(description)) {
      const properties = changedProperties({ ...managed, description }, found.state);
      const changed: Changed = { kind: "changed", ...about, properties };
      return { ...NOTHING, findings: properties.length === 0 ? [] : [changed] };
    }
    const key = (id: string) => keyOf(type, `${parent}/${id}`);
    const isOwned = (id: string) => objects.has(account, key(id));
    const { members, added } = changedMembers({ ...managed, description }, found.state, isOwned);
    return {
      ...NOTHING,
      findings: members.length === 0 ? [] : [{ kind: "changed", ...about, properties: [], members }],
      added: added.map((id) => account.objects.get(key(id))),
    };
  } catch (error) {
    const reason = reasonOf(error, true);
    if (reason === undefined) throw error;
    return { ...NOTHING, gaps: [{ what: `${description.type} ${resource.id} at ${account.name}`, reason }] };
  }
}

/** The resource of a finding, and its object. A set has the name of its parent. */
function aboutOf(managed: Managed, account: Account, objects: ManagedObjects, { outputs }: State) {
  const { description, resource, item, parent = "" } = managed;
  const above = account.objects.get(keyOf(item.id.parentType ?? "", parent));
  const { type } = description;
  const [named, shown] = isCollection(description)
    ? [{ type, identity: above?.description.identity ?? [] }, above?.shown ?? {}]
    : [description, outputs];
  return {
    ...describedObject(account, named, resource.id, shown, objects),
    resource: ownerOf(managed),
  };
}

/** The inputs whose live values differ from those that the stack set. */
function changedProperties(
  { description, state, secrets }: Managed & { readonly description: Description },
  { sent }: State,
): ChangedProperty[] {
  return leavesOf(description.fields).flatMap(({ path, comparison }): ChangedProperty[] => {
    const [expected, live] = [state.sent.get(path) ?? undefined, sent.get(path) ?? undefined];
    if (same(comparison, expected, live)) return [];
    if (isSecretAt(secrets, path)) return [{ path, secret: true }];
    return [{ path, ...(expected !== undefined && { expected }), ...(live !== undefined && { live }) }];
  });
}

/** The members that differ from those that the stack set, and the ids of undeclared objects that an exclusive set will delete. */
function changedMembers(
  { description, state, secrets }: Managed & { readonly description: CollectionDescription },
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
    return [live === undefined ? member("deleted", { expected }) : member("changed", { expected, live })];
  });
  const added = now.filter(({ id }) => !isOwned(id));
  return {
    members: [...members, ...added.map(({ line: live }) => member("added", { live }))],
    added: added.map(({ id }) => id),
  };
}
