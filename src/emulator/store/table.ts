import { cached } from "../../api/cached";
import { type Clock, asDate } from "./clock";
import { type Move, type Transition, movesOf } from "./transitions";

/** One stored object: the fields that the API shows, the fields that only the emulator knows, and the changes to come. */
export interface Entity<Fields extends object = object, Hidden extends object = object> {
  readonly id: number;
  /** The id of the object that it belongs to, or 0. */
  readonly parent: number;
  readonly fields: Fields;
  readonly hidden: Hidden;
  moves: readonly Move[];
  /** When it got its status. It is undefined until a change that takes time, or a patch, sets one. */
  since?: number;
}

/** Receives what happens to the objects of a table. */
interface TableEvents {
  /** An object is new, has changed or is gone. */
  changed?(id: number): void;
  /** An object is gone. Everything that belongs to it must go too. */
  removed?(id: number): void;
}

/** A list that converts each stored object when it is sliced: a long list converts only the requested page. */
export function shownAs<From, Item>(stored: readonly From[], show: (one: From) => Item) {
  return {
    length: stored.length,
    slice: (from: number, to: number) => stored.slice(from, to).map(show),
  };
}

/**
 * All objects of one kind, by id and by parent. No timer runs: reading an object makes its due changes. Every other
 * change goes through a method of this class. Due changes raise no event, because they follow from the stored moves.
 */
export class Table<Fields extends object, Hidden extends object = object> {
  readonly #byId = new Map<number, Entity<Fields, Hidden>>();
  readonly #byParent = new Map<number, Map<number, Entity<Fields, Hidden>>>();
  /** The objects of each parent, and all objects, oldest first. Cached until an object comes or goes. */
  readonly #lists = new Map<number | "all", readonly Entity<Fields, Hidden>[]>();
  /** The objects that have changes to come. */
  readonly #moving = new Set<Entity<Fields, Hidden>>();

  readonly #held = new WeakSet<Entity<Fields, Hidden>>();

  constructor(
    private readonly clock: Clock,
    private readonly events: TableEvents = {},
  ) {}

  insert(id: number, fields: Fields, hidden: Hidden, parent = 0): Entity<Fields, Hidden> {
    const entity: Entity<Fields, Hidden> = { id, parent, fields, hidden, moves: [] };
    this.put(entity);
    return entity;
  }

  /** Stores an object in place of the one with the same id. */
  put(entity: Entity<Fields, Hidden>): void {
    const { id, parent } = entity;
    const before = this.#byId.get(id);
    if (before) this.#moving.delete(before);
    if (entity.moves.length > 0) this.#moving.add(entity);
    this.#byId.set(id, entity);
    cached(this.#byParent, parent, () => new Map<number, Entity<Fields, Hidden>>()).set(id, entity);
    this.#relist(parent);
    this.events.changed?.(id);
  }

  /** All objects without their due changes, by id. */
  get stored(): ReadonlyMap<number, Entity<Fields, Hidden>> {
    return this.#byId;
  }

  get(id: number): Entity<Fields, Hidden> | undefined {
    const entity = this.#byId.get(id);
    return entity && this.#settle(entity) ? entity : undefined;
  }

  /** The objects of a parent, oldest first. */
  of(parent: number): readonly Entity<Fields, Hidden>[] {
    return this.#listed(parent);
  }

  /** How many objects a parent has. */
  count(parent: number): number {
    return this.#byParent.get(parent)?.size ?? 0;
  }

  all(): readonly Entity<Fields, Hidden>[] {
    return this.#listed("all");
  }

  remove(id: number): void {
    const entity = this.#byId.get(id);
    if (!entity) return;
    this.#byId.delete(id);
    const siblings = this.#byParent.get(entity.parent);
    siblings?.delete(id);
    if (siblings?.size === 0) this.#byParent.delete(entity.parent);
    this.#moving.delete(entity);
    this.#relist(entity.parent);
    this.events.changed?.(id);
    this.events.removed?.(id);
  }

  removeOf(parent: number): void {
    for (const id of [...(this.#byParent.get(parent)?.keys() ?? [])]) this.remove(id);
  }

  clear(): void {
    this.#byId.clear();
    this.#byParent.clear();
    this.#lists.clear();
    this.#moving.clear();
  }

  change(entity: Entity<Fields, Hidden>, fields: Partial<Fields>, hidden: Partial<Hidden> = {}): void {
    Object.assign(entity.fields, fields);
    Object.assign(entity.hidden, hidden);
    this.events.changed?.(entity.id);
  }

  /** Starts a transition, drops the one under way, and returns when it ends. `atEnd` returns the fields that its end sets. */
  begin(
    entity: Entity<Fields & { status: string }, Hidden>,
    transition: Transition,
    atEnd: (ended: string) => Partial<Fields> & Partial<Hidden> = () => ({}),
  ): number {
    const before = settledStatus(entity);
    entity.moves = movesOf(transition, before, this.clock, atEnd);
    const first = transition.steps[0];
    if (first) entity.fields.status = first[0];
    this.#moving.add(entity);
    this.events.changed?.(entity.id);
    return entity.moves.at(-1)?.at ?? this.clock.now();
  }

  /** Delays the due changes of an object until the returned function is called. It returns none if the object is held. */
  hold(entity: Entity<Fields, Hidden>): (() => void) | undefined {
    if (this.#held.has(entity)) return undefined;
    this.#held.add(entity);
    return () => {
      this.#held.delete(entity);
    };
  }

  /** Merges a patch of the control API: objects deeply; any other value replaces the old one. */
  merge(entity: Entity<Fields, Hidden>, patch: Readonly<Record<string, unknown>>): void {
    if ("status" in patch) {
      entity.moves = [];
      this.#moving.delete(entity);
      entity.since = this.clock.now();
    }
    for (const [key, value] of Object.entries(patch)) {
      mergeInto(key in entity.hidden ? entity.hidden : entity.fields, key, value);
    }
    this.events.changed?.(entity.id);
  }

  /** Drops the cached lists. Lists that callers hold do not change while objects come and go. */
  #relist(parent: number): void {
    this.#lists.delete(parent);
    this.#lists.delete("all");
  }

  #listed(of: number | "all"): readonly Entity<Fields, Hidden>[] {
    for (const entity of this.#moving) this.#settle(entity);
    const known = this.#lists.get(of);
    if (known) return known;
    const objects = of === "all" ? this.#byId : this.#byParent.get(of);
    const list = [...(objects?.values() ?? [])];
    // Parents without objects take no memory here.
    if (list.length > 0) this.#lists.set(of, list);
    return list;
  }

  #settle(entity: Entity<Fields, Hidden>): boolean {
    if (this.#held.has(entity)) return true;
    for (let move = entity.moves[0]; move && move.at <= this.clock.now(); move = entity.moves[0]) {
      if (move.gone) {
        this.remove(entity.id);
        return false;
      }
      entity.moves = entity.moves.slice(1);
      if (move.set && "status" in move.set) entity.since = move.at;
      for (const [key, value] of Object.entries(move.set ?? {})) {
        Object.assign(key in entity.hidden ? entity.hidden : entity.fields, { [key]: value });
      }
      if ("updated" in entity.fields) Object.assign(entity.fields, { updated: asDate(move.at) });
    }
    if (entity.moves.length === 0) this.#moving.delete(entity);
    return true;
  }
}

/** The status of an object, or the status at the end of its transition. */
function settledStatus(entity: Entity<{ status: string }>): string {
  const last = entity.moves.at(-1)?.set;
  return last && "status" in last && typeof last.status === "string" ? last.status : entity.fields.status;
}

/** Whether a value is an object with fields. A list has none. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Sets a value. If the old and the new value are objects, it merges the new one into the old one. */
export function mergeInto(target: object, key: string, value: unknown): void {
  const old: unknown = Object.hasOwn(target, key) ? Reflect.get(target, key) : undefined;
  if (isObject(old) && isObject(value)) {
    for (const [inner, part] of Object.entries(value)) mergeInto(old, inner, part);
  } else Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
}
