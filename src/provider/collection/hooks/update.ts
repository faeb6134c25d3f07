import { attempting } from "../../engine/errors";
import { type Properties } from "../../state/values";
import { type Collection } from "../collection";
import { reconcile } from "../reconcile";

/** Creates, updates and deletes members until they are what the program declares. */
export function update(
  collection: Collection,
  id: string,
  olds: Properties,
  news: Properties,
): Promise<{ outs: Properties }> {
  return attempting(`update ${collection.nameOf(news, collection.parseId(id))}`, async () => ({
    outs: await reconcile(collection, { kind: "update", id, olds, inputs: news }),
  }));
}
