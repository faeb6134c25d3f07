import fc from "fast-check";
import { isEmpty, type Plan, planOf } from "../../../src/provider/collection/plan";
import { type Member } from "../../../src/provider/describe/define-collection";
import { domainRecordSet } from "../../../src/resources/domain-record-set";
import { heldOf, members, wantedOf } from "./arbitrary-members";

const { write } = domainRecordSet;

/** The members after the plan. An update sets the wanted inputs, and omitted inputs return to their defaults. */
function after({ keep, change, add }: Plan): string[] {
  return [...keep, ...change]
    .map(({ wanted }) => write({ inputs: wanted.inputs }))
    .concat(add.map(({ inputs }) => write({ inputs })))
    .sort();
}

const contents = (list: readonly Member[]) => list.map(({ inputs }) => write({ inputs })).sort();

describe("a plan", () => {
  test("uses each existing member once, and results in all wanted members", () => {
    fc.assert(
      fc.property(members, members, (before, then) => {
        const [held, wanted] = [heldOf(before), wantedOf(then)];
        const plan = planOf(domainRecordSet, held, wanted);
        const used = [...plan.keep, ...plan.change]
          .map(({ held: one }) => one.id)
          .concat(plan.remove.map(({ id }) => id));
        expect(used.sort()).toEqual(held.map(({ id }) => id).sort());
        expect(after(plan)).toEqual(contents(wanted));
      }),
    );
  });

  test("keeps every equal member unchanged", () => {
    fc.assert(
      fc.property(members, members, (before, then) => {
        const [held, wanted] = [heldOf(before), wantedOf(then)];
        const { keep } = planOf(domainRecordSet, held, wanted);
        const both = contents(held).filter((text) => contents(wanted).includes(text));
        expect(contents(keep.map(({ wanted: one }) => one))).toEqual(both);
      }),
    );
  });

  test("for the existing members is empty, in any order and with other keys", () => {
    fc.assert(
      fc.property(members, (list) => {
        const reversed = [...list].reverse().map(({ inputs }) => ({ inputs }));
        expect(isEmpty(planOf(domainRecordSet, heldOf(list), wantedOf(reversed)))).toBe(true);
      }),
    );
  });

  test("never changes a type, and never clears a value without a default", () => {
    fc.assert(
      fc.property(members, members, (before, then) => {
        for (const { held, wanted } of planOf(domainRecordSet, heldOf(before), wantedOf(then)).change) {
          expect(wanted.inputs["type"]).toBe(held.inputs["type"]);
          const gone = Object.keys(held.inputs).filter((field) => wanted.inputs[field] === undefined);
          expect(gone.filter((field) => field !== "ttlSec")).toEqual([]);
        }
      }),
    );
  });

  test("changes each of several records with one name into the most similar one", () => {
    const round = (...targets: string[]) =>
      targets.map((target) => ({ inputs: { type: "A", name: "www", target } }));
    const plan = planOf(
      domainRecordSet,
      heldOf(round("192.0.2.1", "192.0.2.2", "192.0.2.3")),
      wantedOf(round("192.0.2.2", "192.0.2.4", "192.0.2.3")),
    );
    expect(plan.change.map(({ held, wanted }) => [held.inputs["target"], wanted.inputs["target"]])).toEqual([
      ["192.0.2.1", "192.0.2.4"],
    ]);
    expect([plan.keep.length, plan.add, plan.remove]).toEqual([2, [], []]);
  });
});
