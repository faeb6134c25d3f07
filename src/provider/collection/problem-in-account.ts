import { formatId } from "../describe/define-resource";
import { shortened } from "../engine/warnings";
import { type Call } from "../state/call";
import { type Properties, UNKNOWN } from "../state/values";
import { type Collection } from "./collection";
import { alreadyThere, claimFrom, undeclaredOf } from "./members/match-objects";
import { membersForPreview } from "./members/list";
import { newcomersIn } from "./members/object-pool";
import { type Held, type Wanted } from "./members/member";
import { planOf } from "./plan";
import { announceResumed, howToTakeOver, resumedMembers } from "./resume-members";
import { isGuarded } from "./members/secrets";

/** A creation or an update that a preview looks at. */
interface Previewed {
  /** The outputs that the state has. Empty for a creation. */
  readonly olds: Properties;
  readonly call: Call;
  readonly held: readonly Held[];
  readonly added: readonly Wanted[];
}

/** Compares an operation with the account: returns what stands against it, and warns of what it deletes. */
export async function problemInAccount(
  collection: Collection,
  operation: Previewed,
): Promise<string | undefined> {
  const { olds, call, added } = operation;
  const { inputs } = call;
  const { description, parentPath } = collection;
  const parent = inputs[parentPath];
  // A value that is not known yet may turn out to take over all objects.
  const mayTake = inputs[description.exclusive] === UNKNOWN && !collection.isExclusive(olds);
  const takes = mayTake || collection.takesOver(olds, inputs);
  if (typeof parent !== "string" || parent === UNKNOWN || (added.length === 0 && !takes)) return undefined;
  const asked = collection.creationNoteOf(call).recallAsked();
  if (asked !== undefined) {
    await announceInterrupted(collection, operation, new Set(asked.before));
    return undefined;
  }
  const foreign = await foreignObjects(collection, operation, parent);
  if (!collection.isExclusive(inputs) && !mayTake) return problemWith(collection, operation, foreign);
  const free = collection.ownership.notOthers(call, parent, foreign);
  if (takes) warnOfRemovals(collection, operation, free, mayTake);
  return undefined;
}

/** The objects under the parent that are no members of this resource. */
async function foreignObjects(
  collection: Collection,
  { held }: Previewed,
  parent: string,
): Promise<Properties[]> {
  const { description, replaced } = collection;
  const listed = await membersForPreview(collection, parent);
  const own = new Set(held.map(({ id }) => id));
  const isOwn = (id: string) => own.has(id) || replaced.has(formatId({ parent, id }));
  return listed?.filter((reply) => !isOwn(description.item.idOf(reply))) ?? [];
}

/** Says with which members the operation goes on that an interrupted run has made. */
async function announceInterrupted(
  collection: Collection,
  { call, added }: Previewed,
  before: ReadonlySet<string>,
): Promise<void> {
  const { description } = collection;
  const { item } = description;
  const parent = collection.parentOf(call.inputs);
  const listed = await membersForPreview(collection, parent);
  const there = new Map(listed?.map((reply) => [item.idOf(reply), reply]));
  const made = claimFrom(newcomersIn(collection, parent, there, before), description, added);
  announceResumed(collection, call, made, "an interrupted run created");
}

/** What stands against creating the declared members beside the existing objects. */
async function problemWith(
  collection: Collection,
  { olds, call, added }: Previewed,
  foreign: readonly Properties[],
): Promise<string | undefined> {
  const { description } = collection;
  const resumed = await resumedMembers(collection, { olds, call, isPreview: true }, foreign, added);
  announceResumed(collection, call, resumed, "exist already and are not in the state");
  const taken = new Set(resumed.map(({ id }) => id));
  const others = foreign.filter((reply) => !taken.has(description.item.idOf(reply)));
  const open = planOf(description, resumed, added).add;
  const found = alreadyThere(description, open, others, collection.parentOf(call.inputs), isGuarded(call));
  return found.length === 0
    ? undefined
    : `${shortened(found).join("; ")}. ${howToTakeOver(collection, olds, call.inputs)}`;
}

/** Warns of the objects that an exclusive resource deletes. */
function warnOfRemovals(
  collection: Collection,
  { call, added }: Previewed,
  free: readonly Properties[],
  mayTake: boolean,
): void {
  const { description, property } = collection;
  const removed = undeclaredOf(description, free, added, call.inputs);
  if (removed.length === 0) return;
  const because = mayTake
    ? `${description.exclusive} is not known yet. If it is set, this deletes`
    : `${description.exclusive} is set, so this deletes`;
  const why = `${because} ${removed.length} of the existing ${property}, which the program does not declare`;
  collection.warn(call, [why, ...shortened(removed.map(({ line }) => `- ${line}`))]);
}
