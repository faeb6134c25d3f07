import { Collection } from "../../provider/collection/collection";
import { read as readMembers } from "../../provider/collection/hooks/read";
import { isCollection } from "../../provider/describe/define-collection";
import { type Description, formatId } from "../../provider/describe/define-resource";
import { type ReadResult } from "../../provider/state/provider-interface";
import { read as readObject } from "../../provider/hooks/read";
import { cached } from "../../api/cached";
import { type Properties } from "../../provider/base/values";
import { withoutOwnerTags } from "../../provider/run/owner-tags";
import { kindOf } from "../../provider/kind/kind";
import { type ServiceAccount, type Connection } from "../account/accounts";
import { byPlace, keyOf, placeOf } from "../account/list-account";
import { type Managed } from "./managed";

/** Reads a resource as a refresh does. Undefined if its object does not exist. */
export type ReadResource = (managed: Managed) => Promise<ReadResult | undefined>;

/** Reads resources from the lists of an account. Only an object that its list lacks is requested. */
export function readsFrom({ objects }: ServiceAccount, { ports }: Connection): ReadResource {
  const below = byPlace(objects);
  const collections = new Map<string, Collection>();
  // What no list shows is not compared, and a comparison does not wait for a parent.
  const listed = (
    { extraOutputs: _, parent: __, ...description }: Description,
    stored: Properties = {},
  ): Description => ({
    ...description,
    read: async (client, ref) => {
      const reply =
        objects.get(keyOf(description.type, formatId(ref)))?.reply ?? (await description.read(client, ref));
      // Those that a stack with `ownerTags` writes are not in its state, and this command may run without the setting.
      return reply && withoutOwnerTags(reply, stored);
    },
    async *list(_client, parent) {
      for (const { reply } of below.get(placeOf(description.type, parent || undefined)) ?? []) yield reply;
    },
  });
  return ({ description, resource: { id }, state }) => {
    // A resource that `get` has read has no inputs that could have changed, but may be gone.
    const call = { id, inputs: {}, state: { ...state, isManaged: true } };
    if (!isCollection(description))
      return readObject(kindOf(ports, listed(description, state.outputs)), call);
    const collection = cached(
      collections,
      description.type,
      () => new Collection(ports, { ...description, item: listed(description.item) }),
    );
    return readMembers(collection, call);
  };
}
