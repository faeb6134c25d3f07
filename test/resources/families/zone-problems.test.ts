import { type Properties, UNKNOWN } from "../../../src/provider/base/values";
import { Zone } from "../../../src/resources/families/zone-problems";

/** The problems of a zone: the place of the record, the property and the reason. */
function problemsIn(
  records: readonly Properties[],
  domain: string | undefined = "example.org",
  isComplete = true,
) {
  const zone = new Zone(domain);
  const parts = records.map((inputs) => ({ inputs }));
  for (const part of parts) zone.add(part);
  const called = (part: unknown) => `#${parts.findIndex((one) => one === part)}`;
  return parts.flatMap((part) =>
    zone.problems(part, isComplete).map(({ property, reason, with: other }) => {
      const text = typeof reason === "string" ? reason : reason(called(other));
      return `${called(part)} ${property} ${text}`;
    }),
  );
}

const record = (type: string, name: string, target: string, more: Properties = {}): Properties => ({
  type,
  ...(name === "" ? {} : { name }),
  target,
  ...more,
});
const a = (name: string, more: Properties = {}) => record("A", name, "192.0.2.1", more);
const mx = (name: string, target: string) => record("MX", name, target, { priority: 10 });
const alias = (name: string, target = "www.example.net") => record("CNAME", name, target);
const srv = (target: string, more: Properties = {}) =>
  record("SRV", "", target, { service: "sip", protocol: "tcp", priority: 1, weight: 2, port: 3, ...more });

const long = (count: number) => Array.from({ length: count }, () => "a".repeat(49)).join(".");

test.each<[string, readonly Properties[], readonly RegExp[]]>([
  [
    "a CNAME at the domain itself",
    [alias("")],
    [/^#0 type is CNAME at the domain itself, .* write A and AAAA records$/],
  ],
  ["a CNAME beside other data", [alias("WWW"), a("www")], [/^#0 type is CNAME, and #1 has the same name; /]],
  ["two CNAMEs of one name", [alias("x"), alias("x", "y.example.net")], [/^#1 type is CNAME, and #0 has/]],
  [
    "a name that repeats the domain",
    [a("www.example.org")],
    [
      /^#0 name "www.example.org" ends in the name of the domain, so the record is that of "www.example.org.example.org"; write "www"$/,
    ],
  ],
  ["the name of the domain", [record("TXT", "Example.org", "x")], [/; omit it for the domain itself$/]],
  [
    "a name outside the domain",
    [a("www.example.net.")],
    [/^#0 name "www.example.net." is not in the domain example.org; /],
  ],
  [
    "a name that is too long",
    [record("TXT", long(2), "x"), record("TXT", `${long(4)}.${"a".repeat(48)}`, "x")],
    [/^#1 name makes a name of 262 octets; a name has at most 255, /],
  ],
  [
    "the label of a service that is too long",
    [srv("x.example.net", { service: "a".repeat(63) })],
    [/^#0 name has a label of 64 octets; a label has at most 63$/],
  ],
  [
    "a priority in front of the target",
    [mx("", "10 mail.example.net"), srv("1 2 3 x.example.net")],
    [
      /^#0 target "10 mail.example.net" begins with a priority: set priority, /,
      /^#1 target "1 2 3 x.example.net" begins with numbers: set priority, weight and port, /,
    ],
  ],
  [
    "a blank in the target",
    [alias("x", "a b.example.net"), record("NS", "y", "1 ns.example.net")],
    [
      /^#0 target "a b.example.net" contains a blank; a record of type CNAME names one host$/,
      /^#1 target "1 ns.example.net" contains a blank; /,
    ],
  ],
  [
    "an address as the target",
    [mx("", "192.0.2.1"), record("NS", "x", "2001:db8::1."), srv("192.0.2.1."), alias("y", "192.0.2.1")],
    [
      /^#0 target "192.0.2.1" is an IP address; a record of type MX names a host: /,
      /^#1 target "2001:db8::1." is an IP/,
      /^#2 .* is an IP address/,
      /^#3 .* is an IP address/,
    ],
  ],
  [
    "a target that no host can have",
    [mx("", "m_x.example.net"), alias("x", "m_x.example.net"), record("PTR", "y", "m_x.example.net")],
    [/^#0 target "m_x.example.net" is not the name of a host: /],
  ],
  [
    "a target with an empty label",
    [alias("x", "a..example.net")],
    [/^#0 target "a..example.net" has an empty label; /],
  ],
  [
    "a name that no host can have",
    [a("u_s"), mx("-x", "mx.example.net"), record("TXT", "u_s", "x"), alias("_x")],
    [/^#0 name "u_s" is not the name of a host, which a record of type A needs: /, /^#1 name "-x" is not/],
  ],
  [
    "wildcards that answer for nothing",
    [record("NS", "*.x", "ns.example.net"), record("TXT", "a.*.b", "x"), a("*.c")],
    [
      /^#0 name "\*.x" is a wildcard, and an NS record cannot have one: /,
      /^#1 name "a.\*.b" has a \* that is not its first label/,
    ],
  ],
  [
    "a CNAME as the target",
    [mx("", "mail.example.org."), alias("mail"), srv("x.w.example.org"), alias("*.w")],
    [
      /^#0 target "mail.example.org." is an alias \(#1\), and a record of type MX must name a host/,
      /^#2 target "x.w.example.org" is an alias \(#3\)/,
    ],
  ],
  [
    "a target without an address",
    [mx("", "mail.example.org"), record("TXT", "mail", "x"), record("NS", "s", "ns.s.example.org")],
    [
      /^#0 target "mail.example.org" is in the domain, and no record that exists or was declared before gives it an address: /,
      /^#2 target "ns.s.example.org" is in/,
    ],
  ],
  [
    "different times to live of one name and type",
    [a("x", { ttlSec: 300 }), record("A", "X", "192.0.2.2", { ttlSec: 7200 }), record("A", "x", "192.0.2.3")],
    [
      /^#1 ttlSec is 7200, and #0 with the same name and type has 300; /,
      /^#2 ttlSec is none, and #0 with .* has 300; /,
    ],
  ],
  [
    "texts of one name that do not fit a message",
    [
      record("TXT", "x", "a".repeat(65_254)),
      record("TXT", "y", "a".repeat(65_255)),
      record("TXT", "z", "ä".repeat(20_000)),
      record("TXT", "z", "b".repeat(30_000)),
    ],
    [/^#1 target makes the records of type TXT with this name longer than a message/, /^#3 target makes/],
  ],
  [
    "records that are equal in DNS",
    [
      mx("x", "Mail.example.net."),
      mx("X", "mail.example.net"),
      record("AAAA", "y", "2001:db8::1"),
      record("AAAA", "y", "2001:DB8:0::1"),
    ],
    [/^#1 target makes this record the same as #0: /, /^#3 target makes/],
  ],
])("%s is a problem", (_, records, problems) => {
  expect(problemsIn(records)).toEqual(problems.map((problem) => expect.stringMatching(problem)));
});

test("a zone as people write it has no problem", () => {
  const zone = [
    ...[a(""), alias("www", "example.org"), mx("", "mail.example.org"), a("mail"), a("*"), a("_spf.x")],
    ...[srv("mail.example.org"), record("NS", "s", "ns.s.example.org"), a("ns.s"), mx("y", "z.example.org")],
    ...[mx("null", "."), record("TXT", "_dmarc", "v=DMARC1"), record("PTR", "p", "m_x.example.net")],
    record("CAA", "", "ca.example", { tag: "issue" }),
  ];
  expect(problemsIn(zone)).toEqual([]);
});

test("a value that is not known is no problem, and neither is what it may turn out to mend", () => {
  const unknown = [
    ...[
      alias(UNKNOWN),
      a(UNKNOWN),
      mx("", UNKNOWN),
      record(UNKNOWN, "www", UNKNOWN),
      alias("www"),
      a(UNKNOWN),
    ],
    ...[
      srv("x.example.net", { service: UNKNOWN }),
      a("x", { ttlSec: UNKNOWN }),
      record("A", "x", UNKNOWN, { ttlSec: 300 }),
    ],
  ];
  expect(problemsIn(unknown)).toEqual([]);
  expect(problemsIn([mx("", "mail.example.org"), a(UNKNOWN)])).toEqual([]);
  expect(problemsIn([mx("", "mail.example.org")], "example.org", false)).toEqual([]);
});

test("without the name of the domain, what depends on it is no problem", () => {
  const zone = new Zone();
  const part = { inputs: mx("www.example.org", "www.example.org") };
  zone.add(part);
  expect(zone.problems(part, true)).toEqual([]);
});

test("a time to live that the service rounds is not compared", () => {
  expect(problemsIn([a("x", { ttlSec: 300 }), record("A", "x", "192.0.2.2", { ttlSec: 301 })])).toEqual([]);
});

test("a record that is removed is no reason for a problem", () => {
  const zone = new Zone("example.org");
  const [gone, stays] = [{ inputs: a("www") }, { inputs: alias("www") }];
  for (const part of [gone, stays]) zone.add(part);
  expect(zone.problems(stays, true)).toHaveLength(1);
  zone.remove(gone);
  expect(zone.problems(stays, true)).toEqual([]);
});

test("a zone with 10,000 records of one name is judged in linear time", () => {
  const records = Array.from({ length: 10_000 }, (_, index) =>
    record("A", "x", `10.0.${Math.floor(index / 250)}.${index % 250}`, { ttlSec: 300 }),
  );
  expect(problemsIn([...records, alias("x")])).toEqual([
    expect.stringMatching(/^#10000 type is CNAME, and #0 /),
  ]);
});
