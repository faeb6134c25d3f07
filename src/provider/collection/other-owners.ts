import {
  doubtAboutOthers,
  holdersHere,
  HOW_TO_LEAVE,
  HOW_TO_SHARE,
  managedElsewhere,
  namesOf,
} from "../ownership/other-owners";
import { formatId } from "../describe/define-resource";
import { classIn } from "../describe/type-token";
import { lastingUrn, nameInUrn, typeInUrn } from "../describe/urn";
import { ProviderError } from "../base/errors";
import { type StateCall } from "../state/provider-interface";
import { ownerOf, shortened } from "../kind/warnings";
import { placeOf } from "../inputs/declared-twice";
import { type Owner } from "../notes/owner";
import { type Call } from "../state/call";
import { type Held, identityOf } from "../state/members";
import { refuseDenied, refuseUnknownOwner } from "../object/guard";
import { type Collection } from "./collection";
import { nameOfMember } from "./members/names";
import { isGuarded } from "./members/secrets";
import { type Plan } from "./plan";

/** The members that other stacks manage too, each with a line for messages. */
async function sharedMembers(
  collection: Collection,
  call: Call,
  parent: string,
  members: readonly Held[],
): Promise<{ readonly member: Held; readonly line: string }[]> {
  const refs = members.map((member) => ({ parent, id: member.id, member }));
  const shared = await managedElsewhere(collection, call, collection.item.description, refs);
  return shared.map((one) => {
    const { member } = one.ref;
    const name = nameOfMember(collection.description, member, isGuarded(call));
    return { member, line: `${name} (${formatId(one.ref)}): ${namesOf(one)}` };
  });
}

const sharedLines = async (...asked: Parameters<typeof sharedMembers>): Promise<string[]> =>
  (await sharedMembers(...asked)).map(({ line }) => line);

/** The members that other stacks manage too, each as a line, or why they are not known. */
export async function sharingWith(
  collection: Collection,
  call: Call,
  parent: string,
  members: readonly Held[],
): Promise<readonly string[]> {
  const doubt = members.length === 0 ? undefined : await doubtAboutOthers(collection.run);
  const lines = await sharedLines(collection, call, parent, members);
  return lines.length === 0 && doubt !== undefined ? [doubt] : lines;
}

/** The members of an interrupted run, without what other stacks manage. */
export async function withoutShared(
  collection: Collection,
  call: Call,
  found: readonly Held[],
): Promise<Held[]> {
  return without(found, await sharedMembers(collection, call, collection.parentOf(call.inputs), found));
}

function without(found: readonly Held[], shared: readonly { readonly member: Held }[]): Held[] {
  const others = new Set(shared.map(({ member }) => member));
  return found.filter((member) => !others.has(member));
}

/** The objects that an exclusive resource has found, without its members, and without those of other resources and stacks, which it may not delete. */
export async function withoutOthers(
  collection: Collection,
  call: StateCall,
  all: readonly Held[],
): Promise<readonly Held[]> {
  const { property, description } = collection;
  const parent = collection.parentOf(call.state.outputs);
  const found = await withoutManaged(collection, call, parent, all);
  const shared = await sharedMembers(collection, call, parent, found);
  if (shared.length === 0) return found;
  const what = `${description.exclusive} is set, and other stacks manage ${shared.length} of the ${property} that it covers. This does not take them over`;
  collection.warn(call, [what, ...shortened(shared.map(({ line }) => `- ${line}`))], "OTHER_STACK");
  return without(found, shared);
}

/**
 * The objects that an exclusive resource has found, without those of other resources of this stack. With `--target` the engine asks about few of them, so the state
 * says it.
 */
export async function withoutManaged(
  collection: Collection,
  { fullUrn, urn }: Pick<Call, "fullUrn" | "urn">,
  parent: string,
  found: readonly Held[],
): Promise<readonly Held[]> {
  const holders = found.length === 0 ? undefined : await holdersHere(collection);
  if (holders === undefined) return found;
  const own = lastingUrn(fullUrn ?? urn ?? "");
  const isManaged = ({ id }: Held) =>
    holders(collection.item.type, formatId({ parent, id })).some((holder) => lastingUrn(holder.urn) !== own);
  return found.filter((one) => !isManaged(one));
}

/**
 * The members that other resources of this stack have too, as the state says, unless they no longer declare them: with `--target`, or until it comes to
 * them, the engine asks about none of these. A set that was renamed is not taken for another one.
 */
export async function alsoHeld(
  collection: Collection,
  call: StateCall,
  parent: string,
  members: readonly Held[],
): Promise<ReadonlyMap<string, { readonly owner: Owner; readonly isOpen: boolean }>> {
  const { run, item, description, known, parentPath } = collection;
  const holdersOf = members.length === 0 ? undefined : await holdersHere(collection);
  const place = placeOf(item.type, parentPath, call.state.outputs, undefined) ?? "";
  const own = ownerOf(description, call);
  const holderOf = ({ id, inputs }: Held) => {
    const holders = (holdersOf?.(item.type, formatId({ parent, id })) ?? []).map(
      ({ urn, isOpen = false }) => ({
        isOpen,
        isSet: classIn(typeInUrn(urn)) !== item.type,
        urn,
        name: nameInUrn(urn),
      }),
    );
    const isOwn = ({ isSet, name }: (typeof holders)[number]) => isSet && name === call.name;
    const isNamed = holders.some(isOwn);
    const gaveUp = ({ urn, name }: (typeof holders)[number]) =>
      known.steps.isChecked({ urn: call.urn && lastingUrn(urn), name }) &&
      !run.declared.isOthers(place, identityOf(description, inputs), own);
    const other = holders.find((one) => (one.isSet ? isNamed && !isOwn(one) && !gaveUp(one) : true));
    if (other === undefined) return undefined;
    const { isSet, isOpen, name } = other;
    const owner: Owner = {
      name: `${isSet ? description.type : item.type} ${name}`,
      ...(isSet ? { isSet } : {}),
    };
    return { owner, isOpen };
  };
  return new Map(
    members.flatMap((member) => {
      const holder = holderOf(member);
      return holder === undefined ? [] : [[member.id, holder]];
    }),
  );
}

/** Warns that other stacks manage members that a resource imports. Refuses it if the settings deny that. */
export async function warnOfOtherOwners(
  collection: Collection,
  call: Call,
  held: readonly Held[],
): Promise<void> {
  const lines = await sharedLines(collection, call, collection.parentOf(call.inputs), held);
  if (lines.length === 0) return;
  const what = `imports ${lines.length} of the ${collection.property}, which other stacks manage too. ${HOW_TO_SHARE}`;
  collection.warn(call, [what, ...shortened(lines).map((line) => `- ${line}`)], "OTHER_STACK");
  refuseDenied({ kind: collection, call }, { operation: "import", shared: lines });
}

/** Refuses to delete members that other stacks manage. */
export async function refuseForOtherOwners(
  collection: Collection,
  call: Call,
  parent: string,
  members: readonly Held[],
): Promise<void> {
  const attempt = `delete ${collection.nameOf(call.inputs)}`;
  const doubt = members.length === 0 ? undefined : await doubtAboutOthers(collection.run);
  const lines = await sharedLines(collection, call, parent, members);
  if (lines.length === 0) return refuseUnknownOwner({ kind: collection, call }, attempt, doubt);
  throw new ProviderError(
    `${attempt}: other stacks manage ${lines.length} of its ${collection.property} too, and this stack has not created them, ` +
      `so nothing is deleted: ${shortened(lines).join("; ")}. ${HOW_TO_LEAVE}`,
    { code: "OTHER_STACK" },
  );
}

/**
 * Names in one line what an operation takes over or deletes although other stacks manage it. Members that a resource of this stack has created are not looked
 * up.
 */
export async function takenFromOthers(
  collection: Collection,
  call: Call,
  { owned, plan }: { readonly owned: readonly Held[]; readonly plan: Plan },
  isAdopted?: boolean,
): Promise<string | undefined> {
  const { ownership, property, description } = collection;
  const removed = isAdopted ? plan.remove.filter((one) => ownership.heirOf(call, one) === undefined) : [];
  const members = new Map([...owned, ...removed].map((member) => [member.id, member]));
  const doubt = members.size === 0 ? undefined : await doubtAboutOthers(collection.run);
  const lines = await sharedLines(collection, call, collection.parentOf(call.inputs), [...members.values()]);
  if (lines.length === 0) {
    refuseUnknownOwner({ kind: collection, call }, `change ${collection.nameOf(call.inputs)}`, doubt);
    return undefined;
  }
  return (
    `other stacks manage ${lines.length} of the ${property} that this takes over or deletes: ${shortened(lines).join("; ")}. ` +
    `Remove them from these stacks with \`pulumi state delete\`, and this stack then deletes those that it does not declare; or do not set ${description.exclusive}`
  );
}
