import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { RECORD_TYPES } from "../../../src/api/records";
import { formatName, parseName } from "../../../src/emulator/zones/dns-names";
import { renderZone } from "../../../src/emulator/zones/zone";
import { type DomainFields } from "../../../src/emulator/kinds/domain";
import { type RecordFields } from "../../../src/emulator/kinds/record";
import { type Properties } from "../../../src/provider/base/values";
import { parseZone } from "../../../src/resources/families/zone-file";
import { anyCharacter } from "../../helpers/characters";
import { findTool } from "../../helpers/debian-tools";
import { cases } from "../../helpers/whole";

fc.configureGlobal({ seed: 4, endOnFailure: true, numRuns: cases(100) });

const zoneOf = (...lines: string[]) => lines.join("\n");

/** The inputs of the records of a valid file. */
function inputsIn(text: string): Properties[] {
  const { records, problems } = parseZone(text);
  expect(problems).toEqual([]);
  return records.map(({ inputs }) => inputs);
}

/** The problem of each line. */
const problemsIn = (...lines: string[]) =>
  parseZone(zoneOf(...lines)).problems.map(({ line, reason }) => `${line} ${reason}`);

/** The records below `$ORIGIN example.org.`. */
const read = (...lines: string[]) => inputsIn(zoneOf("$ORIGIN example.org.", ...lines));

/** The text of one TXT record. */
const textIn = (data: string) => read(`@ TXT ${data}`)[0]?.["target"];

describe("each type is read as the inputs of a record", () => {
  test.each<[string, Properties]>([
    ["@ A 192.0.2.1", { type: "A", target: "192.0.2.1" }],
    ["www IN AAAA 2001:db8::1", { name: "www", type: "AAAA", target: "2001:db8::1" }],
    ["www.example.org. CNAME @", { name: "www", type: "CNAME", target: "example.org" }],
    ["sub NS ns1.sub", { name: "sub", type: "NS", target: "ns1.sub.example.org" }],
    ["@ MX 10 mail", { type: "MX", priority: 10, target: "mail.example.org" }],
    ["@ MX 0 .", { type: "MX", priority: 0, target: "." }],
    ["10 PTR host.example.net.", { name: "10", type: "PTR", target: "host.example.net" }],
    ['@ TXT "one " "two"', { type: "TXT", target: "one two" }],
    ['* CAA 0 ISSUE "ca.example; a=b"', { name: "*", type: "CAA", tag: "issue", target: "ca.example; a=b" }],
    [
      "_sip._tcp.pbx SRV 1 2 5060 s.example.net.",
      {
        ...{ name: "pbx", service: "sip", protocol: "tcp", type: "SRV" },
        ...{ priority: 1, weight: 2, port: 5060, target: "s.example.net" },
      },
    ],
    [
      "_sip._tcp SRV 1 2 5060 .",
      { service: "sip", protocol: "tcp", type: "SRV", priority: 1, weight: 2, port: 5060, target: "." },
    ],
    [
      "plain SRV 1 2 5060 s",
      { name: "plain", type: "SRV", priority: 1, weight: 2, port: 5060, target: "s.example.org" },
    ],
    ["_dmarc._tcp TXT x", { name: "_dmarc._tcp", type: "TXT", target: "x" }],
  ])("%s", (line, inputs) => {
    expect(read(line)).toEqual([inputs]);
  });
});

describe("the part before the type", () => {
  test.each(["x 60 IN A 192.0.2.1", "x IN 60 A 192.0.2.1", "x 1m in a 192.0.2.1", "x\t60\tA\t192.0.2.1"])(
    "can have the time to live and the class in either order and any case: %j",
    (line) => {
      expect(read(line)).toEqual([{ name: "x", type: "A", target: "192.0.2.1", ttlSec: 60 }]);
    },
  );

  test("has the owner, or else the owner of the previous record applies", () => {
    const lines = ["a A 192.0.2.1", "  300 A 192.0.2.2", "\t; a comment", "$ORIGIN sub", " TXT x", "b TXT y"];
    expect(read(...lines).map(({ name }) => name)).toEqual(["a", "a", "a", "b.sub"]);
  });

  test("can have an owner that looks like a class, a type or a time", () => {
    const lines = ["in A 192.0.2.1", "soa A 192.0.2.1", "1h A 192.0.2.1", "a A 192.0.2.1"];
    expect(read(...lines).map(({ name }) => name)).toEqual(["in", "soa", "1h", "a"]);
  });
});

describe("a time to live", () => {
  test("comes from the record or the last $TTL, and is omitted without either", () => {
    const lines = [
      "a A 192.0.2.1",
      "$TTL 1h30m",
      "b A 192.0.2.1",
      "c 7 A 192.0.2.1",
      "$ttl 60",
      "d A 192.0.2.1",
    ];
    expect(read(...lines).map(({ ttlSec }) => ttlSec)).toEqual([undefined, 5400, 7, 60]);
  });

  test.each([
    ["30", 30],
    ["1w2d3h4m5s", 788_645],
    ["2D", 172_800],
  ])("of %s is %d seconds", (text, ttlSec) => {
    expect(read(`a ${text} A 192.0.2.1`)).toEqual([{ name: "a", type: "A", target: "192.0.2.1", ttlSec }]);
  });
});

describe("names", () => {
  const namesIn = (text: string) => inputsIn(text).map(({ name, target }) => [name, target]);

  test("are relative to $ORIGIN, which may itself be relative to the previous one", () => {
    const file = zoneOf(
      ...["$ORIGIN example.org.", "@ CNAME a", "$ORIGIN sub", "@ CNAME a", "b CNAME a", "$ORIGIN deep"],
      ...[
        "b CNAME @",
        "$ORIGIN example.net.",
        "b.example.org. CNAME a",
        "$ORIGIN .",
        "c.example.org CNAME org",
      ],
    );
    expect(namesIn(file)).toEqual([
      [undefined, "a.example.org"],
      ["sub", "a.sub.example.org"],
      ["b.sub", "a.sub.example.org"],
      ["b.deep.sub", "deep.sub.example.org"],
      ["b", "a.example.net"],
      ["c", "org"],
    ]);
  });

  test("are relative to the owner of the SOA, at any position in the file", () => {
    const soa = "SOA ns1 mail 1 2 3 4 5";
    expect(namesIn(zoneOf("www CNAME @", `example.org. ${soa}`))).toEqual([["www", "example.org"]]);
    expect(namesIn(zoneOf("$ORIGIN .", `example.org ${soa}`, "$ORIGIN example.org.", "www CNAME @"))).toEqual(
      [["www", "example.org"]],
    );
    expect(
      namesIn(zoneOf("$ORIGIN sub.example.org.", "a CNAME @", "$ORIGIN example.org.", `@ ${soa}`)),
    ).toEqual([["a.sub", "sub.example.org"]]);
  });

  test("stay unchanged if the file does not name the zone", () => {
    expect(
      inputsIn(zoneOf("@ A 192.0.2.1", "www CNAME example.net.", "$ORIGIN sub", "a A 192.0.2.2")),
    ).toEqual([
      { type: "A", target: "192.0.2.1" },
      { name: "www", type: "CNAME", target: "example.net" },
      { name: "a.sub", type: "A", target: "192.0.2.2" },
    ]);
  });

  test("keep their escapes, which can distinguish a period from the end of a label", () => {
    expect(
      read("a\\.b A 192.0.2.1", "c\\. A 192.0.2.1", "d CNAME e\\.f").map(({ name, target }) => [
        name,
        target,
      ]),
    ).toEqual([
      ["a\\.b", "192.0.2.1"],
      ["c\\.", "192.0.2.1"],
      ["d", "e\\.f.example.org"],
    ]);
    expect(read("a.ex\\097mple.ORG. A 192.0.2.1")).toMatchObject([{ name: "a" }]);
    expect(read("\\@ A 192.0.2.1", "_a\\.b._tcp.x SRV 1 2 3 .")).toMatchObject([
      { name: "\\@" },
      { name: "x", service: "a\\.b", protocol: "tcp" },
    ]);
    expect(problemsIn("$ORIGIN example.org.", "a\\.example.org. A 192.0.2.1")).toEqual([
      "2 has the name a\\.example.org., which is not in the zone example.org.",
    ]);
  });
});

describe("a text", () => {
  test.each([
    ['"a;b (c)"', "a;b (c)"],
    ['"quote \\" backslash \\\\ A \\065"', 'quote " backslash \\ A A'],
    ["v=spf1", "v=spf1"],
    ['a\\;b\\032c \\"', 'a;b c"'],
    ['""', ""],
    ['"one ""two" ; three', "one two"],
    ['( "one "\n  "two" ; comment ")\n )', "one two"],
    ['"grüße \u{1F600}"', "grüße \u{1F600}"],
    ['"\\\u{1F600}\u00a0"', "\u{1F600}\u00a0"],
    ['"\\195\\164"', "ä"],
  ])("%j is read as %j", (data, text) => {
    expect(textIn(data)).toBe(text);
  });

  test("of several parts is joined before it is decoded as UTF-8, because a character may be split", () => {
    expect(textIn('"\\195" "\\164"')).toBe("ä");
  });
});

test("a record in parentheses can have several lines, and problems name the first", () => {
  const file = zoneOf(
    ...[
      "$ORIGIN example.org.",
      "@ IN SOA ns1 mail ( 2024010101 ; serial",
      "  2h ; refresh (",
      "15m )",
      "  2w 1d )",
    ],
    ...["a ( MX", "10", "", "mail ) ; end", "b A 192.0.2.1"],
  );
  expect(parseZone(file)).toEqual({
    problems: [expect.objectContaining({ line: 5 })],
    records: [
      { line: 6, inputs: { name: "a", type: "MX", priority: 10, target: "mail.example.org" } },
      { line: 10, inputs: { name: "b", type: "A", target: "192.0.2.1" } },
    ],
  });
});

test.each([
  ["line feeds", "\n", ""],
  ["CRLF", "\r\n", "\r\n"],
  ["carriage returns", "\r", ""],
])("lines can end in %s, and the last line can have no end", (_, end, last) => {
  expect(parseZone(["$ORIGIN example.org.", "", "a A 192.0.2.1", " TXT x"].join(end) + last)).toEqual({
    problems: [],
    records: [
      { line: 3, inputs: { name: "a", type: "A", target: "192.0.2.1" } },
      { line: 4, inputs: { name: "a", type: "TXT", target: "x" } },
    ],
  });
});

test("a byte order mark is not a blank", () => {
  expect(inputsIn("\ufeffwww A 192.0.2.1")).toMatchObject([{ name: "www" }]);
});

test.each(["", "\n\n", "; only a comment", "  \t\n$TTL 60\n"])("%j has no records", (text) => {
  expect(parseZone(text)).toEqual({ records: [], problems: [] });
});

test("a line that cannot be a record is an error with its number and what to do", () => {
  const types = RECORD_TYPES.join(", ");
  expect(
    problemsIn(
      ...["$ORIGIN example.org.", " A 192.0.2.1", "a CH TXT x", "a HINFO x y", "a", "$INCLUDE other.zone"],
      ...["$GENERATE 1-9 a$ A 192.0.2.$", "$TTL soon", "$ORIGIN", "$FOO", "a A", "a A 192.0.2.1 192.0.2.2"],
      ...[
        "a MX mail",
        "a MX ten mail",
        "a CAA 128 issue ca",
        "a TXT",
        "b.example.net. A 192.0.2.1",
        " TXT y",
      ],
      ...[
        'a TXT "open',
        "a TXT open\\",
        "a TXT )",
        'a TXT "\\255"',
        "a TXT \\256",
        "a TXT \\12",
        "a..b A 192.0.2.1",
      ],
      ...["a CNAME b..c", "a TXT ( x", "b TXT y"],
    ),
  ).toEqual([
    "2 has no name, and the record before it has none either",
    "3 is of class CH; only IN is served",
    `4 is of type HINFO, and the service has only ${types}: remove the record`,
    "5 has no type",
    "6 is $INCLUDE, which is not followed: join the files in the program",
    "7 is $GENERATE, which is not carried out: write the records, or make them in the program with records",
    "8 is $TTL without a time such as 3600 or 1h",
    "9 is $ORIGIN without a name",
    "10 is $FOO, which is not known",
    "11 must have an address after A",
    "12 must have an address after A",
    "13 must have a priority and a name after MX",
    "14 must have a whole number in place of ten",
    "15 has CAA flags, which the service does not keep: they must be 0",
    "16 must have a text after TXT",
    "17 has the name b.example.net., which is not in the zone example.org.",
    "18 has the name b.example.net., which is not in the zone example.org.",
    "19 has a string without its closing quotation mark",
    "20 has a backslash with nothing after it",
    "21 closes a parenthesis that is not open",
    "22 has a text that is not UTF-8, which the service does not take",
    "23 has the escape \\256, which must be three digits up to 255",
    "24 has the escape \\1, which must be three digits up to 255",
    "25 has the name a..b.example.org., in which a part is empty",
    "26 has the name b..c.example.org., in which a part is empty",
    "27 has a parenthesis that is not closed",
  ]);
});

test("an SOA of another name than the zone is refused", () => {
  const reason = (name: string) =>
    `is the SOA record of ${name}: it must have the name of the zone, with a period at its end`;
  const soa = "SOA ns1.example.org. mail.example.org. 1 2 3 4 5";
  expect(problemsIn("$TTL 60", `example.org ${soa}`, "www A 192.0.2.1")).toEqual([
    `2 ${reason("example.org")}`,
  ]);
  expect(problemsIn("$ORIGIN example.org.", `@ ${soa}`, `sub ${soa}`)).toEqual([`3 ${reason("sub")}`]);
});

test("a name that depends on the zone is refused if the file does not name the zone", () => {
  expect(
    problemsIn("www CNAME mail", "www.example.org. A 192.0.2.1", "$ORIGIN sub.example.org.", "x A 192.0.2.1"),
  ).toEqual([
    "1 has the relative target mail and no $ORIGIN: begin the file with $ORIGIN",
    "2 has the name www.example.org., and the file does not name its zone: begin it with $ORIGIN",
    "4 has the name x.sub.example.org., and the file does not name its zone: begin it with $ORIGIN",
  ]);
});

describe("the service's own zone file is read as the records of the service", () => {
  const domain: DomainFields = {
    ...{ domain: "Example.org", type: "master", status: "active", soa_email: "first.last@example.org" },
    ...{ description: "", group: "", master_ips: [], axfr_ips: [], tags: [] },
    ...{ expire_sec: 0, refresh_sec: 0, retry_sec: 0, ttl_sec: 3600, created: "", updated: "" },
  } as unknown as DomainFields;

  const label = fc
    .string({ unit: anyCharacter, minLength: 1, maxLength: 8 })
    .map((text) => Buffer.from(text));
  const names = (most: number) => fc.array(label, { minLength: 1, maxLength: most }).map(formatName);
  const plainLabel = fc.stringMatching(/^[a-z*\d][a-z\d]{0,9}$/);
  const u16 = fc.nat({ max: 65_535 });
  const targets: Record<string, fc.Arbitrary<object>> = {
    A: fc.record({ target: fc.ipV4() }),
    AAAA: fc.record({ target: fc.ipV6() }),
    TXT: fc.record({ target: fc.string({ unit: anyCharacter, maxLength: 600, size: "max" }) }),
    CAA: fc.record({
      tag: fc.constantFrom("issue", "issuewild", "iodef"),
      target: fc.string({ unit: anyCharacter }),
    }),
    MX: fc.record({ priority: fc.nat({ max: 255 }), target: fc.oneof(names(3), fc.constant(".")) }),
    SRV: fc.record({
      ...{ priority: fc.nat({ max: 255 }), weight: u16, port: u16, target: names(3) },
      ...{ service: plainLabel, protocol: plainLabel },
    }),
  };
  const records = fc
    .constantFrom(...RECORD_TYPES.filter((type) => type !== "CNAME"))
    .chain((type) =>
      fc
        .tuple(
          targets[type] ?? fc.record({ target: names(3) }),
          fc.record({ name: names(2), ttlSec: fc.constantFrom(300, 7200) }, { requiredKeys: [] }),
        )
        .map(([data, common]): Properties => ({ type, ...data, ...common })),
    );

  /** A record as the API stores it. */
  const kept = ({ ttlSec = 0, name = "", ...rest }: Properties, id = 1) =>
    ({
      ...{ id, priority: 0, weight: 0, port: 0, service: null, protocol: null, tag: null },
      ...{ name, ttl_sec: ttlSec, created: "", updated: "" },
      ...rest,
    }) as unknown as RecordFields;

  const nameservers = inputsIn(zoneOf(...renderZone({ domain, records: [] })));

  test("and as the nameservers that it adds, which look like other records", () => {
    expect(nameservers).toEqual([
      { type: "NS", target: expect.any(String), ttlSec: 3600 },
      { type: "NS", target: expect.any(String), ttlSec: 3600 },
    ]);
  });

  test("for all records, except that an omitted time to live becomes the domain's", () => {
    fc.assert(
      fc.property(fc.array(records, { maxLength: 5 }), (all) => {
        const file = renderZone({ domain, records: all.map(kept) });
        expect(inputsIn(zoneOf(...file))).toEqual([
          ...nameservers,
          ...all.map((record) => ({ ttlSec: 3600, ...record })),
        ]);
      }),
    );
  });

  test("for 12,000 records, each with its line", () => {
    const all = Array.from({ length: 12_000 }, (_, index) => ({
      type: "TXT",
      name: `n${index}`,
      target: `a "text" of its own; ${index}`,
      ttlSec: 300,
    }));
    const { records: found, problems } = parseZone(zoneOf(...renderZone({ domain, records: all.map(kept) })));
    expect(problems).toEqual([]);
    expect(found.slice(2).map(({ inputs }) => inputs)).toEqual(all);
    expect(found.at(-1)?.line).toBe(12_006);
  });
});

/** A zone that BIND accepts, with everything that makes a zone difficult to read. */
const NASTY = zoneOf(
  ...[
    "; nothing",
    "$TTL 1h30m",
    "$ORIGIN .",
    "example.org\t3600 IN SOA ns1.example.org. first\\.last.mail (",
  ],
  ...["  2024010101 ; serial", "  2h 15M 2W ; times ( not a parenthesis", "  1D )", "$ORIGIN example.org."],
  ...[
    "\tIN\tNS\tns1",
    "@ NS ns2.example.net.",
    "ns1 A 192.0.2.1",
    "    300 in aaaa 2001:DB8::1",
    "IN 300 A 192.0.2.9",
  ],
  ...[
    "soa 1d IN CNAME @",
    "* IN 7200 A 192.0.2.2",
    "*.wild A 192.0.2.3",
    "@ MX 10 mail",
    "  MX ( 20",
    "mail.example.net. )",
  ],
  ...["null MX 0 .", 'txt TXT "a;b" "c\\"d\\\\e" f\\;g \\065\\"\\ x', 'long TXT ( "one "', '  "two" ) ; end'],
  ...['utf TXT "ä" "\\195" "\\164"', 'empty TXT ""', "dot\\.ted A 192.0.2.4", "dotted\\. A 192.0.2.4"],
  ...["ex\\097mple A 192.0.2.5", "dotted.EXAMPLE.org. A 192.0.2.6", "$ORIGIN sub", "x A 192.0.2.7"],
  ...[
    "_sip._tcp SRV 1 2 5060 x",
    "$ORIGIN deep.sub.example.org.",
    "@ A 192.0.2.8",
    "$TTL 60",
    "y TXT v=spf1 -all",
  ],
  ...[
    "$ORIGIN example.org.",
    'caa CAA 0 issue "ca.example; policy=\\"x\\""',
    "    CAA 0 iodef mailto:dns@example.org",
  ],
  ...["10 PTR host", "\\@ PTR host", "sp\\032ace\\; PTR host.\\097b"],
);

/** A canonical spelling and order of records. */
const canonical = (records: readonly Properties[]) =>
  records
    .map(({ type, name, target, ...rest }) => {
      const spelt = (text: unknown) => formatName(parseName(String(text)) ?? []).toLowerCase();
      const isName = ["CNAME", "MX", "NS", "PTR", "SRV"].includes(String(type));
      const spelling = isName ? spelt(target) : type === "AAAA" ? String(target).toLowerCase() : target;
      return JSON.stringify([
        type,
        name === undefined ? "" : spelt(name),
        spelling,
        Object.entries(rest).sort(),
      ]);
    })
    .sort();

// Registered only if the command is installed.
const command = findTool("named-checkzone");
if (command !== undefined) {
  test("a difficult zone is read as BIND reads it", () => {
    const directory = mkdtempSync(join(tmpdir(), "zone-"));
    const file = join(directory, "zone");
    writeFileSync(file, `${NASTY}\n`);
    try {
      const options = ["-D", "-q", "-i", "none", "-k", "ignore", "-s", "full", "-o", "-"];
      const { status, stdout } = spawnSync(command, [...options, "example.org", file], { encoding: "utf8" });
      expect(status).toBe(0);
      const records = inputsIn(NASTY);
      // One line for each record and the SOA.
      expect(stdout.trim().split("\n")).toHaveLength(records.length + 1);
      expect(canonical(records)).toEqual(canonical(inputsIn(stdout)));
    } finally {
      rmSync(directory, { recursive: true });
    }
  });
}
