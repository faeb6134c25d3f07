import { descriptions } from "../../src/resources";
import { leavesOf } from "../../src/provider/describe/fields";
import { type TestEmulator } from "../helpers/emulator";
import { type Outcome, type StateResource, testStack, type TestStack } from "../helpers/stack";
import { stackForAllTests, stackForEachTest } from "../helpers/with-stack";
import { everyKind, FIRST, type Kind, KINDS, OTHER } from "./every-kind";

let emulator: TestEmulator;
let stack: TestStack;
const begin: Parameters<typeof stackForEachTest>[0] = (own) => {
  ({ emulator, stack } = own);
  stack.folder.write("disk.img", "a small disk");
  stack.folder.write("other.img", "another disk");
};

const SAME = { code: 0, messages: [], order: [], steps: { same: KINDS.length } };

/** Every input of a kind, with the paths of nested inputs, except inputs that the provider computes. */
const pathsOf = (kind: Kind): string[] =>
  leavesOf(descriptions[kind].fields)
    // Nothing answers here.
    .filter(({ awaited }) => awaited !== true)
    .map(({ path }) => path)
    .filter((path) => path !== "sourceHash");

/** Like `pathsOf`, but with the top-level path for deeply nested inputs: the engine ignores such a path if the object that contains it is new. */
const ignorable = (kind: Kind): string[] => [
  ...new Set(pathsOf(kind).map((path) => (path.split(".").length > 2 ? String(path.split(".")[0]) : path))),
];

const ignoring = (pathsIn: (kind: Kind) => readonly string[]) => (kind: Kind) =>
  JSON.stringify({ ignoreChanges: pathsIn(kind) });

const at = (inputs: unknown, path: string): unknown =>
  path
    .split(".")
    .reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], inputs);

test("the programs of these tests change every input of every kind", () => {
  for (const kind of KINDS) {
    const untouched = pathsOf(kind).filter(
      (path) => at(OTHER[kind], path) === undefined || at(OTHER[kind], path) === at(FIRST[kind], path),
    );
    expect([kind, untouched]).toEqual([kind, []]);
  }
});

describe("ignoreChanges", () => {
  stackForAllTests(begin);
  type State = Readonly<Record<string, StateResource>>;
  const changed = { inputs: (kind: Kind) => OTHER[kind] };
  let before: State;

  beforeAll(async () => {
    stack.program(everyKind({}));
    expect(await stack.up()).toMatchObject({ code: 0 });
    before = await stack.state();
    stack.folder.write("disk.img", "another content");
  });

  describe.each([
    ["by their paths", ignoring(ignorable)],
    ["by *", ignoring(() => ["*"])],
  ])("names all inputs %s", (_, options) => {
    let asked: Outcome;
    let up: Outcome;
    let after: State;

    beforeAll(async () => {
      stack.program(everyKind({ ...changed, options }));
      asked = await stack.preview();
      up = await stack.up();
      after = await stack.state();
    });

    test("and neither the preview nor the up changes anything", () => {
      expect(asked).toMatchObject(SAME);
      expect(up).toMatchObject(SAME);
    });

    test.each(KINDS)("and %s keeps all of them, including files, secrets and records", (kind) => {
      expect(after[kind]).toMatchObject({ id: before[kind]?.id, outputs: before[kind]?.outputs });
    });
  });

  test("cannot name an input within an object that is new, and the engine says so", async () => {
    stack.program(everyKind({ ...changed, options: ignoring(pathsOf) }));
    const passedOver = await stack.preview();
    expect(passedOver.order).toEqual(["Node update"]);
    expect(passedOver.printed).toContain(
      'cannot ignore changes in added or removed elements of the path: \\"backups.schedule.day, backups.schedule.window\\"',
    );
  });

  test("leaves the changes of other inputs", async () => {
    stack.program(
      everyKind({
        inputs: (kind) => ({
          ...FIRST[kind],
          ...(kind === "Domain" ? { description: "theirs", ttlSec: 3600 } : {}),
        }),
        options: ignoring((kind) => (kind === "Domain" ? ["ttlSec"] : kind === "Image" ? ["source"] : [])),
      }),
    );
    expect(await stack.up()).toMatchObject({ code: 0, order: ["Domain update"] });
    expect((await stack.state())["Domain"]?.outputs).toMatchObject({ description: "theirs", ttlSec: 300 });
  });
});

describe("an input in ignoreChanges", () => {
  stackForEachTest(begin);

  test("keeps the drifted value that a refresh found", async () => {
    stack.program(everyKind({}));
    expect(await stack.up()).toMatchObject({ code: 0 });
    const { Node: node, DomainRecordSet: set } = await stack.state();
    const records = await emulator.control<{ data: { id: number; name: string }[] }>(
      "GET",
      "/objects/records",
    );
    const a = records.body.data.find(({ name }) => name === "a.hosts");
    await emulator.control("PATCH", `/objects/nodes/${node?.id}`, { label: "moved" });
    await emulator.control("PATCH", `/objects/records/${a?.id}`, { target: "192.0.2.99" });
    stack.program(everyKind({ options: ignoring((kind) => (kind === "Node" ? ["label"] : ["*"])) }));
    expect(await stack.refresh()).toMatchObject({ code: 0 });
    expect(await stack.up()).toMatchObject(SAME);
    const now = await stack.state();
    expect(now["Node"]).toMatchObject({ id: node?.id, outputs: { label: "moved" } });
    expect(now["DomainRecordSet"]?.id).toBe(set?.id);
    expect(now["DomainRecordSet"]?.outputs["records"]).toContain("192.0.2.99");
    expect(await stack.drift()).toMatchObject({ code: 0 });
  });

  test("keeps the account's value in an import", async () => {
    stack.program(everyKind({}));
    expect(await stack.up()).toMatchObject({ code: 0 });
    const there = await stack.state();
    const importing = (more: string) => (kind: Kind) =>
      `{ import: ${JSON.stringify(there[kind]?.id)}, ${more} }`;
    const other = await testStack(emulator);
    try {
      for (const file of ["disk.img", "other.img"]) other.folder.write(file, "whatever");
      const moved: Partial<Record<Kind, object>> = {
        Node: { tags: ["c"], alerts: { cpu: 1, io: 2 } },
        MysqlDatabase: {
          allowList: [],
          updates: { dayOfWeek: 1, duration: 1, frequency: "weekly", hourOfDay: 1 },
        },
        Domain: { description: "theirs", ttlSec: 7200 },
        DomainRecord: { target: "192.0.2.77" },
        DomainRecordSet: { records: [] },
        Image: { description: "another disk" },
      };
      // Only an exclusive set can have records that its program does not declare.
      const set = (kind: Kind) => (kind === "DomainRecordSet" ? { exclusive: true } : {});
      const inputs = (kind: Kind) => ({ ...FIRST[kind], ...moved[kind], ...set(kind) });
      const ignored = (kind: Kind) => Object.keys(moved[kind] ?? {});
      other.program(everyKind({ inputs, options: importing("") }));
      const refused = await other.preview();
      expect(refused.messages.join()).toMatch(/ is .* in the program and .* in the account/);
      const options = (kind: Kind) => importing(`ignoreChanges: ${JSON.stringify(ignored(kind))}`)(kind);
      other.program(everyKind({ inputs, options }));
      expect(await other.up()).toMatchObject({ code: 0, messages: [] });
      expect((await other.state())["DomainRecordSet"]?.outputs["records"]).toBe(
        there["DomainRecordSet"]?.outputs["records"]?.toString().replaceAll(/ ; [ab]$/gm, ""),
      );
      expect(await other.preview()).toMatchObject(SAME);
      expect(await other.drift()).toMatchObject({ code: 0 });
    } finally {
      other.remove();
    }
  });
});
