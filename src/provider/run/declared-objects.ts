import { isSameOwner, type Owner } from "../notes/owner";
import { type OwnersOfRun } from "../notes/owners-of-run";
import { cached } from "../../api/cached";
import { keyOfParts } from "../base/key";
import { type Description } from "../describe/define-resource";
import { type Properties } from "../base/values";

/** The objects that a resource declares: those that it creates in this run, and those that it already has. */
export interface ResourceDeclaration {
  readonly owner: Owner;
  /** All declared objects by identity, with the names that messages use. The map is made when it is needed. */
  readonly all: () => ReadonlyMap<string, string>;
  /** The identities of the objects that are created in this run. */
  readonly made: ReadonlySet<string>;
}

/** A resource that objects may be below. */
export interface DeclaredParent {
  readonly inputs: Properties;
  /** Whether this run has created its object. */
  readonly isMade?: true;
  /** Whether this run creates its object, for the first time or in place of another. */
  readonly isNew?: boolean;
  /** The id of the existing object that it takes. */
  readonly importId?: string | undefined;
}

/** An object that two resources declare. */
export interface Double {
  readonly what: string;
  readonly rival: Owner;
}

/** The content of an object may be secret, so that others only learn a few digits of a hash. */
const madeKey = (place: string, identity: string): string => keyOfParts(place, identity).slice(0, 10);

/** The objects without a unique name that the resources of a program declare. Two equal ones could not be told apart. */
export class DeclaredObjects {
  /** Resources that may be parents, by URN, and by type and id. */
  readonly parents = new Map<string, DeclaredParent>();
  readonly #singles = new Map<string, Map<string, ResourceDeclaration[]>>();
  /** The places and identities that resources of one object declare, by the name of the resource. */
  readonly #placesOf = new Map<string, { readonly place: string; readonly identity: string }[]>();
  readonly #madeSingles = new Map<string, Set<string>>();
  readonly #sets = new Map<string, ResourceDeclaration[]>();
  /** The parent of each resource that has one, as its type and its id. */
  readonly #below = new Map<string, { readonly owner: Owner; readonly parent: string }>();

  constructor(private readonly record: () => OwnersOfRun) {}

  /** The resource that has the object with this id, above those of a kind. */
  parentWith(id: string, { parentType = "" }: Description["id"]): DeclaredParent | undefined {
    return this.parents.get(`${parentType} ${id}`);
  }

  /** Notes the parent of a resource. */
  declareBelow(parent: string, owner: Owner): void {
    this.#below.set(owner.urn ?? owner.name, { owner, parent });
  }

  /** The resources that the program declares below a parent. */
  below(parent: string): Owner[] {
    return [...this.#below.values()].flatMap((one) => (one.parent === parent ? [one.owner] : []));
  }

  /** Whether the engine has asked about a resource below a parent. */
  hasPlace(owner: Owner): boolean {
    return [...this.#below.values()].some((one) => isSameOwner(one.owner, owner));
  }

  /** Notes what a resource declares under a parent. Returns another resource that declares the same, if one of the two creates it. */
  declare(place: string, identity: string, owner: Owner, isMade: boolean): Owner | undefined {
    const singles = cached(this.#singles, place, () => new Map<string, ResourceDeclaration[]>());
    const alike = (singles.get(identity) ?? []).filter((one) => !isSameOwner(one.owner, owner));
    const made: ReadonlySet<string> = new Set(isMade ? [identity] : []);
    cached(this.#placesOf, owner.name, () => []).push({ place, identity });
    singles.set(identity, [...alike, { owner, all: () => new Map(), made }]);
    if (isMade) cached(this.#madeSingles, place, () => new Set<string>()).add(identity);
    this.#tell(place, made, owner);
    const single = alike.find((one) => isMade || one.made.has(identity));
    const set = (this.#sets.get(place) ?? []).find((one) =>
      isMade ? one.made.has(identity) || one.all().has(identity) : one.made.has(identity),
    );
    return (single ?? set)?.owner;
  }

  /** Tells the other processes of the run what this one will create. A list of theirs may have it at once. */
  #tell(place: string, made: ReadonlySet<string>, owner: Owner): void {
    const keys = [...made].map((identity) => madeKey(place, identity));
    if (keys.length > 0) this.record().add("made", keys, owner);
  }

  /** Whether another resource declares an object under a parent, or creates it in another process of the run. */
  isOthers(place: string, identity: string, owner: Owner): boolean {
    const elsewhere = this.record().others().made.get(madeKey(place, identity));
    if (elsewhere !== undefined && !isSameOwner(elsewhere, owner)) return true;
    const isOther = (one: ResourceDeclaration) => !isSameOwner(one.owner, owner);
    const singles = this.#singles.get(place)?.get(identity) ?? [];
    const sets = this.#sets.get(place) ?? [];
    return singles.some(isOther) || sets.some((one) => isOther(one) && one.all().has(identity));
  }

  /** Forgets what a deleted resource declared. */
  forget(owner: Owner): void {
    for (const { place, identity } of this.#placesOf.get(owner.name) ?? []) {
      const singles = this.#singles.get(place);
      const left = singles?.get(identity)?.filter((one) => !isSameOwner(one.owner, owner)) ?? [];
      if (left.length > 0) singles?.set(identity, left);
      else singles?.delete(identity);
    }
  }

  /** Notes what a set declares. Returns an object that another resource declares too, if one of the two creates it. */
  declareMany(place: string, declaration: ResourceDeclaration): Double | undefined {
    const { owner, all, made } = declaration;
    const others = (this.#sets.get(place) ?? []).filter((one) => !isSameOwner(one.owner, owner));
    this.#sets.set(place, [...others, declaration]);
    this.#tell(place, made, owner);
    const singles = this.#singles.get(place);
    for (const identity of made) {
      const rival = singles?.get(identity)?.[0] ?? others.find((one) => one.all().has(identity));
      if (rival !== undefined) return { what: all().get(identity) ?? "", rival: rival.owner };
    }
    for (const identity of this.#madeSingles.get(place) ?? []) {
      const what = all().get(identity);
      const rival = singles?.get(identity)?.[0];
      if (what !== undefined && rival !== undefined) return { what, rival: rival.owner };
    }
    for (const other of others) {
      for (const identity of other.made) {
        const what = all().get(identity);
        if (what !== undefined) return { what, rival: other.owner };
      }
    }
    return undefined;
  }
}
