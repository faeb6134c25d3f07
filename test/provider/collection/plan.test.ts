import fc from "fast-check";
import { domainRecordSet } from "../../../src/resources/domain-record-set";
import { type Member } from "../../../src/provider/describe/define-collection";
import { type Held, heldIn, outputsFor, type Wanted } from "../../../src/provider/collection/members";
import { isEmpty, type Plan, planOf } from "../../../src/provider/collection/plan";
import { type Properties } from "../../../src/provider/state/values";

const { write } = domainRecordSet;

const record = fc.oneof(
  fc.record(
    {
      type: fc.constantFrom("A", "TXT"),
      name: fc.constantFrom("www", "api", "x"),
      target: fc.constantFrom("192.0.2.1", "192.0.2.2", "192.0.2.3"),
      ttlSec: fc.constantFrom(300, 3600),
    },
    { requiredKeys: ["type", "target"] },
  ),
  fc.record(
    { type: fc.constant("MX"), target: fc.constantFrom("a.example", "b.example"), priority: fc.nat(2) },
    { requiredKeys: ["type", "target"] },
  ),
);
const members: fc.Arbitrary<Member[]> = fc
  .uniqueArray(
    fc.record({ inputs: record, key: fc.option(fc.constantFrom("k1", "k2", "k3"), { nil: undefined }) }),
    {
      maxLength: 12,
      selector: ({ inputs }) => write({ inputs }),
    },
  )
  .map((list) => {
    const keys = new Set<string>();
    return list.map(({ inputs, key }): Member => {
      if (key === undefined || keys.has(key)) return { inputs };
      keys.add(key);
      return { inputs, key };
    });
  });

const wantedOf = (list: readonly Member[]): Wanted[] =>
  list.map((member) => ({ ...member, line: write(member) }));
const heldOf = (list: readonly Member[]): Held[] =>
  wantedOf(list).map((member, index) => ({ ...member, id: String(index + 1), answered: {} }));

/** What would be there after the plan: an update sets what is wanted, and what it leaves out goes back to its default. */
function after({ keep, change, add }: Plan): string[] {
  return [...keep, ...change]
    .map(({ wanted }) => write({ inputs: wanted.inputs }))
    .concat(add.map(({ inputs }) => write({ inputs })))
    .sort();
}

const contents = (list: readonly Member[]) => list.map(({ inputs }) => write({ inputs })).sort();

describe("a plan", () => {
  test("uses each member that is there once and makes all that are wanted", () => {
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

  test("keeps everything that is the same, and changes nothing else about it", () => {
    fc.assert(
      fc.property(members, members, (before, then) => {
        const [held, wanted] = [heldOf(before), wantedOf(then)];
        const { keep } = planOf(domainRecordSet, held, wanted);
        const both = contents(held).filter((text) => contents(wanted).includes(text));
        expect(contents(keep.map(({ wanted: one }) => one))).toEqual(both);
      }),
    );
  });

  test("of what is there is empty, in any order and with other keys", () => {
    fc.assert(
      fc.property(members, (list) => {
        const reversed = [...list].reverse().map(({ inputs }) => ({ inputs }));
        expect(isEmpty(planOf(domainRecordSet, heldOf(list), wantedOf(reversed)))).toBe(true);
      }),
    );
  });

  test("changes no type, and takes nothing away that has no value to go back to", () => {
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

  test("makes of many records of one name the nearest ones", () => {
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

describe("the state of members", () => {
  const stored = (list: readonly Held[], declared?: readonly string[]): Properties =>
    JSON.parse(JSON.stringify(outputsFor(domainRecordSet, list, declared))) as Properties;
  const shape = (list: readonly Held[]) =>
    list
      .map(({ id, line, inputs, answered, key }) => ({ id, line, inputs, answered, key }))
      .sort((a, b) => Number(a.id) - Number(b.id));

  test("gives back each with its id and what the service answered", () => {
    fc.assert(
      fc.property(members, fc.nat(12), (list, odd) => {
        const held = heldOf(list).map((member, index) =>
          index === odd ? { ...member, answered: { ttlSec: 7 } } : member,
        );
        expect(shape(heldIn(domainRecordSet, stored(held)))).toEqual(shape(held));
      }),
    );
  });

  test("shows only what is declared, and gives back the rest too", () => {
    fc.assert(
      fc.property(members, members, (before, then) => {
        const held = heldOf(before);
        const declared = wantedOf(then).map(({ line }) => line);
        const outputs = stored(held, declared);
        const shown = String(outputs["records"]).split("\n").slice(0, -1);
        expect(shown.filter((line) => !declared.includes(line))).toEqual([]);
        expect(shape(heldIn(domainRecordSet, outputs))).toEqual(shape(held));
      }),
    );
  });

  test("of strange outputs is empty rather than wrong", () => {
    expect(heldIn(domainRecordSet, { records: "www A 192.0.2.1\n", __ids: "" })).toEqual([]);
    expect(heldIn(domainRecordSet, { records: 7, __left: [["1"], "x", [2, "www A 192.0.2.1"]] })).toEqual([]);
  });
});
