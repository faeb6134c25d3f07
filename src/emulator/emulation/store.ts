import { randomBytes as cryptoBytes } from "node:crypto";
import { type RandomBytes } from "../store/chance";
import { type Clock } from "../store/clock";
import { type ObjectKind, type Store, type StoreEvents } from "../kind/kind";
import { kinds } from "../kinds";
import { Table } from "../store/table";

export interface StoreOptions {
  readonly randomBytes?: RandomBytes | undefined;
  /** Whether nodes and databases get addresses in 127.0.0.0/8. */
  readonly machines?: boolean | undefined;
}

/** Creates an account without objects. */
export function createStore(
  clock: Clock,
  { randomBytes = cryptoBytes, machines = false }: StoreOptions = {},
): Store {
  let lastId = 0;
  const watchers: StoreEvents[] = [];
  const tables = new Map<ObjectKind, Table<object>>();
  for (const kind of kinds) {
    const children = kinds.filter(({ parent }) => parent?.kind === kind);
    const table = new Table<object>(clock, {
      changed: (id) => {
        for (const watcher of watchers) watcher.changed?.(kind, id);
      },
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
    // Random, so that the machines of several emulators do not meet.
    loopbackFrom: machines ? Buffer.from(randomBytes(4)).readUInt32BE() : undefined,
    table<Fields extends object, Hidden extends object>(kind: ObjectKind<Fields, Hidden>) {
      // Only objects of this kind are put into the table.
      return tables.get(kind) as unknown as Table<Fields, Hidden>;
    },
    nextId() {
      for (const watcher of watchers) watcher.counted?.();
      return ++lastId;
    },
    lastId: () => lastId,
    countFrom(id) {
      lastId = id;
    },
    clear() {
      lastId = 0;
      for (const table of tables.values()) table.clear();
      for (const watcher of watchers) watcher.cleared?.();
    },
    watch(events) {
      watchers.push(events);
    },
  };
}
