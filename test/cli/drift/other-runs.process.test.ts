import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SECRET, SIGNATURE } from "../../../src/provider/engine/signatures";
import { nodecloud } from "../../helpers/command-line";
import { type ManyStacks, nameOf, PREFIX, stacksAt, startManyStacks } from "../../helpers/many-stacks";

const STACKS = 6;
const names = Array.from({ length: STACKS }, (_, index) => nameOf(index));

let many: ManyStacks;
let folder: string;
beforeAll(async () => {
  many = await startManyStacks(STACKS);
  ({ folder } = many);
});
afterAll(() => many.stop());

const drift: ManyStacks["drift"] = (...args) => many.drift(...args);
const commands = () => many.commands();

describe("while other runs change stacks", () => {
  const [first, second] = [nameOf(0), nameOf(1)];
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
    const { code, stdout } = await nodecloud(["import", ".", "--all", "--out", "adopted", "--yes"], {
      ...{ directory: folder, environment: many.environment },
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
