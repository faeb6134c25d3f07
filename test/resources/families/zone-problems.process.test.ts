import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { formatAbsolute, formatName, parseName } from "../../../src/emulator/zones/dns-names";
import { type Properties } from "../../../src/provider/base/values";
import { Zone } from "../../../src/resources/families/zone-problems";
import { findTool } from "../../helpers/debian-tools";
import { cases, WHOLE } from "../../helpers/whole";

const DOMAIN = "example.org";
const HEAD = [
  "$ORIGIN example.org.",
  "$TTL 86400",
  "@ IN SOA ns1.nodecloud.example. dns.example.org. 12 14400 14400 1209600 86400",
  "@ IN NS ns1.nodecloud.example.",
  "@ IN NS ns2.nodecloud.example.",
];

const ownerOf = ({ name = "", service, protocol }: Properties): string =>
  [service && `_${String(service)}`, protocol && `_${String(protocol)}`, name]
    .filter((part) => part !== undefined && part !== "")
    .join(".");

/** A record as the line of a zone file. */
function lineOf(record: Properties): string {
  const { type, target, ttlSec, priority, weight, port, tag } = record;
  const name = formatAbsolute(parseName(String(target)) ?? []);
  const data: Record<string, unknown> = {
    ...{
      A: target,
      AAAA: target,
      TXT: JSON.stringify(target),
      CAA: `0 ${String(tag)} ${JSON.stringify(target)}`,
    },
    ...{ MX: `${String(priority)} ${name}`, SRV: [priority, weight, port, name].join(" ") },
  };
  const owner = formatName(parseName(ownerOf(record) || ".") ?? []);
  // BIND compares times to live in adjacent lines of one spelling of a name only.
  return [
    owner === "." ? "@" : owner.toLowerCase(),
    ttlSec ?? "",
    "IN",
    type,
    data[String(type)] ?? name,
  ].join(" ");
}

interface Said {
  /** The names of records that the checkers complain of. */
  readonly owners: ReadonlySet<string>;
  /** Whether they refused the zone, so that they did not see all of it. */
  readonly isRefused: boolean;
  readonly text: string;
}

const below = (name: string) =>
  name
    .toLowerCase()
    .replace(/\.$/, "")
    .replace(/(?:^|\.)example\.org$/, "");

/** What the checkers say of a zone. */
function saidOf(
  tools: { bind: string; knot: string },
  directory: string,
  records: readonly Properties[],
): Said {
  const file = join(directory, "zone");
  const lines = [...HEAD, ...records.map(lineOf)];
  writeFileSync(file, `${lines.join("\n")}\n`);
  // Only names of the zone are looked up.
  const bind = spawnSync(tools.bind, ["-i", "local", DOMAIN, file], { encoding: "utf8" });
  const knot = spawnSync(tools.knot, ["-o", DOMAIN, file], { encoding: "utf8" });
  const [text, other] = [bind, knot].map(({ stdout, stderr }) => `${stdout}${stderr}`) as [string, string];
  const owners = new Set<string>();
  for (const line of text.split("\n")) {
    const at = /zone:(\d+): /.exec(line);
    const of = /^zone example\.org\/IN: (?:(\S+)\/)?(?:NS|MX|SRV) '/.exec(line);
    if (at !== null) owners.add(ownerOf(records[Number(at[1]) - HEAD.length - 1] ?? {}).toLowerCase());
    if (of !== null) owners.add(below(of[1] ?? ""));
  }
  for (const [, name = ""] of other.matchAll(/^\[(\S+)\] /gm)) owners.add(below(name));
  const isRefused = bind.status !== 0 || /failed to run semantic checks/.test(other);
  return { owners, isRefused, text: `${text}${other}` };
}

/** The names of the records in which we find problems that the checkers see. */
function foundIn(records: readonly Properties[]) {
  const zone = new Zone(DOMAIN);
  const parts = records.map((inputs) => ({ inputs }));
  for (const part of parts) zone.add(part);
  const clashes = parts
    .flatMap((part) => zone.problems(part, true))
    // Checkers do not see equal records.
    .filter(
      ({ reason }) => typeof reason === "string" || !reason("").startsWith("makes this record the same"),
    );
  return new Set(clashes.map(({ part }) => ownerOf(part.inputs).toLowerCase()));
}

const names = fc.constantFrom(
  ...["", "", "a", "A", "b", "mail", "x.a", "y.x.a", "*", "*.a", "a.*.b", "u_s", "-a", "a.b", "b.a"],
  ...["_spf.a", "x._spf", "gc._msdcs", "*.b", "ns.b", "a-"],
);
const hosts = fc.oneof(
  { weight: 5, arbitrary: names.map((name) => (name === "" ? DOMAIN : `${name}.${DOMAIN}`)) },
  fc.constantFrom(
    "mail.example.net",
    "mail.example.net.",
    ".",
    "m_x.example.net",
    "A.Example.ORG",
    "192.0.2.1",
    "10 mail.example.net",
  ),
);
// Without a warning, checkers take an address as the target of these.
const aliases = hosts.filter((host) => !/^[\d ]/.test(host));
const number = fc.constantFrom(0, 10, 20);
const data: Record<string, fc.Arbitrary<Properties>> = {
  A: fc.record({ target: fc.constantFrom("192.0.2.1", "192.0.2.2") }),
  AAAA: fc.record({ target: fc.constantFrom("2001:db8::1", "2001:db8::2") }),
  TXT: fc.record({ target: fc.constantFrom("v=spf1 -all", "x") }),
  CAA: fc.record({ tag: fc.constantFrom("issue", "iodef"), target: fc.constant("ca.example") }),
  CNAME: fc.record({ target: aliases }),
  PTR: fc.record({ target: aliases }),
  NS: fc.record({ target: hosts }),
  MX: fc.record({ priority: number, target: hosts }),
  SRV: fc.record({
    priority: number,
    weight: number,
    port: number,
    target: aliases,
    service: fc.constant("sip"),
    protocol: fc.constant("tcp"),
  }),
};
const record = fc
  .constantFrom("A", "A", "A", "AAAA", "TXT", "CAA", "CNAME", "PTR", "NS", "MX", "MX", "SRV")
  .chain((type) =>
    fc
      .tuple(data[type] ?? fc.constant({}), names, fc.constantFrom(300, 300, 300, 7200))
      .map(([of, name, ttlSec]): Properties => ({
        type,
        ...(name === "" ? {} : { name }),
        ...of,
        // The service has NS records at the domain itself, with a time to live of their own.
        ...(type === "NS" && name === "" ? {} : { ttlSec }),
      })),
  );
// BIND compares times to live in adjacent lines of one name only.
const grouped = (records: Properties[]): Properties[] => {
  const owner = (record: Properties) => ownerOf(record).toLowerCase();
  return records.sort((one, other) => owner(one).localeCompare(owner(other)));
};
const zones = fc.array(record, { minLength: 1, maxLength: 7 }).map(grouped);

/** A failure prints its seed. ZONES and ZONES_SEED try other numbers and other zones. */
const SAMPLE = {
  numRuns: Number(process.env["ZONES"] ?? (WHOLE ? 2_000 : cases(240))),
  seed: Number(process.env["ZONES_SEED"] ?? (WHOLE ? Date.now() % 2 ** 31 : 4)),
};

const [bind, knot] = [findTool("named-checkzone"), findTool("kzonecheck")];
if (bind !== undefined && knot !== undefined) {
  const tools = { bind, knot };
  let directory: string;
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), "zones-"));
  });
  afterAll(() => {
    rmSync(directory, { recursive: true });
  });

  test("the problems of a zone are those that the checkers of two name servers find, at the same names", () => {
    fc.assert(
      fc.property(zones, (records) => {
        const said = saidOf(tools, directory, records);
        const found = foundIn(records);
        const about = { text: said.text, lines: records.map(lineOf) };
        const missed = [...said.owners].filter((owner) => !found.has(owner));
        expect({ missed, ...about }).toEqual({ missed: [], ...about });
        if (said.isRefused) expect(found.size).toBeGreaterThan(0);
        const needless = said.isRefused ? [] : [...found].filter((owner) => !said.owners.has(owner));
        expect({ needless, ...about }).toEqual({ needless: [], ...about });
      }),
      { ...SAMPLE, endOnFailure: true },
    );
  });
}
