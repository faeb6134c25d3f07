import * as fc from "fast-check";
import { changedInputs } from "../../../src/provider/state/changed-inputs";
import { type Leaf, leavesOf } from "../../../src/provider/describe/fields";
import { withDrift } from "../../../src/provider/state/drift";
import { asInputs, asOutputs, lastSent, setInputs } from "../../../src/provider/state/sent";
import { type Properties, same, valueAt } from "../../../src/provider/state/values";
import {
  descriptions,
  inputsOf,
  objectOf,
  otherThan,
  respelt,
  rewritesOf,
  valuesAt,
  withValue,
} from "../arbitraries";

/**
 * The one rule for everything the server rewrites, held against the inputs of every resource and servers that do as they please:
 * what the program did not change is no change, and what the server did not change is no drift.
 */
describe.each(descriptions.map((description) => ({ name: description.type, description })))(
  "$name",
  ({ description }) => {
    const leaves = leavesOf(description.fields);

    /** Inputs, and an object that a server made of them: each value as it was, rewritten, cleared, filled in, or not shown. */
    const created = inputsOf(description).chain((inputs) =>
      fc
        .tuple(...leaves.map((leaf) => liveOf(leaf, inputs)))
        .map((values) => ({ inputs, live: objectOf(leaves, values) })),
    );

    const liveOf = (leaf: Leaf, inputs: Properties): fc.Arbitrary<unknown> => {
      if (leaf.secret === true) return fc.constant(undefined);
      const given = valueAt(inputs, leaf.path);
      return given === undefined
        ? fc.option(fc.oneof(valuesAt(leaf), fc.constant(null)), { nil: undefined })
        : rewritesOf(given);
    };

    /** What is stored after a creation. */
    const store = (inputs: Properties, live: Properties) =>
      asOutputs(leaves, setInputs(leaves, inputs), live);

    /** The paths of what an `up` with these inputs would do. */
    const changes = (stored: Properties, inputs: Properties) =>
      changedInputs(leaves, stored, inputs).map(({ leaf }) => leaf.path);

    /** A read of the object as it is now: the inputs that it shows, and the outputs to store. */
    const read = (stored: Properties, live: Properties) => {
      const sent = withDrift(leaves, stored, live);
      return { inputs: asInputs(sent), outputs: asOutputs(leaves, sent, live, stored) };
    };

    test("the same inputs are no change after the creation, whatever the server made of them", () => {
      fc.assert(
        fc.property(created, ({ inputs, live }) => {
          expect(changes(store(inputs, live), inputs)).toEqual([]);
        }),
      );
    });

    test("inputs written in another way that means the same are no change", () => {
      fc.assert(
        fc.property(created, ({ inputs, live }) => {
          const others = objectOf(
            leaves,
            leaves.map((leaf) => {
              const value = valueAt(inputs, leaf.path);
              return value === undefined ? undefined : respelt(leaf, value);
            }),
          );
          expect(changes(store(inputs, live), others)).toEqual([]);
        }),
      );
    });

    test("an object that did not change reads as what was sent, and calls for nothing, however often it is read", () => {
      fc.assert(
        fc.property(created, ({ inputs, live }) => {
          const once = read(store(inputs, live), live);
          const twice = read(once.outputs, live);
          expect(once.inputs).toEqual(inputs);
          expect(twice).toEqual(once);
          expect(changes(twice.outputs, inputs)).toEqual([]);
        }),
      );
    });

    test("a server that spells what it has in another way, or in another order, has not drifted", () => {
      fc.assert(
        fc.property(created, ({ inputs, live }) => {
          const spelt = objectOf(
            leaves,
            leaves.map((leaf) => {
              const value = valueAt(live, leaf.path);
              return value === undefined || value === null ? value : respelt(leaf, value);
            }),
          );
          const { inputs: shown, outputs } = read(store(inputs, live), spelt);
          expect(shown).toEqual(inputs);
          expect(changes(outputs, inputs)).toEqual([]);
        }),
      );
    });

    const readable = leaves.filter(
      (leaf) => leaf.secret !== true && leaf.followsService !== true && leaf.change !== "none",
    );

    test("a real change of one managed input is found by a read, reported as that one, and undone by the next `up`", () => {
      const drifted = fc
        .tuple(created, fc.constantFrom(...readable))
        .filter(([{ inputs, live }, leaf]) => {
          const [given, shown] = [valueAt(inputs, leaf.path), valueAt(live, leaf.path)];
          return given !== undefined && shown !== undefined;
        })
        .chain(([{ inputs, live }, leaf]) =>
          otherThan(leaf, valueAt(live, leaf.path)).map((value) => ({ inputs, live, leaf, value })),
        );
      fc.assert(
        fc.property(drifted, ({ inputs, live, leaf, value }) => {
          const now = withValue(live, leaf, value);
          const { inputs: shown, outputs } = read(store(inputs, live), now);
          expect(valueAt(shown, leaf.path)).toEqual(value ?? undefined);
          expect(shown).toEqual(withValue(inputs, leaf, value ?? undefined));
          // Somebody may have brought about what the program wants.
          const wanted = valueAt(inputs, leaf.path);
          expect(changes(outputs, inputs)).toEqual(same(leaf.comparison, value, wanted) ? [] : [leaf.path]);
          expect(read(outputs, now).inputs).toEqual(shown);
        }),
      );
    });

    test("inputs that the program leaves to the service may move: that is no drift", () => {
      const moved = created.chain(({ inputs, live }) =>
        fc
          .tuple(
            ...leaves.map((leaf) => {
              const shown = valueAt(live, leaf.path);
              const managed = valueAt(inputs, leaf.path) !== undefined;
              return managed || shown === undefined
                ? fc.constant(shown)
                : fc.oneof(valuesAt(leaf), fc.constant(null));
            }),
          )
          .map((values) => ({ inputs, live, now: objectOf(leaves, values) })),
      );
      fc.assert(
        fc.property(moved, ({ inputs, live, now }) => {
          const { inputs: shown, outputs } = read(store(inputs, live), now);
          expect(shown).toEqual(inputs);
          expect(changes(outputs, inputs)).toEqual([]);
        }),
      );
    });

    test("a changed input is the one change", () => {
      const changed = fc
        .tuple(created, fc.constantFrom(...readable))
        .filter(([{ inputs }, leaf]) => valueAt(inputs, leaf.path) !== undefined)
        .chain(([{ inputs, live }, leaf]) =>
          otherThan(leaf, valueAt(inputs, leaf.path))
            .filter((value) => value !== null)
            .map((value) => ({ inputs, live, leaf, value })),
        );
      fc.assert(
        fc.property(changed, ({ inputs, live, leaf, value }) => {
          const found = changedInputs(leaves, store(inputs, live), withValue(inputs, leaf, value));
          expect(found.map((change) => [change.leaf.path, change.value])).toEqual([[leaf.path, value]]);
        }),
      );
    });

    test("an input that is removed goes back to the documented default, or is replaced where it cannot be cleared, if the object has another value", () => {
      const removed = fc
        .tuple(created, fc.constantFrom(...readable))
        .filter(([{ inputs }, leaf]) => valueAt(inputs, leaf.path) !== undefined);
      fc.assert(
        fc.property(removed, ([{ inputs, live }, leaf]) => {
          const stored = store(inputs, live);
          const without = withValue(inputs, leaf, undefined);
          const to = leaf.removed === "replace" ? null : leaf.default;
          const moves = to !== undefined && !same(leaf.comparison, valueAt(stored, leaf.path), to);
          const found = changedInputs(leaves, stored, without);
          expect(found.map((change) => [change.leaf.path, change.value])).toEqual(
            moves ? [[leaf.path, to]] : [],
          );
        }),
      );
    });

    test("what was sent is remembered once: only where the answer differs, and never a secret", () => {
      fc.assert(
        fc.property(created, ({ inputs, live }) => {
          const stored = store(inputs, live);
          const kept = (stored["__sent"] ?? {}) as Properties;
          const differing = leaves.filter((leaf) => {
            const [given, shown] = [valueAt(inputs, leaf.path), valueAt(live, leaf.path)];
            return given !== undefined && shown !== undefined && !same("value", given, shown);
          });
          expect(Object.keys(kept).sort()).toEqual(differing.map(({ path }) => path).sort());
          expect(lastSent(stored)).toEqual(setInputs(leaves, inputs));
        }),
      );
    });
  },
);
