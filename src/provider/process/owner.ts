/** A resource as the owner of objects. */
export interface Owner {
  /** Left out where neither the state nor the call tells it: then it is known by its name. */
  readonly urn?: string;
  /** How messages call it: its type and its name in the program. */
  readonly name: string;
  /** Whether it has many objects, each of which it may give up. */
  readonly isSet?: true;
}

export const isSameOwner = (a: Owner, b: Owner): boolean =>
  a.urn === undefined || b.urn === undefined ? a.name === b.name : a.urn === b.urn;
