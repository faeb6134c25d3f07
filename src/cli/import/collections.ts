import { type CollectionDescription, isCollection } from "../../provider/describe/define-collection";
import { allDescriptions } from "../descriptions";

/** The resources of many objects. */
export const collections: readonly CollectionDescription[] = allDescriptions().filter(isCollection);

/** The collection whose members are objects of a kind. */
export const setOf = (type: string): CollectionDescription | undefined =>
  collections.find(({ item }) => item.type === type);
