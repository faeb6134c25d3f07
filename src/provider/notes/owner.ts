/** A resource as the owner of objects. */
export interface Owner {
  /** Omitted if neither the state nor the call has it. Then the name identifies the resource. */
  readonly urn?: string;
  /** The name in messages: its type and its name in the program. */
  readonly name: string;
  /** Whether it holds many objects and may give up each of them. */
  readonly isSet?: true;
  /** When its object was created, if that is known. */
  readonly created?: string;
}

/** Whether two resources may have the same object, although they are not the same: an object of another time is one of another account with an equal id. */
export const isRival = (a: Owner, b: Owner): boolean =>
  !isSameOwner(a, b) && (a.created === undefined || b.created === undefined || a.created === b.created);

export const isSameOwner = (a: Owner, b: Owner): boolean =>
  a.urn === undefined || b.urn === undefined ? a.name === b.name : a.urn === b.urn;
