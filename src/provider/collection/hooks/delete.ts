import { type StateCall } from "../../state/provider-interface";
import { deletePauses, deleteOnce } from "../../object/delete-retries";
import { inParallel, objectsAtOnce } from "../../run/parallel";
import { refuseDeletion } from "../../object/guard";
import { notAdopted } from "../../ownership/adoption-claims";
import { refuseBeforeImport } from "../../ownership/pending-imports";
import { type Collection } from "../collection";
import { refuseForOtherOwners, sharingWith } from "../other-owners";
import { untilNotServed } from "../../object/served";
import { formsOf } from "../members/as-objects";
import { itemised, nameOfMember } from "../members/names";
import { isGuarded } from "../members/secrets";
import { type Held, heldIn } from "../../state/members";
import { ownerOf } from "../../kind/warnings";

/** Says which members an exclusive resource deletes if it has not created them all: with `ignoreChanges` the program may never have named some. */
function sayUndeclared(collection: Collection, call: StateCall, own: readonly Held[]): void {
  const { description, property } = collection;
  if (own.length === 0 || call.state.isAdopted !== true || !collection.isExclusive(call.inputs)) return;
  const lines = own.map((one) => nameOfMember(description, one, isGuarded(call.state)));
  const what = `deletes ${own.length} of the ${property}, also those that it has taken over, because it is ${description.exclusive}`;
  collection.note(call, itemised(what, lines));
}

/** Deletes the members, except those that another resource of the program has. */
export async function remove(collection: Collection, call: StateCall): Promise<void> {
  const { item, description, ownership } = collection;
  const isReplaced = ownership.isReplaced(call);
  ownership.replaces(call);
  const members = heldIn(description, call.state);
  const owner = isReplaced ? undefined : ownerOf(description, call);
  await refuseBeforeImport({ kind: collection, call, id: call.id }, item.description, members, owner);
  collection.run.owners.goes(ownerOf(description, call));
  const { givenUp, own } = await ownership.release(call, members);
  await ownership.settleHeirs(givenUp);
  const open = givenUp.find((one) => !ownership.hasReceived(one));
  if (open !== undefined) throw notAdopted(collection.nameOf(call.inputs), open.keeper);
  ownership.sayGivenUp(call, givenUp);
  const sharing = (told: StateCall) => sharingWith(collection, told, own);
  if (own.length > 0) await refuseDeletion(collection, call, { sharing });
  if (call.state.isAdopted === true) await refuseForOtherOwners(collection, call, own);
  sayUndeclared(collection, call, own);
  const pauses = deletePauses(collection, collection.allowedTime("delete", call));
  const show = collection.progress();
  let done = 0;
  await inParallel(own, objectsAtOnce(collection.run), async (member) => {
    await deleteOnce(item, member, pauses);
    show(++done, own.length);
  });
  const attempt = `delete ${collection.nameOf(call.inputs)}`;
  const about = { kind: collection, call, attempt, parent: collection.parentOf(call.inputs) };
  await untilNotServed(item, about, own.map(formsOf));
}
