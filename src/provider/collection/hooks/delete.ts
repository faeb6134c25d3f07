import { announceEarlier } from "../../creation/announce-earlier";
import { stackInUrn } from "../../describe/urn";
import { type StateCall } from "../../engine/provider-interface";
import { deletePauses, deleteOnce } from "../../object/delete-retries";
import { inParallel, objectsAtOnce } from "../../process/parallel";
import { type Collection } from "../collection";
import { type Held } from "../members/member";
import { heldIn } from "../members/in-state";
import { type GivenUp } from "../member-ownership";

/** Deletes the members, except those that another resource of the program has. */
export async function remove(collection: Collection, call: StateCall): Promise<void> {
  announceEarlier(collection.session, stackInUrn(call.urn));
  collection.ownership.replaces(call);
  await deleteMembers(collection, call, giveUpMembers(collection, call));
}

/** Gives up the members that another resource has. Returns the others. */
function giveUpMembers(collection: Collection, call: StateCall): Held[] {
  const { description, ownership } = collection;
  const parent = collection.parentOf(call.inputs);
  const givenUp: GivenUp[] = [];
  const own = heldIn(description, call.state).filter((held) => {
    const keeper = ownership.keeperOf(call, parent, held, true);
    if (keeper !== undefined) givenUp.push({ held, keeper });
    return keeper === undefined;
  });
  ownership.sayGivenUp(call, parent, givenUp);
  return own;
}

async function deleteMembers(collection: Collection, call: StateCall, held: readonly Held[]): Promise<void> {
  const { session, item } = collection;
  const parent = collection.parentOf(call.inputs);
  const pauses = deletePauses(session, collection.allowedTime("delete", call));
  const show = collection.progress();
  const failures: unknown[] = [];
  let done = 0;
  await inParallel(
    held,
    objectsAtOnce(session),
    async ({ id }) => {
      try {
        await deleteOnce(item, { parent, id }, pauses);
        show(++done, held.length);
      } catch (error) {
        failures.push(error);
      }
    },
    () => failures.length > 0,
  );
  if (failures.length > 0) throw failures[0];
}
