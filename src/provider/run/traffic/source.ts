/** How the objects of one kind, under one parent, are read. */
export interface Source<Item> {
  /** Reads one object. Undefined if it does not exist. */
  one(id: string): Promise<Item | undefined>;
  /** Lists them. Without it, each is read by itself. */
  all?(): AsyncIterable<Item>;
  idOf(item: Item): string;
}
