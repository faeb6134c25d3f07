import { type CollectionDescription, isCollection } from "../../provider/describe/define-collection";
import { type Description, parseId, type Ref } from "../../provider/describe/define-resource";
import { type Properties } from "../../provider/state/values";
import { type Account } from "../account/accounts";
import { keyOf, readSurely, reasonOf } from "../account/list-account";
import { accountObject, describedObject } from "./account-object";
import { stateIn } from "../../provider/state/codec";
import { toldIn } from "../../provider/state/handed";
import { changedMembers, declaredMembers } from "./compare-members";
import { changedProperties } from "./compare-object";
import { type Changed, type Deleted, type Gap, type ManagedResource } from "./findings";
import { type Managed, type ManagedObjects, parentOf } from "./managed";

/** What the comparison of a resource with its account has found. */
export interface Compared {
  readonly findings: readonly (Changed | Deleted)[];
  readonly gaps: readonly Gap[];
  /** The objects that an exclusive set will delete, by their account and key. They are among the findings. */
  readonly added: readonly string[];
}

const NOTHING: Compared = { findings: [], gaps: [], added: [] };

/** Compares a resource with its account. */
export async function compareResource(
  managed: Managed,
  account: Account,
  objects: ManagedObjects,
): Promise<Compared> {
  const { description, resource } = managed;
  if (resource.isLeaving || resource.id === "") return NOTHING;
  try {
    return isCollection(description)
      ? await compareSet({ ...managed, description }, account, objects)
      : await compareOne({ ...managed, description }, account, objects);
  } catch (error) {
    const reason = reasonOf(error, true);
    if (reason === undefined) throw error;
    return { ...NOTHING, gaps: [{ what: `${description.type} ${resource.id} at ${account.name}`, reason }] };
  }
}

const managedResource = ({ stack, resource: { urn, source } }: Managed): ManagedResource => ({
  stack,
  urn,
  ...(source === undefined ? {} : { source }),
});

type ManagedOne = Managed & { readonly description: Description };

async function compareOne(managed: ManagedOne, account: Account, objects: ManagedObjects): Promise<Compared> {
  const { description, resource, secrets, connection } = managed;
  const ref = parseId(description, resource.id);
  const parent = parentOf(managed)?.id;
  const mayBeGone =
    account.isListed(description.type, parent) ||
    (parent !== undefined && account.isGone(description.type, parent));
  // The list is among the gaps.
  if (ref === undefined || !mayBeGone) return NOTHING;
  const live =
    account.objects.get(keyOf(description.type, resource.id)) ??
    (await readSurely(connection.client, description, ref));
  const common = { resource: managedResource(managed) };
  if (live === undefined) {
    const object = describedObject(account, description, resource.id, resource.outputs, objects);
    return { ...NOTHING, findings: [{ kind: "deleted", ...object, ...common }] };
  }
  const state = stateIn(resource.outputs);
  // The state of a resource that `get` reads does not say what a program sent.
  if (!state.isManaged) return NOTHING;
  const properties = changedProperties(description, state, live.shown, secrets);
  if (properties.length === 0) return NOTHING;
  const object = accountObject(account, live, objects);
  return { ...NOTHING, findings: [{ kind: "changed", ...object, ...common, properties }] };
}

type ManagedSet = Managed & { readonly description: CollectionDescription };

async function compareSet(managed: ManagedSet, account: Account, objects: ManagedObjects): Promise<Compared> {
  const { description, resource, secrets } = managed;
  const { item } = description;
  const parent = parentOf(managed)?.id ?? "";
  const { parentType = "" } = item.id;
  const parentObject = account.objects.get(keyOf(parentType, parent));
  const named = { identity: parentObject?.description.identity ?? [], type: description.type };
  const object = {
    ...describedObject(account, named, resource.id, parentObject?.shown ?? {}, objects),
    resource: managedResource(managed),
  };
  if (!account.isListed(item.type, parent)) {
    if (!account.isGone(item.type, parent)) return NOTHING;
    return { ...NOTHING, findings: [{ kind: "deleted", ...object }] };
  }
  const there = await membersOf(managed, account, parent);
  const { members, added } = changedMembers(
    description,
    stateIn(resource.outputs, toldIn(resource.outputs)),
    { there, managed: managedBelow(there, account, objects, (id) => keyOf(item.type, `${parent}/${id}`)) },
    secrets,
  );
  return {
    ...NOTHING,
    added: added.map((id) => inAccount(account, keyOf(item.type, `${parent}/${id}`))),
    findings: members.length === 0 ? [] : [{ kind: "changed", ...object, properties: [], members }],
  };
}

/** An object among those of all accounts. */
export const inAccount = ({ name }: Account, key: string): string => `${name} ${key}`;

/** The objects below the parent, and the members that the list lacks and that can be read. */
async function membersOf(
  { description, resource, connection }: ManagedSet,
  { objects }: Account,
  parent: string,
): Promise<ReadonlyMap<string, Properties>> {
  const { item } = description;
  const below = [...objects.values()].filter(
    (object) => object.description === item && object.ref.parent === parent,
  );
  const there = new Map(below.map(({ ref, reply }) => [ref.id, reply]));
  const missing = declaredMembers(description, stateIn(resource.outputs)).filter(({ id }) => !there.has(id));
  await Promise.all(
    missing.map(async ({ id }) => {
      const ref: Ref = { parent, id };
      const found = await readSurely(connection.client, item, ref);
      if (found !== undefined) there.set(id, found.reply);
    }),
  );
  return there;
}

const managedBelow = (
  there: ReadonlyMap<string, Properties>,
  account: Account,
  objects: ManagedObjects,
  key: (id: string) => string,
): ReadonlySet<string> => new Set([...there.keys()].filter((id) => objects.has(account, key(id))));
