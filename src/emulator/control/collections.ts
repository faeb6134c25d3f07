import { z } from "zod";
import { type CollectionView, type ObjectKind, type Store } from "../kind/kind";
import { kinds } from "../kinds";
import { invalid } from "../base/refusal";
import { type Entity, mergeInto } from "../store/table";
import { parseBody } from "../operations/validation";

/** The objects that the control API and the page know by one name. */
export interface Collection {
  readonly name: string;
  readonly kind: ObjectKind;
  readonly view: CollectionView;
  all(): readonly Entity[];
  /** An object by its id in the API, or by `parent/id`. */
  find(id: string): Entity | undefined;
  /** An object by its number. */
  get(id: number): Entity | undefined;
  /** Merges a patch into an object. Refuses a patch of the wrong type or with another id. */
  patch(entity: Entity, patch: Readonly<Record<string, unknown>>): void;
  remove(id: number): void;
  /** All fields of an object: those of the API, and those that only the emulator knows. */
  stored(entity: Entity): object;
}

export type Collections = ReadonlyMap<string, Collection>;

/** The names of all collections, in the order of the navigation. */
export const COLLECTION_NAMES: readonly string[] = kinds
  .flatMap(({ collections }) => Object.entries(collections))
  .sort(([, one], [, other]) => one.place - other.place)
  .map(([name]) => name);

function requireFitting(
  kind: ObjectKind,
  { fields, hidden }: Entity,
  patch: Readonly<Record<string, unknown>>,
) {
  if ("id" in patch && !("id" in fields && fields.id === patch["id"])) {
    throw invalid("id", "cannot be changed");
  }
  const after = structuredClone({ ...fields, ...hidden });
  for (const [field, value] of Object.entries(patch)) mergeInto(after, field, value);
  // The object can have fields that the API does not have.
  parseBody(z.looseObject({ ...kind.fields, ...kind.hidden }), after);
}

/** Returns the numbers in an id: the object's, and its parent's if the id has one. */
function readId({ idPrefix }: ObjectKind, id: string): { own: number; parent?: number } {
  if (idPrefix !== undefined) {
    const serial = id.startsWith(idPrefix) ? id.slice(idPrefix.length) : "";
    return { own: /^\d{1,15}$/.test(serial) ? Number(serial) : NaN };
  }
  const [own = "", parent] = id.split("/").reverse();
  return { own: Number(own), ...(parent !== undefined && { parent: Number(parent) }) };
}

function collectionOf(store: Store, kind: ObjectKind, name: string, view: CollectionView): Collection {
  const table = store.table(kind);
  const children = store.kinds.flatMap(({ parent }) => (parent?.kind === kind ? [parent] : []));
  const has = (fields: object) => view.has?.(fields) ?? true;
  const get = (id: number) => {
    const entity = table.get(id);
    return entity && has(entity.fields) ? entity : undefined;
  };
  return {
    name,
    kind,
    view,
    all() {
      kind.bringUpToDate?.(store);
      return table.all().filter(({ fields }) => has(fields));
    },
    find(id) {
      kind.bringUpToDate?.(store);
      const { own, parent } = readId(kind, id);
      const entity = get(own);
      return parent === undefined || entity?.parent === parent ? entity : undefined;
    },
    get,
    patch(entity, patch) {
      requireFitting(kind, entity, patch);
      table.merge(entity, patch);
    },
    remove(id) {
      table.remove(id);
    },
    stored(entity) {
      const shown = children.reduce<object>(
        (fields, child) => ({ ...fields, ...child.shownByParent?.(store, entity) }),
        entity.fields,
      );
      return { ...shown, ...entity.hidden };
    },
  };
}

/** All collections, in the order of the navigation. */
export function collectionsOf(store: Store): Collections {
  const all = store.kinds.flatMap((kind) =>
    Object.entries(kind.collections).map(([name, view]) => collectionOf(store, kind, name, view)),
  );
  return new Map(all.sort((one, other) => one.view.place - other.view.place).map((one) => [one.name, one]));
}
