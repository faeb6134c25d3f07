import fc from "fast-check";
import { type Held, heldIn, storedFor } from "../../../src/provider/state/members";
import { type State } from "../../../src/provider/state/call";
import { outputsOfState, stateIn } from "../../../src/provider/state/codec";
import { domainRecordSet } from "../../../src/resources/domain-record-set";
import { heldOf, members, wantedOf } from "../collection/arbitrary-members";

describe("the state of members", () => {
  const stored = (list: readonly Held[], declared?: readonly string[]): State => {
    const { text, members: kept } = storedFor(list, declared);
    const state = { outputs: { records: text }, sent: new Map(), isManaged: true, members: kept };
    return stateIn(JSON.parse(JSON.stringify(outputsOfState(state))) as Record<string, unknown>);
  };
  const shape = (list: readonly Held[]) =>
    list
      .map(({ id, line, inputs, answered, key }) => ({ id, line, inputs, answered, key }))
      .sort((a, b) => Number(a.id) - Number(b.id));

  test("returns each member with its id and the service's answer", () => {
    fc.assert(
      fc.property(members, fc.nat(12), (list, odd) => {
        const held = heldOf(list).map((member, index) =>
          index === odd ? { ...member, answered: { ttlSec: 7 } } : member,
        );
        expect(shape(heldIn(domainRecordSet, stored(held)))).toEqual(shape(held));
      }),
    );
  });

  test("shows only declared members, and returns all members", () => {
    fc.assert(
      fc.property(members, members, (before, then) => {
        const held = heldOf(before);
        const declared = wantedOf(then).map(({ line }) => line);
        const state = stored(held, declared);
        const shown = String(state.outputs["records"]).split("\n").slice(0, -1);
        expect(shown.filter((line) => !declared.includes(line))).toEqual([]);
        expect(shape(heldIn(domainRecordSet, state))).toEqual(shape(held));
      }),
    );
  });

  test("is empty for invalid outputs", () => {
    const held = (outputs: Record<string, unknown>) => heldIn(domainRecordSet, stateIn(outputs));
    expect(held({ records: "www A 192.0.2.1\n", __ids: "" })).toEqual([]);
    expect(held({ records: 7, __ids: "", __left: [["1"], "x", [2, "www A 192.0.2.1"]] })).toEqual([]);
  });
});
