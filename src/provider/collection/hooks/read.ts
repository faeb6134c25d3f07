import { managedHere } from "../../ownership/this-stack";
import { type ReadResult, type FoundForImport, type StateCall } from "../../state/provider-interface";
import { inParallel, objectsAtOnce } from "../../run/parallel";
import { setInputs } from "../../state/sent";
import { type Call } from "../../state/call";
import { type Properties } from "../../base/values";
import { ownerOf } from "../../kind/warnings";
import { type Collection } from "../collection";
import { coveredBy } from "../compare-with-import";
import { drifted } from "../members/as-objects";
import { type Held, heldIn, plainMember, storedFor } from "../../state/members";
import { itemised, nameOfMember } from "../members/names";
import { isGuarded } from "../members/secrets";
import { unclaimedOf } from "../members/match-objects";
import { withoutManaged, withoutOthers } from "../other-owners";
import { unlessMissing } from "../../run/unless-missing";

/** Reads the members of a resource for a refresh, or, without a state, what its id covers. */
export const read = (collection: Collection, call: StateCall): Promise<ReadResult | undefined> =>
  call.state.isManaged ? refresh(collection, call) : get(collection, call.id);

/** Reads all that an id covers, without a state. */
async function get(collection: Collection, id: string): Promise<ReadResult> {
  const { scope, held } = await coveredBy(collection, `get ${collection.type}`, id);
  const outputs = { ...scope, [collection.property]: storedFor(held).text };
  return { id, state: { outputs, sent: new Map(), isManaged: false }, inputs: {} };
}

/** Reads all members that an id covers for the engine's import. The inputs have them in the form that programs use. */
export async function readForImport(
  collection: Collection,
  call: Call & { readonly id: string },
): Promise<FoundForImport> {
  const { id } = call;
  const { scope, held } = await coveredBy(collection, `import ${collection.type} ${id}`, id);
  const state = { ...collection.stateWith(scope, storedFor(held)), isAdopted: true };
  const members = heldIn(collection.description, state).map((member) => plainMember(member).inputs);
  const { item, run } = collection;
  const below = { parent: collection.parentOf(scope), id: "" };
  run.owners.asks(item.description, below, ownerOf(collection.description, call));
  const refusal = await managedHere(collection, item, held);
  return { id, state, inputs: { ...scope, [collection.property]: members }, refusal };
}

/** Reads the members in the state. For an exclusive resource it also reads all others that it covers. */
async function refresh(collection: Collection, call: StateCall): Promise<ReadResult | undefined> {
  const { id, state } = call;
  const { description, property, settings } = collection;
  const props = state.outputs;
  const there = await listSurely(collection, collection.parentOf(props));
  if (there === undefined) return undefined;
  collection.known.hasRead(id);
  const held = heldIn(description, state);
  const found = await withUnlisted(collection, held, there);
  const now = held.flatMap((member) => {
    const reply = found.get(member.id);
    return reply === undefined ? [] : [drifted(description, member, reply)];
  });
  const unclaimed = collection.isExclusive(props) ? unclaimedOf(collection, there, now, props) : [];
  const strangers = await withoutOthers(collection, call, unclaimed);
  if (strangers.length > 0) collection.refilled.add(id);
  else collection.refilled.delete(id);
  sayTaken(collection, call, strangers);
  const left = new Set(state.members?.left.map(([gone]) => gone));
  const declared = [...now.filter((member) => !left.has(member.id)), ...strangers].map(({ line }) => line);
  const stored = storedFor([...now, ...strangers], declared);
  const inputs = { ...Object.fromEntries(setInputs(settings, props)), [property]: stored.text };
  const isAdopted = state.isAdopted === true || strangers.length > 0;
  const isDoubtful = (await mayHaveMade(collection, call, there, now)) ? true : undefined;
  return { id, state: { ...collection.stateWith(props, stored), isAdopted, isDoubtful }, inputs };
}

/** Whether an update was interrupted, and objects exist that it may have made: the engine forgets the update after a refresh. */
async function mayHaveMade(
  collection: Collection,
  call: StateCall,
  there: readonly Properties[],
  held: readonly Held[],
): Promise<boolean> {
  const { run, known } = collection;
  const { outputs, isDoubtful } = call.state;
  if (collection.isExclusive(outputs)) return false;
  const isCutOff =
    isDoubtful === true || (run.mayBeCutOff && (await known.wasCutOff("updating", call, "check")));
  if (!isCutOff) return false;
  const strangers = unclaimedOf(collection, there, held, outputs);
  return (await withoutManaged(collection, call, strangers)).length > 0;
}

/** Says what an exclusive resource manages from now on: with `ignoreChanges` no later preview names it, and a deletion deletes it. */
function sayTaken(collection: Collection, call: StateCall, strangers: readonly Held[]): void {
  if (strangers.length === 0) return;
  const { description, property } = collection;
  const guarded = isGuarded(call) || isGuarded(call.state);
  const lines = strangers.map((one) => nameOfMember(description, one, guarded));
  const what = `takes ${strangers.length} more of the ${property} that exist into the state, because it is ${description.exclusive}`;
  const then = "an update deletes what the program does not declare, and a deletion deletes all";
  collection.note(call, itemised(`${what}: ${then}`, lines));
}

/** Lists the objects. Undefined if the parent does not exist. It asks twice, because one answer may be wrong and a missing resource is created again. */
async function listSurely({ item }: Collection, parent: string): Promise<Properties[] | undefined> {
  const list = () => unlessMissing(() => item.reads.all(parent));
  return (await list()) ?? (await list());
}

/** The objects by id, and the members that the list lacks and that can be read: an object may move between the pages of a list. */
async function withUnlisted(
  collection: Collection,
  held: readonly Held[],
  there: readonly Properties[],
): Promise<ReadonlyMap<string, Properties>> {
  const { item } = collection;
  const found = new Map(there.map((reply) => [item.description.idOf(reply), reply]));
  const missing = held.filter(({ id }) => !found.has(id));
  await inParallel(missing, objectsAtOnce(collection.run), async (member) => {
    const reply = await item.reads.now(member);
    if (reply !== undefined) found.set(member.id, reply);
  });
  return found;
}
