import { type CollectionDescription, isCollection } from "../../provider/describe/define-collection";
import { type Description } from "../../provider/describe/define-resource";
import { descriptions } from "../../resources";

/** The resources of many objects. */
export const collections: readonly CollectionDescription[] = Object.values(
  descriptions as Readonly<Record<string, Description | CollectionDescription>>,
).filter(isCollection);

/** The collection whose members are objects of a kind. */
export const setOf = (type: string): CollectionDescription | undefined =>
  collections.find(({ item }) => item.type === type);
