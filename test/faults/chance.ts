/** Returns the next number of a sequence, at least 0 and below 1. */
export type Chance = () => number;

/** The seed determines the sequence (mulberry32). */
export function chanceOf(seed: number): Chance {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** One of the choices. */
export function pick<Choice>(chance: Chance, choices: readonly [Choice, ...Choice[]]): Choice {
  return choices[Math.floor(chance() * choices.length)] ?? choices[0];
}

/** Some of the items. All are equally likely. */
export function drawn<Item>(items: readonly Item[], count: number, chance: Chance): Item[] {
  const lots = items.map((item) => ({ item, lot: chance() }));
  lots.sort((one, other) => one.lot - other.lot);
  return lots.slice(0, count).map(({ item }) => item);
}
