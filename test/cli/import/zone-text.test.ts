import fc from "fast-check";
import { zoneTextOf } from "../../../src/cli/import/zone-text";
import { type Properties } from "../../../src/provider/base/values";
import { descriptions } from "../../../src/resources";
import { anyCharacter } from "../../helpers/characters";

const { DomainRecordSet: set } = descriptions;
const ORIGIN = "example.org";

const line = (inputs: Properties): string => set.write({ inputs });

/** What the set declares of a zone file on the disk. */
function readBack(text: string): string[] {
  const { entries, failures } = set.entries({ zoneFile: Buffer.from(text).toString() });
  expect(failures).toEqual([]);
  return entries.map(({ inputs }) => line(inputs)).sort();
}

const label = fc.constantFrom("www", "*", "_dmarc", "a-b", "WWW", "ünï", "xn--nxasmq6b", "300", "IN", "TXT");
const hostile = fc.constantFrom(
  ...[
    "@",
    ".",
    "a b",
    "a\\.b",
    "a\\",
    "a;b",
    'a"b',
    "(",
    "$TTL",
    "$ORIGIN",
    "www.",
    "a..b",
    " www",
    "\ud800",
  ],
  ...["www.example.org.", "_sip._tcp", "a\nb", "a\tb", "\u2028"],
);
const name = fc.option(
  fc.oneof(
    { weight: 4, arbitrary: fc.array(label, { minLength: 1, maxLength: 3 }).map((all) => all.join(".")) },
    { weight: 1, arbitrary: hostile },
    { weight: 1, arbitrary: fc.string({ minLength: 1, maxLength: 8, unit: anyCharacter }) },
  ),
  { nil: undefined },
);
const text = fc.oneof(
  fc.string({ maxLength: 20, unit: anyCharacter }),
  fc.constantFrom("", '"', "\\", "\\065", "; no comment", "a\r\nb", "\ud800", "\ufeff", "日本 🎉"),
  fc.nat(600).map((length) => "ü".repeat(length)),
);
const host = fc.oneof(
  fc.constantFrom("mx.example.net", "example.org", "*.x", ".", "a.", "A.Example", "relative", ""),
  text,
);
const ttlSec = fc.option(fc.constantFrom(300, 3600, 2_419_200), { nil: undefined });
const small = fc.nat(255);
const common = { name, ttlSec };

/** Records as the service may store them, as the inputs that declare them. */
const record: fc.Arbitrary<Properties> = fc
  .oneof(
    fc.record({ ...common, type: fc.constant("A"), target: fc.oneof(fc.ipV4(), text) }),
    fc.record({ ...common, type: fc.constant("AAAA"), target: fc.oneof(fc.ipV6(), text) }),
    fc.record({ ...common, type: fc.constantFrom("NS", "CNAME", "PTR", "SOA", "NEW"), target: host }),
    fc.record({
      ...common,
      type: fc.constant("MX"),
      target: host,
      priority: fc.option(small, { nil: undefined }),
    }),
    fc.record({ ...common, type: fc.constant("TXT"), target: text }),
    fc.record({
      ...common,
      type: fc.constant("CAA"),
      target: text,
      tag: fc.constantFrom("issue", "iodef", "Issue", "", undefined),
    }),
    fc.record({
      ...common,
      type: fc.constant("SRV"),
      target: host,
      priority: small,
      weight: small,
      port: fc.option(small, { nil: undefined }),
      service: fc.constantFrom("sip", "_sip", "a.b", "", undefined),
      protocol: fc.constantFrom("tcp", "udp", " ", undefined),
    }),
  )
  .map((shown) => set.inputsOf(shown));

test("a zone file holds exactly the records that it reads back equal, and the others are told apart", () => {
  fc.assert(
    fc.property(fc.array(record, { maxLength: 12 }), (records) => {
      const { text: zone, without } = zoneTextOf(ORIGIN, records);
      const inZone = records.filter((_, index) => !without.has(index)).map(line);
      expect(readBack(zone)).toEqual(inZone.sort());
    }),
    { numRuns: 150 },
  );
});

test("ordinary records of every type are in the zone file", () => {
  const records: Properties[] = [
    { type: "A", target: "192.0.2.1" },
    { type: "A", name: "*.dev", target: "192.0.2.1", ttlSec: 300 },
    { type: "AAAA", name: "www", target: "2001:db8::1" },
    { type: "NS", name: "sub", target: "ns1.example.net" },
    { type: "MX", target: "mx.example.net", priority: 0 },
    { type: "CNAME", name: "blog", target: "example.net" },
    { type: "TXT", name: "_dmarc", target: 'v=DMARC1; p=none "quoted" \\ ü 日本 🎉' },
    { type: "TXT", target: "" },
    { type: "TXT", name: "long", target: "ü".repeat(500) },
    {
      type: "SRV",
      service: "sip",
      protocol: "tcp",
      target: "sip.example.net",
      priority: 1,
      weight: 2,
      port: 3,
    },
    { type: "SRV", name: "x", service: "sip", protocol: "tcp", target: ".", priority: 1, weight: 2, port: 3 },
    { type: "PTR", name: "10", target: "host.example.net" },
    { type: "CAA", tag: "issue", target: "ca.example.net" },
  ];
  const { text: zone, without } = zoneTextOf(ORIGIN, records);
  expect([...without]).toEqual([]);
  expect(readBack(zone)).toEqual(records.map(line).sort());
  for (const row of zone.split("\n")) expect(row).toMatch(/^[\x20-\x7e]*$/);
});

test("equal records are not in the zone file, as only their ids tell them apart", () => {
  const www = { type: "A", name: "www", target: "192.0.2.1" };
  const records = [www, { ...www, ttlSec: 300 }, { ...www, name: "mail" }, { ...www, name: "managed" }];
  const { text: zone, without } = zoneTextOf(ORIGIN, records, [...records, { ...www, name: "managed" }]);
  expect([...without]).toEqual([0, 1, 3]);
  expect(zone).toBe("$ORIGIN example.org.\nmail A 192.0.2.1\n");
});
