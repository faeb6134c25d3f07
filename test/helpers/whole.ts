/** The tests that this run is about: see scripts/test/sets.mjs. */
const set = process.env["NODECLOUD_TESTS"];

/** Whether this is a run of `npm run test:all`, whose tests take all cases. In other runs they take a part of each that has them all between them. */
export const WHOLE = set === "all";

/** Whether this is a run of `npm run test:unit` or `npm test`. */
export const SHORT = set === "unit" || set === "short";

/** A test that only `npm run test:all` runs: its claim is also proven within one process, or is a combination of those of other tests. */
export const atNight = (name: string, run: () => Promise<void>): void => {
  if (WHOLE) test(name, run);
};

/** How many random cases to try: in a short run an eighth of them. */
export const cases = (count: number): number => (SHORT ? Math.ceil(count / 8) : count);
