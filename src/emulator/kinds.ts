import { listedBackups } from "./database-backups";
import { findPrivateImage } from "./images";
import { backupsOf, shownNode } from "./node-backups";
import { type Store } from "./objects";
import { type Entity, type Table } from "./store";

/** What the kinds of objects are called in the control API. */
export const KIND_NAMES = [
  "nodes",
  "nodeBackups",
  "mysql",
  "postgresql",
  "databaseBackups",
  "domains",
  "records",
  "images",
] as const;

export type KindName = (typeof KIND_NAMES)[number];

/** One kind of objects as it is reached behind the API's back. */
export interface Kind {
  all(): readonly Entity[];
  find(id: string): Entity | undefined;
  merge(entity: Entity, patch: Readonly<Record<string, unknown>>): void;
  remove(id: number): void;
  /** What is stored, with what only the emulator knows of it. */
  stored(entity: Entity): object;
}

/** Objects by id, or by `parent/id`. */
function kindOf<Fields extends object, Hidden extends object>(
  table: Table<Fields, Hidden>,
  {
    belongs = () => true,
    shown = ({ fields }) => fields,
  }: {
    readonly belongs?: (fields: Fields) => boolean;
    /** The fields as the API answers them. */
    readonly shown?: (entity: Entity<Fields, Hidden>) => Fields;
  } = {},
): Kind {
  const all = () => table.all().filter(({ fields }) => belongs(fields));
  return {
    all,
    find(id) {
      const [own = "", parent] = id.split("/").reverse();
      const entity = table.get(Number(own));
      const isIt =
        entity && belongs(entity.fields) && (parent === undefined || entity.parent === Number(parent));
      return isIt ? entity : undefined;
    },
    merge: ({ id }, patch) => {
      const entity = table.get(id);
      if (entity) table.merge(entity, patch);
    },
    remove: (id) => {
      table.remove(id);
    },
    stored: ({ id }) => {
      const entity = table.get(id);
      return entity ? { ...shown(entity), ...entity.hidden } : {};
    },
  };
}

/** The same kind, brought up to date before it is looked at, as the API does. */
function broughtUpToDate(kind: Kind, update: () => void): Kind {
  return {
    ...kind,
    all() {
      update();
      return kind.all();
    },
    find(id) {
      update();
      return kind.find(id);
    },
  };
}

export function kindsOf(store: Store): Readonly<Record<KindName, Kind>> {
  return {
    nodes: kindOf(store.nodes, { shown: (node) => shownNode(store, node) }),
    nodeBackups: broughtUpToDate(kindOf(store.nodeBackups), () => {
      for (const node of store.nodes.all()) backupsOf(store, node);
    }),
    mysql: kindOf(store.databases, { belongs: ({ engine }) => engine === "mysql" }),
    postgresql: kindOf(store.databases, { belongs: ({ engine }) => engine === "postgresql" }),
    databaseBackups: broughtUpToDate(kindOf(store.databaseBackups), () => {
      for (const database of store.databases.all()) listedBackups(store, database);
    }),
    domains: kindOf(store.domains),
    records: kindOf(store.records),
    images: { ...kindOf(store.images), find: (id) => findPrivateImage(store, id) },
  };
}

export function isKindName(name: string): name is KindName {
  return KIND_NAMES.some((known) => known === name);
}
