import fc from "fast-check";
import { type Held, type Wanted } from "../../../src/provider/state/members";
import { type Member } from "../../../src/provider/describe/define-collection";
import { domainRecordSet } from "../../../src/resources/domain-record-set";

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
/** Members with different contents. */
export const members: fc.Arbitrary<Member[]> = fc
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

export const wantedOf = (list: readonly Member[]): Wanted[] =>
  list.map((member) => ({ ...member, line: write(member) }));
export const heldOf = (list: readonly Member[]): Held[] =>
  wantedOf(list).map((member, index) => ({ ...member, parent: "12", id: String(index + 1), answered: {} }));
