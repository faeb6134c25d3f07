import { UNKNOWN } from "../../../src/provider/base/values";
import { recordEntries } from "../../../src/resources/families/record-entries";

const a = { type: "A", target: "192.0.2.1" };
const www = { type: "CNAME", name: "www", target: "example.org" };
/** A record with only unknown values. */
const unknown = { name: UNKNOWN, type: UNKNOWN, target: UNKNOWN };

const entries = (given: unknown) => {
  const { entries: found, failures } = recordEntries(given);
  expect(failures).toEqual([]);
  return found;
};

const failures = (given: unknown) => {
  const result = recordEntries(given);
  return result.failures.map(({ property, reason }) => `${property} ${reason}`);
};

const list = [
  { path: "records[0]", inputs: a },
  { path: "records[1]", inputs: www },
];
const keyed = [
  { path: 'records["one"]', key: "one", inputs: a },
  { path: 'records["two \\"2\\""]', key: 'two "2"', inputs: www },
];

describe("inputs without outputs, which arrive as one JSON text,", () => {
  test("can have records as a list or by keys", () => {
    expect(entries(JSON.stringify({ records: [a, www] }))).toEqual(list);
    expect(entries(JSON.stringify({ records: { one: a, 'two "2"': www } }))).toEqual(keyed);
    expect(entries(JSON.stringify({ records: [] }))).toEqual([]);
  });

  test.each(["www A 192.0.2.1", "\nwww A 192.0.2.1\n"])("have the zone file unchanged: %j", (zoneFile) => {
    expect(entries(JSON.stringify({ zoneFile }))).toMatchObject([
      { inputs: { name: "www", type: "A", target: "192.0.2.1" } },
    ]);
  });

  test("can have an empty zone file", () => {
    expect(entries(JSON.stringify({ zoneFile: "" }))).toEqual([]);
  });
});

describe("inputs with outputs, which arrive in parts,", () => {
  test("have records as a JSON text, as members, or as members with some JSON texts", () => {
    expect(entries({ records: JSON.stringify([a, www]) })).toEqual(list);
    expect(entries({ records: [a, JSON.stringify(www)] })).toEqual(list);
    expect(entries({ records: { one: JSON.stringify(a), 'two "2"': www } })).toEqual(keyed);
  });

  test("have the zone file as a JSON string", () => {
    expect(entries({ zoneFile: JSON.stringify("\n@ A 192.0.2.1") })).toEqual([
      { path: "zoneFile: line 2", inputs: a },
    ]);
  });
});

describe("an unknown value", () => {
  test.each([[UNKNOWN], [{ records: UNKNOWN }]])(
    "for all records is one record with only unknown values: %j",
    (given) => {
      expect(entries(given)).toEqual([{ path: "records", inputs: unknown }]);
    },
  );

  test("for the zone file is one record with only unknown values", () => {
    expect(entries({ zoneFile: UNKNOWN })).toEqual([{ path: "zoneFile", inputs: unknown }]);
  });

  test("for a member is an unknown record with the member's key", () => {
    expect(entries({ records: [JSON.stringify(a), UNKNOWN] })).toEqual([
      list[0],
      { path: "records[1]", inputs: unknown },
    ]);
    expect(entries({ records: { one: UNKNOWN } })).toEqual([
      { path: 'records["one"]', key: "one", inputs: unknown },
    ]);
  });

  test("in a member stays in the member", () => {
    const member = { type: "A", target: UNKNOWN };
    expect(entries({ records: [member] })).toEqual([{ path: "records[0]", inputs: member }]);
  });
});

test("a null property counts as omitted", () => {
  expect(entries(JSON.stringify({ records: [{ ...a, name: null, ttlSec: null }] }))).toEqual([list[0]]);
  expect(entries({ records: [{ ...a, name: undefined }], zoneFile: null })).toEqual([list[0]]);
});

test("a key can be any string", () => {
  const keys = ["", "__proto__", "constructor", "0", "a\nb"];
  const text = `{"records":{${keys.map((key) => `${JSON.stringify(key)}:${JSON.stringify(a)}`).join(",")}}}`;
  expect(new Set(entries(text).map(({ key }) => key))).toEqual(new Set(keys));
});

describe("an invalid form is refused with the reason:", () => {
  const object = 'must be an object such as { type: "A", target: "192.0.2.1" }';
  const required = "records or zoneFile is required; set one of them";

  test.each<[unknown, string[]]>([
    [undefined, [required]],
    [{}, [required]],
    [{ records: null }, [required]],
    ["no JSON", [required]],
    [{ records: [], zoneFile: '""' }, ["zoneFile cannot be set together with records; set one of them"]],
    ['{"records":[],"zoneFile":""}', ["zoneFile cannot be set together with records; set one of them"]],
    ['{"zoneFile":5}', ["zoneFile must be the text of a zone file"]],
    [{ zoneFile: "{}" }, ["zoneFile must be the text of a zone file"]],
    ['{"records":5}', ["records must be a list of records, or an object that gives each record a key"]],
    [
      { records: "@ A 192.0.2.1" },
      ["records must be a list of records, or an object that gives each record a key"],
    ],
    ['{"records":["@ A 192.0.2.1",null,[]]}', [0, 1, 2].map((index) => `records[${index}] ${object}`)],
    [
      { records: { one: "@ A 192.0.2.1", two: "5" } },
      ["one", "two"].map((key) => `records["${key}"] ${object}`),
    ],
    [
      '{"zoneFile":"a A\\n\\nb HINFO"}',
      [
        "zoneFile: line 1 must have an address after A",
        expect.stringMatching(/^zoneFile: line 3 is of type HINFO/),
      ],
    ],
  ])("%j", (given, said) => {
    expect(failures(given)).toEqual(said);
  });
});
