import { isRival, isSameOwner, type Owner } from "../notes/owner";
import { type Description, formatId, type Ref } from "../describe/define-resource";
import { askedKey, type Kept, nothing, type OwnersOfRun } from "../notes/owners-of-run";

/** The objects that a set owns under one parent. The list is made when an object is looked up. */
interface Holding {
  readonly owner: Owner;
  readonly ids: () => ReadonlySet<string>;
}

type OfType = Pick<Description, "type">;

const keyOf = ({ type }: OfType, ref: Ref): string => `${type} ${formatId(ref)}`;
/** Stands for a kind whose objects are the resources that import. */
const CAME: OfType = { type: "import" };
/** Stands for a kind whose objects are the resources that the engine deletes. */
const GONE: OfType = { type: "deletion" };

const placeOf = ({ type }: OfType, parent: string | undefined): string => `${type} ${parent ?? ""}`;

/**
 * Which resource owns which object in this run. An object has one owner: after a resource has taken it over, no other resource deletes it,
 * and a deleted object is not taken over. All plugin processes of a run share this record.
 */
export class Ownership {
  /** The owners that this process knows. An object may have several holders here. */
  readonly #here = nothing();
  readonly #held = new Map<string, Owner[]>();
  readonly #holdings = new Map<string, Holding[]>();
  /** Resources that the engine may not have checked yet, and that will ask for an object with `import`. */
  readonly #announced = new Map<string, { readonly owner: Owner; readonly isSure: boolean }>();

  /** The objects that the engine has read for an import, each with its resource: the import may still fail. */
  readonly #read = new Set<string>();

  constructor(private readonly record: () => OwnersOfRun) {}

  /** Takes objects over. If other resources of the program own some of them, it takes none and returns these. */
  take<One extends Ref>(kind: OfType, refs: readonly One[], owner: Owner): { ref: One; rival: Owner }[] {
    const taken = refs.flatMap((ref) => {
      const rival = this.otherOwner(kind, ref, owner);
      return rival === undefined ? [] : [{ ref, rival }];
    });
    if (taken.length === 0) this.takeAll(kind, refs, owner);
    return taken;
  }

  /** Notes that a resource of the program will ask for an object. `isSure`: the state has it there already. */
  announce(kind: OfType, ref: Ref, owner: Owner, isSure = false): void {
    this.#announced.set(keyOf(kind, ref), { owner, isSure });
  }

  /** Notes that an import has succeeded: the state will have the object. */
  adopts(kind: OfType, ref: Ref, owner: Owner): void {
    for (const what of ["taken", "adopted"] as const) this.#note(what, keyOf(kind, ref), owner);
  }

  /** The same for the members of a set. */
  adoptsAll(kind: OfType, refs: readonly Ref[], owner: Owner): void {
    this.takeAll(kind, refs, owner);
    const keys = refs.flatMap((ref) => (this.isTakenBy(kind, ref, owner) ? [keyOf(kind, ref)] : []));
    for (const key of keys) this.#here.adopted.set(key, owner);
    this.#tell("adopted", keys, owner);
  }

  isAdopted(kind: OfType, ref: Ref): boolean {
    return this.#known("adopted", keyOf(kind, ref)) !== undefined;
  }

  /** Notes that an import has failed: of one object, or of some below a parent, if the reference has no id. */
  misses(kind: OfType, ref: Ref, owner: Owner): void {
    this.#note("missed", keyOf(kind, ref), owner);
  }

  /** The resource whose import of an object has failed in this run. With `--continue-on-error` the engine goes on to delete it for its old owner. */
  missedBy(kind: OfType, ref: Ref): Owner | undefined {
    return this.#known("missed", keyOf(kind, ref)) ?? this.#known("missed", keyOf(kind, { ...ref, id: "" }));
  }

  /** Notes that the program asks for an object, or, without an id in the reference, for some below a parent. */
  asks({ type }: OfType, ref: Ref, owner: Owner): void {
    this.#note("asked", askedKey(type, formatId(ref), owner), owner);
  }

  /** Notes that the engine has come to a resource that imports. It has claimed its objects. */
  comes(owner: Owner): void {
    this.takeAll(CAME, [{ id: owner.name }], owner);
  }

  hasCome(name: string): boolean {
    return this.isTakenBy(CAME, { id: name }, { name });
  }

  /** Notes that the engine deletes a resource. */
  goes(owner: Owner): void {
    this.#note("deleted", keyOf(GONE, { id: owner.name }), owner);
  }

  hasGone({ name }: Owner): boolean {
    return this.deletedFor(GONE, { id: name }) !== undefined;
  }

  /** Another resource of the program that asks for one of some objects, and to which the engine has not come: `--target` or `--exclude` may leave it out. */
  askerOf(kind: OfType, refs: readonly Ref[], owner: Owner): Owner | undefined {
    const asked = [...this.#here.asked, ...this.record().others().asked];
    const open = asked.filter(([, one]) => !isSameOwner(one, owner) && !this.hasCome(one.name));
    if (open.length === 0) return undefined;
    const own = refs.filter((ref) => !this.isLeft(kind, ref)).flatMap((ref) => [ref, { ...ref, id: "" }]);
    const objects = new Set(own.map((ref) => askedKey(kind.type, formatId(ref), { name: "" })));
    return open.find(([key, { name }]) => objects.has(key.slice(0, key.length - name.length)))?.[1];
  }

  /** Takes over objects that have no other owner. */
  takeAll(kind: OfType, refs: readonly Ref[], owner: Owner): void {
    const keys = refs.map((ref) => keyOf(kind, ref)).filter((key) => !this.#here.taken.has(key));
    for (const key of keys) this.#here.taken.set(key, owner);
    this.#tell("taken", keys, owner);
  }

  /** Notes that a resource of the program manages an object. Returns another resource that asks for it or manages it too. */
  hold(kind: OfType, ref: Ref, owner: Owner): Owner | undefined {
    const key = keyOf(kind, ref);
    const taker = this.#here.taken.get(key);
    // The state has it now.
    if (taker !== undefined && isSameOwner(taker, owner)) this.#here.taken.delete(key);
    const holders = this.#held.get(key) ?? [];
    if (!holders.some((one) => isSameOwner(one, owner))) this.#held.set(key, [...holders, owner]);
    this.#tell("held", [key], owner);
    const elsewhere = this.record().others().taken.get(key);
    const isOther = elsewhere !== undefined && isRival(elsewhere, owner);
    return this.#otherHere(kind, ref, owner) ?? (isOther ? elsewhere : undefined);
  }

  /** Notes that the engine has read an object for an import. The state has it from then on. */
  reads(kind: OfType, ref: Ref, owner: Owner): void {
    this.#read.add(`${keyOf(kind, ref)} ${owner.name}`);
    this.hold(kind, ref, owner);
  }

  /** Notes that a resource manages many objects under one parent. Returns the first of them that another resource asks for. */
  holdMany(
    kind: OfType,
    parent: string,
    owner: Owner,
    list: () => readonly string[],
  ): { readonly ref: Ref; readonly rival: Owner } | undefined {
    let known: ReadonlySet<string> | undefined;
    const ids = () => (known ??= new Set(list()));
    const place = placeOf(kind, parent);
    const others = (this.#holdings.get(place) ?? []).filter((holding) => !isSameOwner(holding.owner, owner));
    this.#holdings.set(place, [...others, { owner, ids }]);
    this.#tell(
      "held",
      [...ids()].map((id) => keyOf(kind, { parent, id })),
      owner,
    );
    const prefix = keyOf(kind, { parent, id: "" });
    for (const [key, rival] of [...this.#here.taken, ...this.record().others().taken]) {
      const id = key.slice(prefix.length);
      if (!key.startsWith(prefix) || !ids().has(id)) continue;
      if (!isSameOwner(rival, owner)) return { ref: { parent, id }, rival };
      // The state has it now.
      this.#here.taken.delete(key);
    }
    return undefined;
  }

  /** Another resource of the program that owns an object or asks for it. */
  otherOwner(kind: OfType, ref: Ref, owner: Owner): Owner | undefined {
    const { taken, held } = this.record().others();
    const key = keyOf(kind, ref);
    const elsewhere = [taken.get(key), held.get(key)];
    return (
      this.#otherHere(kind, ref, owner) ?? elsewhere.find((one) => one !== undefined && isRival(one, owner))
    );
  }

  /** The same among the owners that this process knows. */
  #otherHere(kind: OfType, ref: Ref, owner: Owner): Owner | undefined {
    const key = keyOf(kind, ref);
    const isOther = (one: Owner | undefined): one is Owner => one !== undefined && isRival(one, owner);
    const own = [this.#here.taken.get(key), ...(this.#held.get(key) ?? [])].find(isOther);
    if (own !== undefined) return own;
    const holdings = this.#holdings.get(placeOf(kind, ref.parent)) ?? [];
    return holdings.find((holding) => isOther(holding.owner) && holding.ids().has(ref.id))?.owner;
  }

  /** Notes that a resource of the program replaces its object. The engine deletes that under the name that the state has, which an alias may lead to. */
  leave(kind: OfType, ref: Ref, owner: Owner): void {
    this.#note("leaving", keyOf(kind, ref), owner);
  }

  /**
   * Notes that an object is about to be deleted for a resource. Returns the resource that keeps it: it has taken the object over in this run
   * (possibly the same resource again), or it is another resource of the program that manages the object.
   *
   * @param doubles those that the state has it under too: it stays unless all of them have left it to this one
   */
  release(kind: OfType, ref: Ref, owner: Owner, doubles: readonly Owner[] = []): Owner | undefined {
    const key = keyOf(kind, ref);
    const holder = this.#known("leaving", key) ?? owner;
    const taker = this.#known("taken", key);
    const isTaken = taker !== undefined && (isSameOwner(taker, owner) || isRival(taker, owner));
    const double = doubles.find((one) => isSameOwner(one, owner) || !this.hasForgotten(kind, ref, one));
    const keeper = (isTaken ? taker : this.otherOwner(kind, ref, holder)) ?? double;
    this.#note(keeper === undefined ? "deleted" : "forgotten", key, owner);
    const others = (this.#held.get(key) ?? []).filter((one) => !isSameOwner(one, owner));
    this.#held.set(key, others);
    return keeper;
  }

  /** Whether a resource of the program replaces an object. */
  isLeft(kind: OfType, ref: Ref): boolean {
    return this.#known("leaving", keyOf(kind, ref)) !== undefined;
  }

  /** Whether a resource has left an object to another one in this run. */
  hasForgotten(kind: OfType, ref: Ref, owner: Owner): boolean {
    const last = this.#known("forgotten", keyOf(kind, ref));
    return last !== undefined && isSameOwner(last, owner);
  }

  /**
   * Whether a resource of the program that the engine has asked about manages an object and does not replace it. A deletion for it then belongs to a
   * replacement that the engine decides, or to another resource that an alias has given another name: the state of one that has not changed keeps the old one.
   */
  holds(kind: OfType, ref: Ref, owner: Owner): boolean {
    return !this.isLeft(kind, ref) && this.#holds(kind, ref, owner);
  }

  #holds(kind: OfType, ref: Ref, owner: Owner): boolean {
    const key = keyOf(kind, ref);
    const holdings = (this.#holdings.get(placeOf(kind, ref.parent)) ?? []).filter(({ ids }) =>
      ids().has(ref.id),
    );
    const owners = [
      this.record().others().held.get(key),
      ...(this.#held.get(key) ?? []),
      ...holdings.map((one) => one.owner),
    ];
    return owners.some((one) => one !== undefined && isSameOwner(one, owner));
  }

  /** Notes that a set no longer declares an object. Returns another resource that keeps the object; otherwise it is deleted. */
  giveUp(kind: OfType, ref: Ref, owner: Owner): Owner | undefined {
    const keeper = this.heirOf(kind, ref, owner);
    if (keeper === undefined) this.#note("deleted", keyOf(kind, ref), owner);
    return keeper;
  }

  /** Whether the resource that is to keep an object has it for certain: the engine may not have come to its import, or that has failed. */
  hasReceived(kind: OfType, ref: Ref, heir: Owner): boolean {
    const isIts = (one: Owner | undefined) => one !== undefined && isSameOwner(one, heir);
    if (isIts(this.#known("adopted", keyOf(kind, ref)))) return true;
    const isOpen = this.isTakenBy(kind, ref, heir) || this.#read.has(`${keyOf(kind, ref)} ${heir.name}`);
    if (isIts(this.missedBy(kind, ref)) || isOpen) return false;
    const announced = this.#announced.get(keyOf(kind, ref));
    return (
      announced === undefined || announced.isSure || !isIts(announced.owner) || this.#holds(kind, ref, heir)
    );
  }

  /** The resource that keeps an object which a set no longer declares. */
  heirOf(kind: OfType, ref: Ref, owner: Owner): Owner | undefined {
    const announced = this.#announced.get(keyOf(kind, ref))?.owner;
    return (
      this.otherOwner(kind, ref, owner) ??
      (announced !== undefined && isSameOwner(announced, owner) ? undefined : announced) ??
      this.missedBy(kind, ref)
    );
  }

  /** Whether a resource has taken an object over in this run, or asks for it. */
  isTakenBy(kind: OfType, ref: Ref, owner: Owner): boolean {
    const taker = this.#known("taken", keyOf(kind, ref));
    return taker !== undefined && isSameOwner(taker, owner);
  }

  /** The resource for which an object was deleted in this run. */
  deletedFor(kind: OfType, ref: Ref): Owner | undefined {
    return this.#known("deleted", keyOf(kind, ref));
  }

  /** The owner that this process or another one of the run knows. */
  #known(what: keyof Kept, key: string): Owner | undefined {
    return this.#here[what].get(key) ?? this.record().others()[what].get(key);
  }

  #note(what: keyof Kept, key: string, owner: Owner): void {
    this.#here[what].set(key, owner);
    this.#tell(what, [key], owner);
  }

  #tell(what: keyof Kept, keys: readonly string[], owner: Owner): void {
    if (keys.length > 0) this.record().add(what, keys, owner);
  }
}
