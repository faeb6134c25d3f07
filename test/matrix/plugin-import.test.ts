import { everything } from "../engine/everything";
import { AT_ONCE, startTestEmulator, type TestEmulator } from "../helpers/emulator";
import { type TestStack, testStack } from "../helpers/stack";

let emulator: TestEmulator;
let owner: TestStack;
let stack: TestStack;

beforeAll(async () => {
  emulator = await startTestEmulator({ speed: AT_ONCE });
  owner = await testStack(emulator);
  owner.way = "dynamic";
  owner.folder.write("disk.img", "a small disk");
  owner.program(everything());
  expect((await owner.up()).code).toBe(0);
  stack = await testStack(emulator);
  stack.way = "plugin";
});

afterAll(async () => {
  owner.remove();
  stack.remove();
  await emulator.stop();
});

test("pulumi import of every kind gives inputs that the next preview accepts without a change", async () => {
  const objects = Object.entries(await owner.state()).map(([name, { type, id }]) => ({
    type: `nodecloud:index:${type.split(":").at(-1) ?? ""}`,
    name,
    id,
  }));
  const zone = objects.find(({ name }) => name === "zone");
  const all = [...objects, { type: "nodecloud:index:DomainRecordSet", name: "set", id: zone?.id }];
  // A set and single records cannot own the same records.
  const wanted = all.filter(({ type }) => type !== "nodecloud:index:DomainRecord");
  expect(new Set(all.map(({ type }) => type)).size).toBe(10);
  await emulator.newCounts();
  stack.folder.write("objects.json", JSON.stringify({ resources: wanted }));
  const imported = await stack.pulumi(
    ...["import", "--file", "objects.json", "--yes", "--generate-code=false", "--protect=false"],
  );
  expect(imported).toMatchObject({ code: 0 });
  expect(imported.printed).not.toMatch(/failed to validate|warning/i);
  const records = objects.filter(({ type }) => type === "nodecloud:index:DomainRecord");
  const options = ["--yes", "--generate-code=false", "--protect=false", "--skip-preview"];
  const target = (await stack.state())["set"]?.urn ?? "";
  const [first] = records;
  const refused = await stack.pulumi("import", first?.type ?? "", "again", first?.id ?? "", ...options);
  expect(refused.code).not.toBe(0);
  expect(refused.printed).toContain(
    `DomainRecordSet set of this stack manages the DomainRecord ${first?.id}`,
  );
  expect(Object.keys(await stack.state())).not.toContain("again");
  expect((await stack.pulumi("state", "delete", target, "--yes")).code).toBe(0);
  for (const { type, name, id } of records) {
    const one = await stack.pulumi("import", type, name, id, ...options);
    expect([name, one.code, /failed to validate/.test(one.printed)]).toEqual([name, 0, false]);
  }

  const state = Object.entries(await stack.state());
  const declared = state.map(
    ([name, { type, inputs }]) =>
      `new nodecloud.${type.split(":").at(-1) ?? ""}(${JSON.stringify(name)}, ${JSON.stringify(inputs)});`,
  );
  stack.program(declared.join("\n"));
  expect(await stack.preview("--expect-no-changes")).toMatchObject({ code: 0, messages: [] });
  expect(await stack.drift()).toMatchObject({ code: 0, messages: [] });
  expect(
    Object.keys(await emulator.newCounts()).filter((operation) => !operation.startsWith("GET ")),
  ).toEqual([]);
});

test("a set that pulumi import has read is unchanged in a program with the records of its state", async () => {
  const { zone } = await owner.state();
  const other = await testStack(emulator);
  other.way = "plugin";
  try {
    const args = ["nodecloud:index:DomainRecordSet", "set", zone?.id ?? "", "--yes", "--generate-code=false"];
    expect((await other.pulumi("import", ...args, "--protect=false")).code).toBe(0);
    const { set } = await other.state();
    expect(set?.inputs["records"]).toContainEqual(expect.objectContaining({ type: "CAA", tag: "issue" }));
    other.program(`new nodecloud.DomainRecordSet("set", ${JSON.stringify(set?.inputs)});`);
    expect(await other.preview("--expect-no-changes")).toMatchObject({ code: 0, messages: [] });
  } finally {
    other.remove();
  }
});
