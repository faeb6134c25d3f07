import * as fc from "fast-check";
import { RECORD_TYPE_FIELDS, RECORD_TYPES } from "../../../src/api/records";
import { type Member } from "../../../src/provider/describe/define-collection";
import { type Properties, UNKNOWN } from "../../../src/provider/base/values";
import { descriptions } from "../../../src/resources";
import { dataFieldsOf, lineOf, recordOf } from "../../../src/resources/families/record-lines";
import { anyCharacter } from "../../helpers/characters";
import { cases } from "../../helpers/whole";

fc.configureGlobal({ seed: 4, endOnFailure: true });

/** Strings that look like a part of the line. */
const TRAPS = [
  ...[
    "",
    "@",
    "-",
    ";",
    "; key",
    "(unknown)",
    '({"weight":1})',
    '"',
    '"a"',
    "\\",
    "a b",
    "a\nb",
    "a\r\tb",
    "\u00a0",
  ],
  ...[
    "0",
    "5",
    "-5",
    "1e3",
    "60 A x",
    "ttlSec=5",
    "service=x",
    "service=",
    "null",
    "undefined",
    "a=b",
    "\u2028",
    "\ud800",
  ],
  ...["A", "MX", "TXT", "SRV", "DS", "type", "'", "grüße \u{1F600}", "\u001b[31m", "__proto__", UNKNOWN],
];
const texts = fc.oneof(
  fc.constantFrom(...TRAPS),
  fc.string({ unit: anyCharacter, maxLength: 12 }),
  fc.domain(),
);
const whole = fc.integer({ min: -1, max: 70_000 });
/** After a key that is a backslash, Node.js can read other escaped keys as a backslash too (nodejs/node#63785). */
const BACKSLASH = "\\";
// JSON has no -0.
const anything = fc
  .oneof(texts, whole, fc.jsonValue({ maxDepth: 2, stringUnit: anyCharacter }))
  .filter((value) => !JSON.stringify(value).includes(`${JSON.stringify(BACKSLASH)}:`))
  .map((value): unknown => JSON.parse(JSON.stringify(value)));

const field = (name: string) => (["priority", "weight", "port", "ttlSec"].includes(name) ? whole : texts);

/** Records with the properties of their type, each set or omitted. */
const records: fc.Arbitrary<Properties> = fc.constantFrom(...RECORD_TYPES).chain((type) => {
  const names = ["name", "target", "ttlSec", "service", "protocol", ...dataFieldsOf(type)];
  const fields = Object.fromEntries(names.map((name) => [name, field(name)]));
  return fc.record(fields, { requiredKeys: [] }).map((inputs) => ({ type, ...inputs }));
});

/** Objects instead of records: any properties with values of any type. */
const strays: fc.Arbitrary<Properties> = fc
  .tuple(
    fc.record(
      Object.fromEntries(
        [...Object.keys(descriptions.DomainRecord.fields), "nmae"].map((name) => [name, anything]),
      ),
      { requiredKeys: [] },
    ),
    fc.dictionary(
      texts.filter((key) => key !== BACKSLASH),
      anything,
      { maxKeys: 2 },
    ),
  )
  .map(([inputs, others]) => ({ ...others, ...inputs }));

const members = (inputs: fc.Arbitrary<Properties>): fc.Arbitrary<Member> =>
  fc.record({ key: texts, inputs }, { requiredKeys: ["inputs"] });

test.each<[Member, string]>([
  [{ inputs: { type: "A", target: "192.0.2.1" } }, "@ A 192.0.2.1"],
  [
    { key: "www", inputs: { name: "www", ttlSec: 300, type: "CNAME", target: "example.org" } },
    "www 300 CNAME example.org ; www",
  ],
  [{ key: "a key", inputs: { type: "TXT", target: "v=spf1 -all" } }, '@ TXT "v=spf1 -all" ; "a key"'],
  [{ inputs: { type: "TXT", target: "word" } }, '@ TXT "word"'],
  [{ inputs: { type: "MX", target: "mail.example.org", priority: 10 } }, "@ MX 10 mail.example.org"],
  [{ inputs: { type: "MX", target: "mail.example.org" } }, "@ MX - mail.example.org"],
  [{ inputs: { type: "CAA", tag: "issue", target: "ca.example; a=b" } }, '@ CAA issue "ca.example; a=b"'],
  [
    {
      inputs: {
        ...{ name: "pbx", type: "SRV", target: "s.example.org", service: "sip", protocol: "tcp" },
        ...{ priority: 1, weight: 2, port: 5060 },
      },
    },
    "pbx service=sip protocol=tcp SRV 1 2 5060 s.example.org",
  ],
  [
    { inputs: { name: "a", ttlSec: UNKNOWN, type: "MX", priority: UNKNOWN, target: UNKNOWN } },
    "a ttlSec=(unknown) MX (unknown) (unknown)",
  ],
  [{ inputs: { name: UNKNOWN, type: UNKNOWN, target: UNKNOWN } }, "(unknown) (unknown) (unknown)"],
  [{ inputs: { name: "a", type: "DS", target: "1 2 3 AB" } }, 'a DS "1 2 3 AB"'],
  [{ inputs: { type: "A", target: 5, weight: 1 } }, '@ A (5) ({"weight":1})'],
])("%j becomes %s", (member, line) => {
  expect(lineOf(member)).toBe(line);
  expect(recordOf(line)).toEqual(member);
});

test("the data of each type has the order of a zone file", () => {
  expect(dataFieldsOf("SRV")).toEqual(["priority", "weight", "port"]);
  expect(RECORD_TYPES.flatMap(dataFieldsOf).filter((name) => !(name in RECORD_TYPE_FIELDS))).toEqual([]);
});

test("every record becomes one line, from which it can be read back", () => {
  fc.assert(
    fc.property(members(records), (member) => {
      const line = lineOf(member);
      expect(line).not.toMatch(/[\r\n]/);
      expect(recordOf(line)).toEqual(member);
    }),
    { numRuns: cases(1000) },
  );
});

test("an object that is not a record also becomes one line, from which it can be read back", () => {
  fc.assert(
    fc.property(members(strays), (member) => {
      const line = lineOf(member);
      expect(line).not.toMatch(/[\r\n]/);
      expect(recordOf(line)).toEqual(member);
    }),
    { numRuns: cases(1000) },
  );
});

test("a changed, added or removed property changes the line", () => {
  fc.assert(
    fc.property(
      records,
      fc.constantFrom(...TRAPS, "name", "target", "priority", "tag"),
      anything,
      (inputs, name, value) => {
        fc.pre(JSON.stringify(inputs[name]) !== JSON.stringify(value));
        expect(lineOf({ inputs: { ...inputs, [name]: value } })).not.toBe(lineOf({ inputs }));
      },
    ),
    { numRuns: cases(1000) },
  );
});

test("a property without a value counts as omitted", () => {
  const inputs = { type: "A", target: "192.0.2.1" };
  expect(lineOf({ inputs: { ...inputs, name: undefined, weight: undefined, other: undefined } })).toBe(
    lineOf({ inputs }),
  );
});
