import {
  apartFromOthers,
  HOW_TO_LEAVE,
  HOW_TO_SHARE,
  managedElsewhere,
  namesOf,
  orDoubt,
  rivalsElsewhere,
  type SharedObject,
  surelyShared,
  warnOfShared,
} from "../ownership/other-owners";
import { holdersOf } from "../ownership/this-stack";
import { classIn } from "../describe/type-token";
import { lastingUrn, nameInUrn, typeInUrn } from "../describe/urn";
import { ProviderError } from "../base/errors";
import { type StateCall } from "../state/provider-interface";
import { type About, ownerOf, shortened } from "../kind/warnings";
import { placeOf } from "../inputs/declared-twice";
import { type Owner } from "../notes/owner";
import { type Call, type State } from "../state/call";
import { hasUnknown, type Properties } from "../base/values";
import { type Held, identityOf, wantedIn } from "../state/members";
import { type Collection } from "./collection";
import { itemised, nameOfMember } from "./members/names";
import { isGuarded } from "./members/secrets";
import { type Plan } from "./plan";

/** A member that other stacks manage too, as a line. */
const lineOf = ({ ownership }: Collection, call: Call, shared: SharedObject<Held>): string =>
  `${ownership.called(call, shared.ref)}: ${namesOf(shared)}`;

/** Finds the members that other stacks manage too, each as a line. Undefined if there are no members. */
const sharedLines = (collection: Collection, call: Call, members: readonly Held[]) =>
  members.length === 0
    ? undefined
    : async () =>
        (await managedElsewhere(collection, call, collection.item, members)).map((one) =>
          lineOf(collection, call, one),
        );

/** The same for the guard. */
export const sharingWith = (
  collection: Collection,
  call: Call,
  members: readonly Held[],
): Promise<readonly string[]> => orDoubt(collection, sharedLines(collection, call, members));

/** The objects that an exclusive resource has found, without those of other resources and stacks, which it may not delete. */
export async function withoutOthers(
  collection: Collection,
  call: StateCall,
  all: readonly Held[],
): Promise<readonly Held[]> {
  const { property, description } = collection;
  const found = await withoutManaged(collection, call, all);
  const { own, shared } = await apartFromOthers(collection, call, collection.item, found);
  // `nodecloud drift` writes nothing, and would read the states of all stacks again.
  const { stack } = collection.run;
  const begun = await mayBeOfOthers(
    collection,
    call,
    own,
    stack.told === undefined ? stack.others() : undefined,
  );
  for (const [others, lines] of [
    ["other stacks manage", shared.map((one) => lineOf(collection, call, one))],
    ["other stacks may be creating", [...begun.values()]],
  ] as const) {
    const what = `${description.exclusive} is set, and ${others} ${lines.length} of the ${property} that it covers. This does not take them over`;
    if (lines.length > 0) collection.warn(call, itemised(what, lines), "OTHER_STACK");
  }
  return own.filter((member) => !begun.has(member));
}

/** Finds the objects that another stack may be creating, each with a line. */
export async function mayBeOfOthers(
  { item, parentPath, description, property }: Collection,
  call: Call,
  found: readonly Held[],
  others?: ReturnType<Collection["run"]["stack"]["others"]>,
): Promise<ReadonlyMap<Held, string>> {
  if (found.length === 0) return new Map();
  // A text that is encrypted or not known yet tells nothing.
  const declares = (set: Properties, inputs: Properties) => {
    const theirs = wantedIn(description, set[property]).map((one) => one.inputs);
    const isSame = (one: Properties) =>
      hasUnknown(one) || identityOf(description, one) === identityOf(description, inputs);
    return theirs.length === 0 || theirs.some(isSame);
  };
  const rivalsOf = await rivalsElsewhere(item, call, declares, others);
  return new Map(
    found.flatMap((member) => {
      const doubt = rivalsOf({ ...member.inputs, [parentPath]: member.parent });
      return doubt === undefined
        ? []
        : [[member, `${nameOfMember(description, member, isGuarded(call))} exists, and ${doubt}`]];
    }),
  );
}

/**
 * The objects that an exclusive resource has found, without those of other resources of this stack. With `--target` the engine asks about few of them, so the state
 * says it.
 */
export async function withoutManaged(
  collection: Collection,
  call: Pick<Call, "fullUrn" | "urn">,
  found: readonly Held[],
): Promise<readonly Held[]> {
  const all = await holdersOf(collection, call, collection.item, found);
  return all.flatMap(({ ref, holders }) => (holders.every(({ isOwn }) => isOwn) ? [ref] : []));
}

/**
 * Notes which resources of this stack have members too, as the state says, unless they no longer declare them: with `--target`, or until it comes to
 * them, the engine asks about none of these. A set that was renamed is not taken for another one.
 */
export async function learnHeirs(
  collection: Collection,
  call: StateCall,
  members: readonly Held[],
): Promise<void> {
  const { run, item, description, known, parentPath } = collection;
  const place = placeOf(item.type, parentPath, call.state.outputs, undefined) ?? "";
  const own = ownerOf(description, call);
  for (const { ref: member, holders: all } of await holdersOf(collection, call, item, members)) {
    const holders = all.map(({ urn, isOpen }) => ({
      isOpen,
      isSet: classIn(typeInUrn(urn)) !== item.type,
      urn,
      name: nameInUrn(urn),
    }));
    type One = (typeof holders)[number];
    const isOwn = ({ isSet, name }: One) => isSet && name === call.name;
    const isNamed = holders.some(isOwn);
    const gaveUp = ({ urn, name }: One) =>
      known.steps.isChecked({ urn: call.urn && lastingUrn(urn), name }) &&
      !run.declared.isOthers(place, identityOf(description, member.inputs), own);
    const other = holders.find((one) => (one.isSet ? isNamed && !isOwn(one) && !gaveUp(one) : true));
    if (other === undefined) continue;
    const { isSet, isOpen, name } = other;
    const owner: Owner = {
      name: `${isSet ? description.type : item.type} ${name}`,
      ...(isSet ? { isSet } : {}),
    };
    // An import that an earlier run has not finished owns nothing for certain.
    run.owners.announce(item.description, member, owner, isOpen !== true);
  }
}

/** Warns that other stacks manage members that a resource imports, or may be creating them. Refuses it if the settings deny that. */
export async function warnOfOtherOwners(
  collection: Collection,
  call: Call,
  held: readonly Held[],
): Promise<void> {
  if (held.length === 0) return;
  const about = { kind: collection, call };
  const { property, run } = collection;
  await warnOfShared(about, sharedLines(collection, call, held), (lines) =>
    itemised(
      `imports ${lines.length} of the ${property}, which other stacks manage too. ${HOW_TO_SHARE}`,
      lines,
    ),
  );
  const creating = async () => [
    ...(await mayBeOfOthers(collection, call, held, run.stack.others())).values(),
  ];
  await warnOfShared(about, creating, (lines) =>
    itemised(`imports ${lines.length} of the ${property}, which other stacks may be creating`, lines),
  );
}

/** Refuses to delete members that other stacks manage. */
export async function refuseForOtherOwners(
  collection: Collection,
  call: Call,
  members: readonly Held[],
): Promise<void> {
  const attempt = `delete ${collection.nameOf(call.inputs)}`;
  const lines = await surelyShared(
    { kind: collection, call },
    attempt,
    sharedLines(collection, call, members),
  );
  if (lines.length === 0) return;
  throw new ProviderError(
    `${attempt}: other stacks manage ${lines.length} of its ${collection.property} too, and it has imported them or taken them over, ` +
      `so nothing is deleted: ${shortened(lines).join("; ")}. ${HOW_TO_LEAVE}`,
    { code: "OTHER_STACK" },
  );
}

/**
 * Names in one line what an operation takes over or deletes although other stacks manage it. Members that a resource of this stack has created are not looked
 * up.
 */
export async function takenFromOthers(
  about: About & { readonly kind: Collection; readonly state: State | undefined },
  { owned, plan }: { readonly owned: readonly Held[]; readonly plan: Plan },
): Promise<string | undefined> {
  const { kind: collection, call, state } = about;
  const { ownership, property, description } = collection;
  const orLeave = collection.isExclusive(call.inputs) ? `; or do not set ${description.exclusive}` : "";
  const removed = state?.isAdopted === true ? ownership.heirsOf(call, plan.remove).own : [];
  const members = new Map([...owned, ...removed].map((member) => [member.id, member]));
  const attempt = `change ${collection.nameOf(call.inputs)}`;
  const find = sharedLines(collection, call, [...members.values()]);
  const lines = await surelyShared(about, attempt, find);
  if (lines.length === 0) return undefined;
  return (
    `other stacks manage ${lines.length} of the ${property} that this takes over or deletes: ${shortened(lines).join("; ")}. ` +
    `Remove them from these stacks with \`pulumi state delete\`, and this stack then deletes those that it does not declare${orLeave}`
  );
}
