import { type ServiceAccount } from "../account/accounts";
import { keyOf, type LiveObject } from "../account/list-account";
import { type Description } from "../../provider/describe/define-resource";
import { type Properties } from "../../provider/base/values";
import { type AccountObject } from "./findings";
import { type ManagedObjects } from "./managed";

/** An object, by its type, id and properties, as findings show it. */
export function describedObject(
  account: ServiceAccount,
  { type, identity, called }: Pick<Description, "type" | "identity" | "called">,
  id: string,
  properties: Properties,
  managed?: ManagedObjects,
): AccountObject {
  const common = { type, id, account: account.name };
  if (managed?.isNameless(account, keyOf(type, id)) === true) return common;
  const texts = (values: readonly unknown[]) => values.filter((value) => typeof value === "string");
  const [first] = texts(identity.map((path) => properties[path])).filter((value) => value !== "");
  const tags = Array.isArray(properties["tags"]) ? texts(properties["tags"]) : [];
  return { ...common, label: called?.(properties) ?? first, tags: tags.length === 0 ? undefined : tags };
}

/** An object of an account, as findings show it. */
export const accountObject = (
  account: ServiceAccount,
  { description, id, shown }: LiveObject,
  managed?: ManagedObjects,
): AccountObject => describedObject(account, description, id, shown, managed);
