import { attempting } from "../../engine/errors";
import { type Properties } from "../../state/values";
import { type Collection } from "../collection";
import { compareForImport } from "../compare-with-import";
import { reconcile } from "../reconcile";

/** Creates the members, or adopts existing ones. */
export function create(
  collection: Collection,
  inputs: Properties,
): Promise<{ id: string; outs: Properties }> {
  return attempting(`create ${collection.nameOf(inputs)}`, async () => {
    const importId = collection.ownership.idIn(inputs);
    const id = collection.idFor(inputs);
    const outs =
      importId === undefined
        ? await reconcile(collection, { kind: "create", id, olds: {}, inputs })
        : await adopt(collection, importId, inputs);
    return { id, outs };
  });
}

async function adopt(collection: Collection, importId: string, inputs: Properties): Promise<Properties> {
  const held = await compareForImport(collection, importId, inputs);
  collection.ownership.take(inputs, collection.parentOf(inputs), held);
  return collection.outputsOf(inputs, held);
}
