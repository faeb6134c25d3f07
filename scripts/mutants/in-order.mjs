import sequencer from "@jest/test-sequencer";

// Node and the types disagree on whether the default export of a CommonJS module is the module.
const Sequencer = /** @type {typeof sequencer.default} */ (sequencer.default ?? sequencer);

/** Runs test files in the order in MUTANTS_ORDER, a list of paths. */
export default class InOrder extends Sequencer {
  /** @override @param {Parameters<InstanceType<typeof Sequencer>["sort"]>[0]} tests */
  sort(tests) {
    /** @type {string[]} */
    const order = JSON.parse(process.env["MUTANTS_ORDER"] ?? "[]");
    const place = (/** @type {string} */ path) => order.findIndex((end) => path.endsWith(end));
    return [...tests].sort((one, other) => place(one.path) - place(other.path));
  }
}
