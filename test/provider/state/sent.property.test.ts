import * as fc from "fast-check";
import { changedInputs } from "../../../src/provider/state/update-or-replace";
import { type Leaf, leavesOf } from "../../../src/provider/describe/fields";
import { withDrift } from "../../../src/provider/state/drift";
import { type State } from "../../../src/provider/state/call";
import { outputsOfState, stateIn } from "../../../src/provider/state/codec";
import { asInputs, asStored, setInputs } from "../../../src/provider/state/sent";
import { type Properties, same, valueAt } from "../../../src/provider/base/values";
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
 * One rule for everything that the server rewrites, with the inputs of every resource and arbitrary servers: only the program's
 * changes are changes, and only the server's changes are drift.
 */
describe.each(descriptions.map((description) => ({ name: description.type, description })))(
  "$name",
  ({ description }) => {
    const leaves = leavesOf(description.fields);

    /** Inputs, and a server's object from them, with unchanged, rewritten, cleared, filled-in or hidden values. */
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

    /** The stored state after a creation. */
    const store = (inputs: Properties, live: Properties): State =>
      asStored(leaves, setInputs(leaves, inputs), live);

    /** The paths of the changes of an `up` with these inputs. */
    const changes = (stored: State, inputs: Properties) =>
      changedInputs(leaves, stored, { inputs }).map(({ leaf }) => leaf.path);

    /** A read of the current object: its inputs, and the outputs to store. */
    const read = (stored: State, live: Properties) => {
      const sent = withDrift(leaves, stored, live);
      return { inputs: asInputs(sent), outputs: asStored(leaves, sent, live, stored.outputs) };
    };

    test("equal inputs are not a change after the creation, for any rewriting by the server", () => {
      fc.assert(
        fc.property(created, ({ inputs, live }) => {
          expect(changes(store(inputs, live), inputs)).toEqual([]);
        }),
      );
    });

    test("equal inputs in another spelling are not a change", () => {
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

    test("an unchanged object reads as the sent inputs, and any number of reads finds no change", () => {
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

    test("another spelling or order in the server's answer is not drift", () => {
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

    test("a read finds a real change of one managed input, and the next `up` undoes it", () => {
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
          // Somebody may have set the value that the program wants.
          const wanted = valueAt(inputs, leaf.path);
          expect(changes(outputs, inputs)).toEqual(same(leaf.comparison, value, wanted) ? [] : [leaf.path]);
          expect(read(outputs, now).inputs).toEqual(shown);
        }),
      );
    });

    test("changes of unmanaged inputs are not drift", () => {
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

    test("a changed input is the only change", () => {
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
          const found = changedInputs(leaves, store(inputs, live), {
            inputs: withValue(inputs, leaf, value),
          });
          expect(found.map((change) => [change.leaf.path, change.value])).toEqual([[leaf.path, value]]);
        }),
      );
    });

    test("a removed input returns to its documented default, or replaces if it cannot be cleared, if the object has another value", () => {
      const removed = fc
        .tuple(created, fc.constantFrom(...readable))
        .filter(([{ inputs }, leaf]) => valueAt(inputs, leaf.path) !== undefined);
      fc.assert(
        fc.property(removed, ([{ inputs, live }, leaf]) => {
          const stored = store(inputs, live);
          const without = withValue(inputs, leaf, undefined);
          const to = leaf.removed === "replace" ? null : leaf.default;
          const moves = to !== undefined && !same(leaf.comparison, valueAt(stored.outputs, leaf.path), to);
          const found = changedInputs(leaves, stored, { inputs: without });
          expect(found.map((change) => [change.leaf.path, change.value])).toEqual(
            moves ? [[leaf.path, to]] : [],
          );
        }),
      );
    });

    test("the sent values are stored only if the answer differs, and never for a secret", () => {
      fc.assert(
        fc.property(created, ({ inputs, live }) => {
          const stored = outputsOfState(store(inputs, live));
          const kept = (stored["__sent"] ?? {}) as Properties;
          const differing = leaves.filter((leaf) => {
            const [given, shown] = [valueAt(inputs, leaf.path), valueAt(live, leaf.path)];
            return given !== undefined && shown !== undefined && !same("value", given, shown);
          });
          expect(Object.keys(kept).sort()).toEqual(differing.map(({ path }) => path).sort());
          expect(stateIn(stored).sent).toEqual(setInputs(leaves, inputs));
        }),
      );
    });
  },
);
