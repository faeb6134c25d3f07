import { announceEarlier } from "../../creation/announce-earlier";
import { attempting } from "../../engine/errors";
import { deletePauses, deleteOnce } from "../../object/delete-retries";
import { stackInUrn } from "../../describe/urn";
import { urnOf } from "../../state/hidden-properties";
import { type Properties } from "../../state/values";
import { type Collection } from "../collection";
import { type Held } from "../members/member";
import { heldIn } from "../members/in-state";
import { type GivenUp } from "../member-ownership";
import { inParallel, membersAtOnce } from "../members/parallel";

/** Deletes the members, except those that another resource of the program has. */
export function remove(collection: Collection, id: string, props: Properties): Promise<void> {
  return attempting(`delete ${collection.nameOf(props, collection.parseId(id))}`, async () => {
    announceEarlier(collection.session, stackInUrn(urnOf(props)));
    collection.ownership.replaces(props);
    await deleteMembers(collection, props, giveUpMembers(collection, props));
  });
}

/** Gives up the members that another resource has. Returns the others. */
function giveUpMembers(collection: Collection, props: Properties): Held[] {
  const { description, ownership } = collection;
  const parent = collection.parentOf(props);
  const givenUp: GivenUp[] = [];
  const own = heldIn(description, props).filter((held) => {
    const keeper = ownership.keeperOf(props, parent, held, true);
    if (keeper !== undefined) givenUp.push({ held, keeper });
    return keeper === undefined;
  });
  ownership.sayGivenUp(props, parent, givenUp);
  return own;
}

async function deleteMembers(
  collection: Collection,
  props: Properties,
  held: readonly Held[],
): Promise<void> {
  const { session, item } = collection;
  const parent = collection.parentOf(props);
  const pauses = deletePauses(session, collection.allowedTime("delete", props));
  const show = collection.progress();
  const failures: unknown[] = [];
  let done = 0;
  await inParallel(
    held,
    membersAtOnce(session),
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
