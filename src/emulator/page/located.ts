import { type Collection } from "../control/collections";
import { type Entity } from "../store/table";
import { type View } from "./view";

/** An object and its collection. */
export interface Located {
  readonly collection: Collection;
  readonly entity: Entity;
}

/** A field of an object by its name. A dot leads into an object: `hosts.primary`. */
export const fieldOf = ({ fields }: Entity, name: string): unknown =>
  name.split(".").reduce<unknown>((value, key) => {
    return typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;
  }, fields);

/** The name of an object for people. */
export const nameOf = ({ collection: { kind, view }, entity }: Located): string =>
  kind.name.of(entity.fields) || `${view.one} ${entity.id}`;

/** The collections of the objects that an object of this collection can belong to. */
export const parentsOf = ({ collections }: View, { kind }: Collection): Collection[] =>
  [...collections.values()].filter((above) => above.kind === kind.parent?.kind);

/** The collections of the objects that can belong to an object of this collection. */
export const childrenOf = ({ collections }: View, { kind }: Collection): Collection[] =>
  [...collections.values()].filter((child) => child.kind.parent?.kind === kind);

/** The object that an object belongs to, if any. */
export const parentOf = (view: View, { collection, entity }: Located): Located | undefined =>
  parentsOf(view, collection)
    .map((above) => ({ collection: above, entity: above.get(entity.parent) }))
    .find((above): above is Located => above.entity !== undefined);

/** The path of an object in the API, below the base URL. */
export function apiPath(view: View, object: Located): string {
  const { collection, entity } = object;
  const above = parentOf(view, object);
  const id = `${collection.kind.idPrefix ?? ""}${entity.id}`;
  return `${above ? apiPath(view, above) : ""}${collection.view.path}/${id}`;
}

/** A request that creates an object of a collection. It is undefined while no object exists that it could belong to. */
export function creationOf(view: View, collection: Collection) {
  const { path, example } = collection.view;
  const to = example.path ?? path;
  if (!collection.kind.parent) return { path: to, body: example.body };
  const [above] = parentsOf(view, collection).flatMap((parent) =>
    parent.all().map((entity) => ({ collection: parent, entity })),
  );
  return above && { path: apiPath(view, above) + to, body: example.body };
}
