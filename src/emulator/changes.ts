import { z } from "zod";
import { type KeptClock } from "./clock";
import { type Store, type StoreEvents, type Tables } from "./objects";
import { type Entity } from "./store";

const plain = z.record(z.string(), z.unknown());

const entity = z.object({
  id: z.int(),
  parent: z.int(),
  fields: plain,
  hidden: plain,
  moves: z.array(z.object({ at: z.number(), set: plain.optional(), gone: z.literal(true).optional() })),
});

/** Changes that are kept together or not at all, in the order of their application. */
export const changeEntry = z.object({
  clear: z.literal(true).optional(),
  lastId: z.int().optional(),
  clock: z.object({ base: z.number(), realBase: z.number(), speed: z.number() }).optional(),
  remove: z.record(z.string(), z.array(z.int())).optional(),
  put: z.record(z.string(), z.array(entity)).optional(),
});

export type ChangeEntry = z.input<typeof changeEntry>;

const TABLES = [
  "nodes",
  "nodeBackups",
  "databases",
  "databaseBackups",
  "domains",
  "records",
  "images",
] as const satisfies readonly (keyof Tables)[];

/** What entries need of a table; those of all kinds of objects have it. */
interface AnyTable {
  put(entity: object): void;
  remove(id: number): void;
  peek(id: number): Entity | undefined;
  ids(): number[];
}

function tableOf(store: Store, name: keyof Tables): AnyTable {
  // What is put was taken from the same table: the checksums of the file have it so.
  return store[name] as unknown as AnyTable;
}

/** Which parts of an emulator have changed since they were last asked for. */
export class ChangeSet implements StoreEvents {
  #objects = new Map<keyof Tables, Set<number>>();
  #clear = false;
  #ids = false;
  #clock = false;
  /** Called with the first change after `take`. */
  onFirst: () => void = () => undefined;

  changed(table: keyof Tables, id: number): void {
    this.#begin();
    const ids = this.#objects.get(table);
    if (ids) ids.add(id);
    else this.#objects.set(table, new Set([id]));
  }

  counted(): void {
    this.#begin();
    this.#ids = true;
  }

  cleared(): void {
    this.#begin();
    this.#objects.clear();
    this.#clear = this.#ids = true;
  }

  moved(): void {
    this.#begin();
    this.#clock = true;
  }

  get isEmpty(): boolean {
    return this.#objects.size === 0 && !this.#clear && !this.#ids && !this.#clock;
  }

  #begin(): void {
    if (this.isEmpty) this.onFirst();
  }

  /** The changed parts as they are now, and forgets that they have changed. */
  take(store: Store, clock: KeptClock): ChangeEntry {
    const [put, remove]: [Record<string, Entity[]>, Record<string, number[]>] = [{}, {}];
    for (const [name, ids] of this.#objects) {
      const table = tableOf(store, name);
      const found = [...ids].map((id) => [id, table.peek(id)] as const);
      const gone = found.filter(([, entity]) => !entity).map(([id]) => id);
      const there = found.flatMap(([, entity]) => entity ?? []);
      if (gone.length > 0) remove[name] = gone;
      if (there.length > 0) put[name] = there;
    }
    const entry = {
      ...(this.#clear && { clear: true }),
      ...(this.#ids && { lastId: store.lastId() }),
      ...(this.#clock && { clock: clock.state() }),
      remove,
      put,
    };
    this.forget();
    return entry as ChangeEntry;
  }

  forget(): void {
    this.#objects.clear();
    this.#clear = this.#ids = this.#clock = false;
  }
}

const PER_ENTRY = 500;

/** All that there is, as entries for an emulator in which nothing is. */
export function everything(store: Store, clock: KeptClock): ChangeEntry[] {
  const entries: unknown[] = [{ lastId: store.lastId(), clock: clock.state() }];
  for (const name of TABLES) {
    const table = tableOf(store, name);
    const ids = table.ids();
    for (let from = 0; from < ids.length; from += PER_ENTRY) {
      entries.push({
        put: { [name]: ids.slice(from, from + PER_ENTRY).flatMap((id) => table.peek(id) ?? []) },
      });
    }
  }
  return entries as ChangeEntry[];
}

/** Makes the changes of an entry. */
export function applyEntry(entry: unknown, store: Store, clock: KeptClock): void {
  const { clear, lastId, clock: state, remove = {}, put = {} } = changeEntry.parse(entry);
  if (clear) store.clear();
  if (lastId !== undefined) store.countFrom(lastId);
  if (state) clock.restore(state);
  for (const name of TABLES) {
    const table = tableOf(store, name);
    for (const id of remove[name] ?? []) table.remove(id);
    for (const entity of put[name] ?? []) table.put(entity);
  }
}
