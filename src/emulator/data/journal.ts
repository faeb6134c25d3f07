import { z } from "zod";
import { cached } from "../../api/cached";
import { type KeptClock } from "../store/clock";
import { type ObjectKind, type Store, type StoreEvents } from "../kind/kind";
import { type Entity } from "../store/table";

const plain = z.record(z.string(), z.unknown());

const entity = z.object({
  id: z.int(),
  parent: z.int(),
  fields: plain,
  hidden: plain,
  moves: z.array(z.object({ at: z.number(), set: plain.optional(), gone: z.literal(true).optional() })),
  since: z.number().optional(),
});

/** A set of changes. The data file contains either all of them or none. */
const journalEntry = z.object({
  clear: z.literal(true).optional(),
  lastId: z.int().optional(),
  clock: z.object({ base: z.number(), realBase: z.number(), speed: z.number() }).optional(),
  /** Ids of removed objects, by the name of their kind in data files. */
  remove: z.record(z.string(), z.array(z.int())).optional(),
  /** New and changed objects, by the name of their kind in data files. */
  put: z.record(z.string(), z.array(entity)).optional(),
});

export type JournalEntry = z.input<typeof journalEntry>;

/** Collects which parts of an emulator have changed. */
export class ChangeSet implements StoreEvents {
  #objects = new Map<ObjectKind, Set<number>>();
  #clear = false;
  #ids = false;
  #clock = false;
  /** Runs at the first change after `take`. */
  onFirst: () => void = () => undefined;

  changed(kind: ObjectKind, id: number): void {
    this.#begin();
    cached(this.#objects, kind, () => new Set()).add(id);
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

  /** Returns the changed parts in their current form, and forgets the changes. */
  take(store: Store, clock: KeptClock): JournalEntry {
    const [put, remove]: [Record<string, Entity[]>, Record<string, number[]>] = [{}, {}];
    for (const [kind, ids] of this.#objects) {
      const { stored } = store.table(kind);
      const gone = [...ids].filter((id) => !stored.has(id));
      const there = [...ids].flatMap((id) => stored.get(id) ?? []);
      if (gone.length > 0) remove[kind.stored] = gone;
      if (there.length > 0) put[kind.stored] = there;
    }
    const entry = {
      ...(this.#clear && { clear: true }),
      ...(this.#ids && { lastId: store.lastId() }),
      ...(this.#clock && { clock: clock.state() }),
      remove,
      put,
    };
    this.forget();
    return entry as JournalEntry;
  }

  forget(): void {
    this.#objects.clear();
    this.#clear = this.#ids = this.#clock = false;
  }
}

const PER_ENTRY = 500;

/** The whole content of an emulator, as entries for an empty one. */
export function everything(store: Store, clock: KeptClock): JournalEntry[] {
  const entries: unknown[] = [{ lastId: store.lastId(), clock: clock.state() }];
  for (const kind of store.kinds) {
    const objects = [...store.table(kind).stored.values()];
    for (let from = 0; from < objects.length; from += PER_ENTRY) {
      entries.push({ put: { [kind.stored]: objects.slice(from, from + PER_ENTRY) } });
    }
  }
  return entries as JournalEntry[];
}

/** Makes the changes of an entry. */
export function applyEntry(entry: unknown, store: Store, clock: KeptClock): void {
  const { clear, lastId, clock: state, remove = {}, put = {} } = journalEntry.parse(entry);
  if (clear) store.clear();
  if (lastId !== undefined) store.countFrom(lastId);
  if (state) clock.restore(state);
  for (const kind of store.kinds) {
    const table = store.table(kind);
    for (const id of remove[kind.stored] ?? []) table.remove(id);
  }
  for (const kind of store.kinds) {
    const table = store.table(kind);
    // The checksums of the data file prove that the emulator wrote the entry from a table of this kind.
    for (const object of put[kind.stored] ?? []) table.put(object as Entity);
  }
}
