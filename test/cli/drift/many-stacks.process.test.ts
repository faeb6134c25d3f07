import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { collectDrift } from "../../../src/cli/drift/collect";
import { SECRET, SIGNATURE } from "../../../src/provider/engine/signatures";
import { contextIn, nodecloud } from "../../helpers/command-line";
import { startTestEmulator, type TestEmulator } from "../../helpers/emulator";
import { SHORT } from "../../helpers/whole";

const PREFIX = "pulumi-nodejs:dynamic/nodecloud:";
const STACKS = SHORT ? 30 : 100;
const nameOf = (index: number) => `stack-${String(index).padStart(3, "0")}`;

let emulator: TestEmulator;
let folder: string;
const path = process.env["PATH"] ?? "";

/** A state with a domain and a record. */
function stateOf(stack: string, domainId: number, recordId: number): string {
  const resource = (type: string, name: string, id: string, inputs: Record<string, unknown>) => ({
    urn: `urn:pulumi:${stack}::infra::${PREFIX}${type}::${name}`,
    ...{ custom: true, id, type: `${PREFIX}${type}`, inputs },
    outputs: { ...inputs, __set: Object.keys(inputs).join(",") },
  });
  const domain = { domain: `${stack}.example`, type: "master", soaEmail: "dns@example.org" };
  const record = { domainId: `${domainId}`, type: "A", name: "www", target: "192.0.2.1" };
  const resources = [
    resource("Domain", "zone", `${domainId}`, domain),
    resource("DomainRecord", "www", `${domainId}/${recordId}`, record),
  ];
  return JSON.stringify({ version: 3, deployment: { resources } });
}

/**
 * A command line that prints the states in the folder, because the engine needs half a minute for 100 stacks. \`FILE.next\` takes the place of a file that was printed, as
 * if another run had been faster. TICK is another text each time.
 */
const commandLine = () => `#!/bin/sh
print() {
  cd ${folder}
  [ -f "$1.error" ] && { cat "$1.error" >&2; exit 1; }
  [ -f "$1" ] || { echo "error: place 1: unexpected end of JSON input" >&2; exit 1; }
  sed "s/TICK/$$/" "$1"
  [ -f "$1.next" ] && mv "$1.next" "$1"
  exit 0
}
echo "+ $*" >> ${folder}/commands
trap 'echo "- $*" >> ${folder}/commands' EXIT
case "$*" in
  version*) echo v3.230.0 ;;
  "stack ls"*) print stacks.json ;;
  "stack export"*) for last; do :; done; while [ "$1" != --stack ]; do shift; done; print "$2.json" ;;
  *) echo "unexpected: $*" >&2; exit 1 ;;
esac
`;

/** The commands that have run since the last time. */
function commands(): string[] {
  const file = join(folder, "commands");
  const lines = readFileSync(file, "utf8").trim().split("\n");
  writeFileSync(file, "");
  return lines;
}

/** The list of stacks, of which some were saved later. */
const stacksAt = (names: readonly string[], later: readonly string[] = []) =>
  JSON.stringify(
    names.map((name) => ({
      name,
      current: name === nameOf(0),
      lastUpdate: later.includes(name) ? "2026-11-28T02:00:00.000Z" : "2026-11-28T01:00:00.000Z",
    })),
  );

const drift = (
  selection: { stacks: string[]; all: boolean; directories?: string[]; states?: string[]; sync?: string },
  more: Readonly<Record<string, string>> = {},
) =>
  collectDrift(
    contextIn({
      directory: folder,
      environment: {
        PATH: process.env["PATH"],
        NODECLOUD_TOKEN: emulator.token,
        NODECLOUD_BASE_URL: emulator.url,
        ...more,
      },
    }),
    { show: () => undefined, note: () => undefined },
    { directories: ["."], ...selection },
  );

beforeAll(async () => {
  emulator = await startTestEmulator();
  folder = mkdtempSync(join(tmpdir(), "nodecloud-many-"));
  const write = (file: string, text: string) => writeFileSync(join(folder, file), text);
  write("Pulumi.yaml", "name: infra\nruntime: nodejs\n");
  write("pulumi", commandLine());
  chmodSync(join(folder, "pulumi"), 0o755);
  process.env["PATH"] = `${folder}${delimiter}${path}`;
  const names = Array.from({ length: STACKS }, (_, index) => nameOf(index));
  for (const name of names) {
    const create = (at: string, body: object) => emulator.call<{ id: number }>("POST", at, { body });
    const domain = { domain: `${name}.example`, type: "master", soa_email: "dns@example.org" };
    const { body: zone } = await create("/domains", domain);
    const record = { type: "A", name: "www", target: "192.0.2.1" };
    const { body: www } = await create(`/domains/${zone.id}/records`, record);
    write(`${name}.json`, stateOf(name, zone.id, www.id));
  }
  write("stacks.json", stacksAt(names));
});

afterAll(async () => {
  process.env["PATH"] = path;
  rmSync(folder, { recursive: true, force: true });
  await emulator.stop();
});

test(`${STACKS} stacks of one account cost the same requests as one stack, and each list is read once`, async () => {
  await emulator.newCounts();
  const one = await drift({ stacks: [nameOf(0)], all: false });
  const ofOne = await emulator.newCounts();
  const all = await drift({ stacks: [], all: true });
  const ofAll = await emulator.newCounts();

  expect(one.findings).toHaveLength((STACKS - 1) * 2);
  expect(all).toMatchObject({ findings: [], gaps: [], notes: [] });
  expect(all.stacks).toHaveLength(STACKS);
  expect(all.coverage).toEqual(
    expect.arrayContaining([
      { account: emulator.url, type: "Domain", objects: STACKS, managed: STACKS },
      { account: emulator.url, type: "DomainRecord", objects: STACKS, managed: STACKS },
    ]),
  );
  expect(ofAll).toEqual(ofOne);
  expect(ofAll).toMatchObject({ "GET /v4/domains": 1, "GET /v4/domains/:id/records": STACKS });
});

describe("an object in the states of two stacks", () => {
  const [first, second] = [nameOf(0), nameOf(1)];
  const urn = (stack: string) => `urn:pulumi:${stack}::infra::${PREFIX}Domain::zone`;
  const others = [expect.objectContaining({ urn: urn(second) })];

  async function idOf(stack: string): Promise<string> {
    const { body } = await emulator.call<{ data: { id: number; domain: string }[] }>("GET", "/domains");
    return String(body.data.find(({ domain }) => domain === `${stack}.example`)?.id);
  }

  /** Compares two stacks, with other texts in their states: of both, or of the second one. */
  async function driftWith(both: (text: string) => string, ofSecond = both) {
    const files = [first, second].map((stack) => join(folder, `${stack}.json`));
    const before = files.map((file) => readFileSync(file, "utf8"));
    files.forEach((file, index) => {
      writeFileSync(file, (index === 0 ? both : ofSecond)(before[index] ?? ""));
    });
    try {
      const { findings, notes } = await drift({ stacks: [first, second], all: false });
      expect(notes).toEqual([]);
      return findings.filter(({ kind }) => kind === "shared");
    } finally {
      files.forEach((file, index) => {
        writeFileSync(file, before[index] ?? "");
      });
    }
  }

  const same = (text: string) => text;
  const withZoneOfFirst = async () => {
    const [own, ofFirst] = [await idOf(second), await idOf(first)];
    return (text: string) =>
      text.replaceAll(`"${own}"`, `"${ofFirst}"`).replaceAll(`${second}.example`, `${first}.example`);
  };

  test("is a finding, because a destroy of one takes it from the other", async () => {
    expect(await driftWith(same, await withZoneOfFirst())).toEqual([
      {
        ...{ kind: "shared", type: "Domain", id: await idOf(first), label: `${first}.example` },
        ...{ account: emulator.url, tags: undefined },
        resource: expect.objectContaining({ urn: urn(first) }) as unknown,
        others,
      },
    ]);
  });

  test("is a finding with its id if the account does not have it any more", async () => {
    const ids = [await idOf(first), await idOf(second)];
    const without = (text: string) => ids.reduce((now, id) => now.replaceAll(`"${id}"`, '"999999"'), text);
    expect(await driftWith(without)).toEqual([
      expect.objectContaining({ type: "Domain", id: "999999", account: emulator.url, others }),
    ]);
  });

  test("is a finding if the other one is about to delete it for a replacement, and none if both are", async () => {
    const withZone = await withZoneOfFirst();
    const leaving = (text: string) => text.replace('"custom":true', '"custom":true,"delete":true');
    const both = (text: string) => leaving(withZone(text));
    expect(await driftWith(same, both)).toEqual([expect.objectContaining({ type: "Domain", others })]);
    expect(await driftWith(leaving, both)).toEqual([]);
  });
});

describe("while other runs change stacks", () => {
  const [first, second] = [nameOf(0), nameOf(1)];
  const names = Array.from({ length: STACKS }, (_, index) => nameOf(index));
  const all = { stacks: [], all: true };
  const fileOf = (name: string) => join(folder, `${name}.json`);
  const before = new Map<string, string>();
  const change = (name: string, text: (now: string) => string, suffix = "") => {
    const now = readFileSync(fileOf(name), "utf8");
    if (!before.has(name)) before.set(name, now);
    writeFileSync(fileOf(name) + suffix, text(now));
  };

  beforeEach(() => {
    commands();
  });
  afterEach(() => {
    for (const [name, text] of before) writeFileSync(fileOf(name), text);
    before.clear();
    writeFileSync(fileOf("stacks"), stacksAt(names));
  });

  /** The state of the first stack from before a run that has ended since. */
  const beforeTheRun = (now: string) => now.replaceAll('"192.0.2.1"', '"192.0.2.7"');
  const withoutRecord = (now: string) => now.replace(/,\{"urn":"[^"]*DomainRecord::www".*(?=\]\}\}$)/, "");

  test.each([
    ["a change", beforeTheRun, "changed"],
    ["a creation", withoutRecord, "unmanaged"],
  ])("%s that ends after the state was read is no finding", async (_, old, kind) => {
    change(first, (now) => now, ".next");
    change(first, old);
    writeFileSync(`${fileOf("stacks")}.next`, stacksAt(names, [first]));
    expect((await drift(all)).findings).toEqual([]);
    change(first, old);
    expect((await drift(all)).findings).toEqual([expect.objectContaining({ kind })]);
  });

  test("only the stacks that were saved since are read again", async () => {
    change(first, (now) => now, ".next");
    change(first, beforeTheRun);
    change(second, beforeTheRun);
    writeFileSync(`${fileOf("stacks")}.next`, stacksAt(names, [first]));
    expect((await drift(all)).findings).toEqual([
      expect.objectContaining({
        resource: expect.objectContaining({ stack: expect.objectContaining({ name: second }) }),
      }),
    ]);
    const exports = commands().filter((line) => line.startsWith("+ stack export"));
    expect(exports).toHaveLength(STACKS + 1);
    expect(exports.filter((line) => line.includes(first))).toHaveLength(2);
  });

  test("a stack that changes all the time is not compared, and the comparison is incomplete", async () => {
    change(first, (now) =>
      beforeTheRun(now).replace('"deployment":{', '"deployment":{"manifest":{"time":"TICK"},'),
    );
    const { findings, gaps } = await drift({ stacks: [first, second], all: false });
    expect(findings.filter(({ kind }) => kind !== "unmanaged")).toEqual([]);
    expect(gaps).toEqual([
      {
        what: `stack ${first} of .`,
        reason: "another run changes it. Run this again after that run, or `pulumi up` if none goes on",
      },
    ]);
  });

  test("what a run is doing, as the state says, is no finding, and the comparison is incomplete", async () => {
    const urn = (type: string, name: string) => `urn:pulumi:${first}::infra::${PREFIX}${type}::${name}`;
    const pending = (type: string, resource: object) => (now: string) =>
      now.replace(
        '"deployment":{',
        `"deployment":{"pending_operations":[${JSON.stringify({ type, resource })}],`,
      );
    const record = { urn: urn("DomainRecord", "www"), type: `${PREFIX}DomainRecord` };
    change(first, (now) => pending("updating", record)(beforeTheRun(now)));
    expect(await drift(all)).toMatchObject({
      findings: [],
      gaps: [{ what: `DomainRecord www of stack ${first} of .` }],
    });
    const inputs = { type: "A", name: "www", target: "192.0.2.1" };
    change(first, () => pending("creating", { ...record, inputs })(withoutRecord(before.get(first) ?? "")));
    expect((await drift(all)).findings).toEqual([expect.objectContaining({ kind: "unmanaged" })]);
    const domainId = /"domainId":"(\d+)"/.exec(before.get(first) ?? "")?.[1];
    change(first, () =>
      pending("creating", { ...record, inputs: { ...inputs, domainId } })(
        withoutRecord(before.get(first) ?? ""),
      ),
    );
    expect(await drift(all)).toMatchObject({
      findings: [],
      gaps: [{ what: expect.stringMatching(/^the owner of DomainRecord /) as unknown }],
    });
  });

  test("a finding that depends on a stack with a lock in the folder of the backend is a gap", async () => {
    const locks = join(folder, "backend/.pulumi/locks/organization/infra", first);
    mkdirSync(locks, { recursive: true });
    writeFileSync(join(locks, "1.json"), "{}");
    for (const name of [first, second]) change(name, beforeTheRun);
    expect(await drift(all, { PULUMI_BACKEND_URL: `file://${folder}/backend` })).toMatchObject({
      findings: [{ kind: "changed", resource: { stack: { name: second } } }],
      gaps: [
        { what: `stack ${first} of .`, reason: expect.stringMatching(/^a run has locked it/) as unknown },
      ],
    });
  });

  test("--sync copies the states before they are read, and again before findings are reported", async () => {
    const bucket = join(folder, "bucket");
    mkdirSync(bucket);
    for (const name of names) copyFileSync(fileOf(name), join(bucket, `${name}.json`));
    const now = readFileSync(fileOf(first), "utf8");
    writeFileSync(join(bucket, `${first}.json`), beforeTheRun(now));
    // As if a run had ended after the first copy.
    // Some commands print a line for each file.
    const sync = `head -c 2000000 /dev/zero | tr "\\0" x; mkdir -p copied; cp bucket/* copied && cp ${first}.json bucket`;
    const copied = { stacks: [], all: false, states: ["copied"], sync };
    expect(await drift(copied)).toMatchObject({ findings: [], gaps: [] });

    writeFileSync(join(bucket, `${first}.json`), beforeTheRun(now));
    const fails = "[ -f synced ] && { echo 'no bucket' >&2; exit 3; }; touch synced; cp bucket/* copied";
    expect(await drift({ ...copied, sync: fails })).toMatchObject({
      findings: [{ kind: "changed" }],
      gaps: [
        {
          what: "what other runs have changed meanwhile",
          reason: "the command of --sync failed (3): no bucket",
        },
        { what: "objects that no stack manages" },
      ],
    });
    await expect(drift({ ...copied, sync: fails })).rejects.toThrow("--sync failed (3): no bucket");
  });

  test("a stack that cannot be read is named, and what it may manage is not reported as unmanaged", async () => {
    change(first, (now) => now);
    rmSync(fileOf(first));
    change(second, beforeTheRun);
    const { findings, gaps } = await drift(all);
    expect(findings).toEqual([expect.objectContaining({ kind: "changed" })]);
    expect(gaps).toEqual([
      { what: `stack ${first} of .`, reason: "place 1: unexpected end of JSON input" },
      {
        what: "objects that no stack manages",
        reason: "not all stacks were read, and those may manage them",
      },
    ]);
  });
});

describe("beside readable stacks,", () => {
  const [first, second, third] = [nameOf(0), nameOf(1), nameOf(2)];
  const all = { stacks: [], all: true };
  const fileOf = (name: string) => join(folder, `${name}.json`);
  const secret = JSON.stringify({ [SIGNATURE]: SECRET, plaintext: "null" });
  const gaps = (reason: string) => [
    { what: `stack ${first} of .`, reason: expect.stringContaining(reason) as unknown },
    { what: "objects that no stack manages", reason: expect.any(String) as unknown },
  ];
  let before: ReadonlyMap<string, string>;
  beforeEach(() => {
    before = new Map([first, second, third].map((name) => [name, readFileSync(fileOf(name), "utf8")]));
    writeFileSync(join(folder, "stacks.json"), stacksAt([first, second, third]));
    // A finding of another stack stays.
    writeFileSync(fileOf(second), (before.get(second) ?? "").replaceAll('"192.0.2.1"', '"192.0.2.7"'));
  });
  afterEach(() => {
    for (const [name, text] of before) writeFileSync(fileOf(name), text);
    rmSync(`${fileOf(first)}.error`, { force: true });
    const names = Array.from({ length: STACKS }, (_, index) => nameOf(index));
    writeFileSync(join(folder, "stacks.json"), stacksAt(names));
  });

  test("one that was removed meanwhile is a gap", async () => {
    writeFileSync(`${fileOf(first)}.error`, `error: no stack named '${first}' found\n`);
    const found = await drift(all);
    expect(found.findings).toEqual([expect.objectContaining({ kind: "changed" })]);
    expect(found.gaps).toEqual(gaps(`no stack named '${first}' found`));
  });

  test("one whose secrets cannot be decrypted is a gap", async () => {
    writeFileSync(
      fileOf(first),
      (before.get(first) ?? "").replace('"soaEmail":"dns@example.org"', `"soaEmail":${secret}`),
    );
    const found = await drift(all);
    expect(found.findings).toEqual([expect.objectContaining({ kind: "changed" })]);
    expect(found.gaps).toEqual(gaps("its secrets cannot be decrypted: check PULUMI_CONFIG_PASSPHRASE"));
  });
});

describe("import", () => {
  const first = nameOf(0);
  const names = Array.from({ length: STACKS }, (_, index) => nameOf(index));
  const file = () => join(folder, `${first}.json`);
  let before: string;
  beforeEach(() => (before = readFileSync(file(), "utf8")));
  afterEach(() => {
    writeFileSync(file(), before);
    writeFileSync(join(folder, "stacks.json"), stacksAt(names));
    rmSync(join(folder, "adopted"), { recursive: true, force: true });
  });
  const withoutRecord = (now: string) => now.replace(/,\{"urn":"[^"]*DomainRecord::www".*(?=\]\}\}$)/, "");
  const run = async () => {
    const environment = { NODECLOUD_TOKEN: emulator.token, NODECLOUD_BASE_URL: emulator.url };
    const { code, stdout } = await nodecloud(["import", ".", "--all", "--out", "adopted", "--yes"], {
      directory: folder,
      environment: { PATH: process.env["PATH"], ...environment },
    });
    expect(code).toBe(0);
    return { stdout, isWritten: existsSync(join(folder, "adopted")) };
  };

  test("proposes what no stack manages, and not what a run has created since the states were read", async () => {
    writeFileSync(file(), withoutRecord(before));
    expect(await run()).toMatchObject({ isWritten: true });
    rmSync(join(folder, "adopted"), { recursive: true });

    writeFileSync(file(), withoutRecord(before));
    writeFileSync(`${file()}.next`, before);
    writeFileSync(join(folder, "stacks.json.next"), stacksAt(names, [first]));
    expect(await run()).toMatchObject({ isWritten: false });
  });

  test("leaves out what a run is creating, and says so", async () => {
    const type = `${PREFIX}DomainRecord`;
    const inputs = {
      domainId: /"domainId":"(\d+)"/.exec(before)?.[1],
      ...{ type: "A", name: "www", target: "192.0.2.1" },
    };
    const pending = [
      { type: "creating", resource: { urn: `urn:pulumi:${first}::infra::${type}::www`, type, inputs } },
    ];
    writeFileSync(
      file(),
      withoutRecord(before).replace(
        '"deployment":{',
        `"deployment":{"pending_operations":${JSON.stringify(pending)},`,
      ),
    );
    const { stdout, isWritten } = await run();
    expect(isWritten).toBe(false);
    expect(stdout).toMatch(/left out, because the state/);
  });
});

describe("in parts", () => {
  const names = Array.from({ length: STACKS }, (_, index) => nameOf(index));
  const before = new Map<string, string>();
  let stray: string;
  const change = (name: string, text: (now: string) => string) => {
    const file = join(folder, `${name}.json`);
    const now = readFileSync(file, "utf8");
    if (!before.has(name)) before.set(name, now);
    writeFileSync(file, text(now));
  };
  const run = (...args: string[]) =>
    nodecloud(["drift", ...args], {
      directory: folder,
      environment: {
        PATH: process.env["PATH"],
        NODECLOUD_TOKEN: emulator.token,
        NODECLOUD_BASE_URL: emulator.url,
      },
    });

  beforeAll(async () => {
    const [changed, gone, ofTwo, other, exclusive] = names as [string, string, string, string, string];
    change(changed, (now) => now.replaceAll('"192.0.2.1"', '"192.0.2.7"'));
    change(gone, (now) => now.replace(/"id":"(\d+)\/\d+"/, '"id":"$1/999999"'));
    const zone = (text: string) => /Domain::zone","custom":true,"id":"(\d+)"/.exec(text)?.[1] ?? "";
    change(ofTwo, (now) => now);
    change(other, (now) => now.replaceAll(`"${zone(now)}"`, `"${zone(before.get(ofTwo) ?? "")}"`));
    change(exclusive, (now) => {
      const domainId = zone(now);
      const set = {
        urn: `urn:pulumi:${exclusive}::infra::${PREFIX}DomainRecordSet::all`,
        ...{ custom: true, id: domainId, type: `${PREFIX}DomainRecordSet`, inputs: {} },
        outputs: { domainId, exclusive: true, records: "", __ids: "", __set: "domainId,records,exclusive" },
      };
      return now.replace(/\]\}\}$/, `,${JSON.stringify(set)}]}}`);
    });
    mkdirSync(join(folder, "states"));
    for (const name of names)
      copyFileSync(join(folder, `${name}.json`), join(folder, "states", `${name}.json`));
    const { body: zoneOfNobody } = await emulator.call("POST", "/domains", {
      body: { domain: "stray.example", type: "master", soa_email: "dns@example.org" },
    });
    stray = String(zoneOfNobody["id"]);
    for (const index of [3, 1, 4, 2])
      expect(
        await run("--states", "states", "--shard", `${index}/4`, "--out", `part-${index}`),
      ).toMatchObject({
        code: 0,
        stderr: "",
      });
  });
  afterAll(async () => {
    await emulator.call("DELETE", `/domains/${stray}`);
    for (const [name, text] of before) writeFileSync(join(folder, `${name}.json`), text);
  });

  test.each([["json"], ["markdown"], ["table"], ["sarif"], ["junit"]])(
    "the merged report is that of one run, as %s",
    async (format) => {
      const whole = await run("--states", "states", "--format", format);
      const merged = await run("--merge", "part-1", "part-2", "part-3", "part-4", "--format", format);
      expect(merged).toEqual(whole);
      expect(whole).toMatchObject({ code: 2 });
      for (const kind of ["changed", "deleted", "shared", "unmanaged"]) expect(whole.stdout).toContain(kind);
    },
  );

  test("the states of the engine give the same report as the files", async () => {
    const [files, engine] = [await run("--states", "states"), await run("--all")];
    expect(engine).toEqual(files);
  });

  test("a damaged file is a gap in the part that has it, and in the merged report", async () => {
    writeFileSync(join(folder, "states", "damaged.json"), "{");
    const whole = await run("--states", "states", "--format", "json");
    for (const index of [1, 2])
      await run("--states", "states", "--shard", `${index}/2`, "--out", `half-${index}`);
    expect(await run("--merge", "half-2", "half-1", "--format", "json")).toEqual(whole);
    expect(JSON.parse(whole.stdout)).toMatchObject({
      counts: { unmanaged: 0, gaps: 2 },
      gaps: [{ what: "objects that no stack manages" }, { what: "the state in damaged.json" }],
    });
  });

  test("a shard that is missing makes the report incomplete, and nothing is reported as unmanaged", async () => {
    const { code, stdout } = await run(
      "--merge",
      "part-1",
      "part-2",
      "part-3",
      "--format",
      "json",
      "--fail-on",
      "unmanaged",
    );
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      complete: false,
      counts: { unmanaged: 0 },
      gaps: [{ what: "objects that no stack manages" }, { what: "shard 4/4" }],
    });
  });

  test.each([
    [["--shard", "5/4"], /^error: --shard: "5\/4" is no shard: write its number and how many there are/],
    [["--merge"], /^error: --merge: name the files/],
    [["--merge", "part-1", "stacks.json"], /^error: --merge: stacks\.json is no part of a comparison/],
    [["--merge", "part-1", "part-2", "part-1"], /^error: --merge: part-1 and part-1 both are shard 1\/4/],
    [["--merge", "part-1", "--all"], /'--all' cannot be used with option '--merge'|'--merge' cannot be used/],
  ])("the arguments %j are an error in one line", async (args, message) => {
    const { code, stderr } = await run(...args);
    expect({ code, stderr: stderr.trim() }).toEqual({
      code: 1,
      stderr: expect.stringMatching(message) as unknown,
    });
  });
});

describe("a stack of which no object exists", () => {
  const name = nameOf(5);
  const file = () => join(folder, `${name}.json`);
  let before: string;
  /** The state with ids that nothing has, of a run with another token or of an earlier version. */
  const gone = (at: string, more = "") =>
    before
      .replace(/"id":"\d+"/, '"id":"999998"')
      .replace(/"id":"\d+\/\d+"/, '"id":"999998/999999"')
      .replaceAll('"custom":true', `"custom":true${more}`)
      .replaceAll('"outputs":{', `"outputs":{${at}`);
  const kinds = async (state: string) => {
    writeFileSync(file(), state);
    const { findings, gaps } = await drift({ stacks: [name], all: false });
    return [
      findings.filter(({ kind }) => kind !== "unmanaged").map(({ kind }) => kind),
      gaps.map(({ what }) => what),
    ];
  };
  beforeAll(() => {
    before = readFileSync(file(), "utf8");
  });
  afterAll(() => writeFileSync(file(), before));

  test("is a gap if its state names another token, because they may be in another account", async () => {
    expect(await kinds(gone('"__at":"elsewhere#000000",'))).toEqual([
      [],
      [`the objects of stack ${name} of .`],
    ]);
  });

  test("has deleted objects if its state names no token, and nothing to say of what is being deleted", async () => {
    expect(await kinds(gone(""))).toEqual([["deleted", "deleted"], []]);
    expect(await kinds(gone('"__at":"elsewhere#000000",', ',"delete":true'))).toEqual([[], []]);
  });
});

test("stacks without resources are compared with the account of the environment", async () => {
  writeFileSync(join(folder, "empty.json"), JSON.stringify({ version: 3, deployment: {} }));
  const { findings, gaps } = await drift({ stacks: ["empty"], all: false });
  expect(findings).toHaveLength(STACKS * 2);
  expect(gaps).toEqual([]);
});

test("many projects run a bounded number of commands at once", async () => {
  const directories = Array.from({ length: 24 }, (_, index) => `project-${index}`);
  for (const name of directories) {
    mkdirSync(join(folder, "projects", name), { recursive: true });
    writeFileSync(join(folder, "projects", name, "Pulumi.yaml"), `name: ${name}\nruntime: nodejs\n`);
  }
  commands();
  await drift({ directories: ["projects"], stacks: ["empty"], all: false }).catch(() => undefined);
  let running = 0;
  const atOnce = commands().map((line) => (running += line.startsWith("+") ? 1 : -1));
  expect(Math.max(...atOnce)).toBeLessThanOrEqual(Math.max(4, availableParallelism()));
});
