import { randomBytes as cryptoBytes } from "node:crypto";
import { type RandomBytes } from "../store/chance";
import { type Clock } from "../store/clock";
import { type ObjectKind, type Store } from "../kind/kind";
import { kinds } from "../kinds";
import { Table } from "../store/table";

/** Receives every change in a store at the moment of the change. */
export interface StoreEvents {
  /** An object of the kind is new, has changed or is gone. */
  changed(kind: ObjectKind, id: number): void;
  /** The store has given out an id. */
  counted(): void;
  cleared(): void;
}

/** Creates an account without objects. */
export function createStore(
  clock: Clock,
  randomBytes: RandomBytes = cryptoBytes,
  events?: StoreEvents,
): Store {
  let lastId = 0;
  const tables = new Map<ObjectKind, Table<object>>();
  for (const kind of kinds) {
    const children = kinds.filter(({ parent }) => parent?.kind === kind);
    const table = new Table<object>(clock, {
      changed: (id) => events?.changed(kind, id),
      removed: (id) => {
        for (const child of children) tables.get(child)?.removeOf(id);
      },
    });
    tables.set(kind, table);
  }
  return {
    clock,
    randomBytes,
    kinds,
    table<Fields extends object, Hidden extends object>(kind: ObjectKind<Fields, Hidden>) {
      // Only objects of this kind are put into the table.
      return tables.get(kind) as unknown as Table<Fields, Hidden>;
    },
    nextId() {
      events?.counted();
      return ++lastId;
    },
    lastId: () => lastId,
    countFrom(id) {
      lastId = id;
    },
    clear() {
      lastId = 0;
      for (const table of tables.values()) table.clear();
      events?.cleared();
    },
  };
}
