import { isSameOwner, type Owner } from "./owner";

/** What a resource declares: what it makes in this run, and what it has already. */
export interface Declaration {
  readonly owner: Owner;
  /** All that it declares, by identity, with how messages call it. Looked into when somebody asks. */
  readonly all: () => ReadonlyMap<string, string>;
  /** The identities of what is made in this run. */
  readonly made: ReadonlySet<string>;
}

/** A double: what is declared twice, and by whom else. */
export interface Double {
  readonly what: string;
  readonly rival: Owner;
}

/** Which objects without a name of their own the resources of a program declare. Two of the same could not be told apart. */
export class Contents {
  readonly #singles = new Map<string, Map<string, Declaration[]>>();
  /** Where single resources declare what, by the name of the owner. */
  readonly #placesOf = new Map<string, { readonly place: string; readonly identity: string }[]>();
  readonly #madeSingles = new Map<string, Set<string>>();
  readonly #sets = new Map<string, Declaration[]>();

  /** Notes what a resource declares in a place. The answer is one that is made and that another resource declares too. */
  declare(place: string, identity: string, owner: Owner, isMade: boolean): Owner | undefined {
    const singles = this.#singles.get(place) ?? new Map<string, Declaration[]>();
    this.#singles.set(place, singles);
    const alike = (singles.get(identity) ?? []).filter((one) => !isSameOwner(one.owner, owner));
    const made: ReadonlySet<string> = new Set(isMade ? [identity] : []);
    const places = this.#placesOf.get(owner.name);
    if (places === undefined) this.#placesOf.set(owner.name, [{ place, identity }]);
    else places.push({ place, identity });
    singles.set(identity, [...alike, { owner, all: () => new Map(), made }]);
    if (isMade) this.#madeSingles.set(place, (this.#madeSingles.get(place) ?? new Set()).add(identity));
    const single = alike.find((one) => isMade || one.made.has(identity));
    const set = (this.#sets.get(place) ?? []).find((one) =>
      isMade ? one.made.has(identity) || one.all().has(identity) : one.made.has(identity),
    );
    return (single ?? set)?.owner;
  }

  /** Notes that a resource goes. */
  forget(owner: Owner): void {
    for (const { place, identity } of this.#placesOf.get(owner.name) ?? []) {
      const singles = this.#singles.get(place);
      const left = singles?.get(identity)?.filter((one) => !isSameOwner(one.owner, owner)) ?? [];
      if (left.length > 0) singles?.set(identity, left);
      else singles?.delete(identity);
    }
  }

  /** The same of a set. */
  declareMany(place: string, declaration: Declaration): Double | undefined {
    const { owner, all, made } = declaration;
    const others = (this.#sets.get(place) ?? []).filter((one) => !isSameOwner(one.owner, owner));
    this.#sets.set(place, [...others, declaration]);
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
