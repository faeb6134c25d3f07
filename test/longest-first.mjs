import sequencer from "@jest/test-sequencer";

/** The longest files. If one of them began last, it would run alone at the end. */
const LONGEST = [
  "matrix/sdk-versions",
  "matrix/changing-hands",
  "matrix/other-languages",
  "matrix/component-package",
  "matrix/new-family",
  "matrix/moving",
  "matrix/cli-import",
];

/** @param {{ path: string }} test */
const place = ({ path }) => {
  const at = LONGEST.findIndex((name) => path.endsWith(`${name}.test.ts`));
  return at === -1 ? LONGEST.length : at;
};

// Node and the types disagree on whether the default export of a CommonJS module is the module.
const Sequencer = /** @type {typeof sequencer.default} */ (sequencer.default ?? sequencer);

/** Runs the longest files first. The others follow in jest's own order. */
export default class LongestFirst extends Sequencer {
  /**
   * @override
   * @param {Parameters<InstanceType<typeof Sequencer>["sort"]>[0]} tests
   */
  async sort(tests) {
    const sorted = await super.sort(tests);
    return sorted.sort((one, other) => place(one) - place(other));
  }
}
