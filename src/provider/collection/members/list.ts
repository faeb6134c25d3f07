import { type Client, type RequestOptions } from "../../../api/client";
import { type Properties } from "../../state/values";
import { type Collection } from "../collection";

/** All objects of the members' kind under the parent, by id. */
export async function everyMember(
  { item, description }: Collection,
  parent: string,
): Promise<Map<string, Properties>> {
  const found = new Map<string, Properties>();
  for await (const reply of item.reads.list(parent)) found.set(description.item.idOf(reply), reply);
  return found;
}

/** The same objects for a preview. Undefined if they cannot be read: the preview continues without them. */
export async function membersForPreview(
  { session, description, property, item: { parentName } }: Collection,
  parent: string,
): Promise<readonly Properties[] | undefined> {
  const { item } = description;
  const list = (client: Client, options: RequestOptions): AsyncIterable<Properties> => {
    if (item.list === undefined) throw new TypeError(`${item.type} does not say how its objects are listed`);
    return item.list(client, parent, options);
  };
  return session.account.now(`the ${property} of ${parentName} ${parent}`, list);
}
