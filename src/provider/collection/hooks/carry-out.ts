import { type Created, type StateCall } from "../../engine/provider-interface";
import { type Call, type State } from "../../state/call";
import { type Collection } from "../collection";
import { compareForImport } from "../compare-with-import";
import { reconcile } from "../reconcile";

/** Creates the members, or adopts existing ones. */
export async function create(collection: Collection, call: Call): Promise<Created> {
  const importId = collection.ownership.idIn(call);
  const id = collection.idFor(call.inputs);
  const state =
    importId === undefined
      ? await reconcile(collection, { kind: "create", id, call })
      : await adopt(collection, importId, call);
  return { id, state };
}

async function adopt(collection: Collection, importId: string, call: Call): Promise<State> {
  const held = await compareForImport(collection, importId, call);
  collection.ownership.take(call, collection.parentOf(call.inputs), held);
  return collection.stateOf(call, held);
}

/** Creates, updates and deletes members until they are what the program declares. */
export const update = (collection: Collection, call: StateCall): Promise<State> =>
  reconcile(collection, { kind: "update", id: call.id, call, state: call.state });
