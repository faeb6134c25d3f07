import { type Account } from "../account/accounts";
import { keyOf, type LiveObject } from "../account/list-account";
import { type Description, formatId } from "../../provider/describe/define-resource";
import { type Properties } from "../../provider/state/values";
import { type AccountObject } from "./findings";
import { type ManagedObjects } from "./managed";

type Named = Pick<Description, "type" | "identity" | "called">;

/** The name of an object on the service. */
function labelOf({ identity, called }: Named, properties: Properties): string | undefined {
  const first = identity
    .map((path) => properties[path])
    .find((value): value is string => typeof value === "string" && value !== "");
  return called?.(properties) ?? first;
}

/** An object, by its type, id and properties, as findings show it. */
export function describedObject(
  account: Account,
  description: Named,
  id: string,
  properties: Properties,
  managed: ManagedObjects,
): AccountObject {
  const common = { type: description.type, id, account: account.name };
  if (managed.isNameless(account, keyOf(description.type, id))) return common;
  const label = labelOf(description, properties);
  const { tags } = properties;
  const texts = Array.isArray(tags) ? tags.filter((tag) => typeof tag === "string") : [];
  return {
    ...common,
    ...(label === undefined ? {} : { label }),
    ...(texts.length === 0 ? {} : { tags: texts }),
  };
}

/** An object of an account, as findings show it. */
export const accountObject = (
  account: Account,
  { description, ref, shown }: LiveObject,
  managed: ManagedObjects,
): AccountObject => describedObject(account, description, formatId(ref), shown, managed);
