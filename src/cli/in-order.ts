const collator = new Intl.Collator("en", { numeric: true });

/** Orders numbers by their value, and all texts the same on each machine. */
export const inOrder = (one: string, other: string): number =>
  collator.compare(one, other) || Number(one > other) - Number(one < other);

/** Orders by the first key that differs. */
export const byKeys =
  <Item>(keys: (item: Item) => readonly string[]) =>
  (one: Item, other: Item): number => {
    const others = keys(other);
    for (const [index, key] of keys(one).entries()) {
      const order = inOrder(key, others[index] ?? "");
      if (order !== 0) return order;
    }
    return 0;
  };
