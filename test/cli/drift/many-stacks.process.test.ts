import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { nodecloud } from "../../helpers/command-line";
import { type TestEmulator } from "../../helpers/emulator";
import { type ManyStacks, nameOf, PREFIX, startManyStacks } from "../../helpers/many-stacks";
import { SHORT } from "../../helpers/whole";

const STACKS = SHORT ? 30 : 100;

let many: ManyStacks;
let emulator: TestEmulator;
let folder: string;
beforeAll(async () => {
  many = await startManyStacks(STACKS);
  ({ emulator, folder } = many);
});
afterAll(() => many.stop());

const drift: ManyStacks["drift"] = (...args) => many.drift(...args);
const commands = () => many.commands();

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
    nodecloud(["drift", ...args], { directory: folder, environment: many.environment });

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
