import { type TestEmulator, startTestEmulator } from "../helpers/emulator";
import { type TestStack } from "../helpers/stack";
import { stacksOn } from "../helpers/with-stack";

let emulator: TestEmulator;
beforeAll(async () => {
  emulator = await startTestEmulator({ speed: 60_000 });
});
afterAll(() => emulator.stop());

const withStack = stacksOn(() => emulator);

/** Saves the plan of a preview, and runs `up` with it. */
async function upByPlan(stack: TestStack, ...args: string[]) {
  const preview = await stack.preview("--save-plan", "plan.json", ...args);
  expect(preview).toMatchObject({ code: 0 });
  return stack.up("--plan", "plan.json", ...args);
}

const labels = async (stack: TestStack) =>
  Object.fromEntries(
    Object.entries(await stack.state()).map(([name, { inputs }]) => [name, inputs["label"]]),
  );

/** A program with a resource of each kind that has an automatic name. */
const named = ({ region = "us-east", size = 1, tags = "one", trigger = "1" } = {}) => `
  const web = new nodecloud.Node("web", { region: "${region}", type: "g6-nanode-1", image: "node/debian12", tags: ["${tags}"] });
  const base = { region: "${region}", type: "g6-standard-1", clusterSize: 1, updates: { hourOfDay: ${size} } };
  const mysql = new nodecloud.MysqlDatabase("mysql", { ...base, engine: "mysql/8.0.30" });
  const postgresql = new nodecloud.PostgresqlDatabase("postgresql", { ...base, engine: "postgresql/14.6" });
  const triggers = { trigger: "${trigger}" };
  new nodecloud.NodeBackupSnapshot("snapshot", { nodeId: web.id, triggers });
  new nodecloud.MysqlDatabaseBackup("mysql-backup", { databaseId: mysql.id, triggers });
  new nodecloud.PostgresqlDatabaseBackup("postgresql-backup", { databaseId: postgresql.id, triggers });
  new nodecloud.Image("image", { source: "disk.img", region: "${region}", description: "${tags}" });`;

const KINDS = ["web", "mysql", "postgresql", "snapshot", "mysql-backup", "postgresql-backup", "image"];

test("up follows a saved plan that creates, updates or replaces resources with automatic names", async () => {
  await withStack(named(), async (stack) => {
    stack.folder.write("disk.img", "a small disk");
    expect(await upByPlan(stack)).toMatchObject({ code: 0, steps: { create: KINDS.length } });
    const first = await labels(stack);
    for (const name of KINDS)
      expect(first[name]).toMatch(new RegExp(`^${name.replace("-", "-?")}-?[0-9a-f]{7}$`));

    stack.program(named({ size: 2, tags: "two" }));
    expect(await upByPlan(stack)).toMatchObject({ code: 0, steps: { update: 4 } });
    expect(await labels(stack)).toEqual(first);

    stack.program(named({ size: 2, tags: "two", region: "eu-west", trigger: "2" }));
    const replaced = await upByPlan(stack);
    expect(replaced).toMatchObject({ code: 0, steps: { replace: KINDS.length } });
    const second = await labels(stack);
    for (const name of KINDS) expect([name, second[name]]).not.toEqual([name, first[name]]);
    expect(await stack.preview("--expect-no-changes")).toMatchObject({ code: 0 });
    expect(await stack.drift()).toMatchObject({ code: 0 });
    expect(await stack.destroy()).toMatchObject({ code: 0 });
  });
});

const two = (options = "{}") => `
  const base = { region: "us-east" };
  new nodecloud.Node("web", { ...base, type: "g6-nanode-1", image: "node/debian12" }, ${options});
  new nodecloud.MysqlDatabase("shop", { ...base, type: "g6-standard-1", engine: "mysql/8.0.30" }, ${options});`;

describe("if the engine replaces without a diff, a resource with an automatic name gets the next name", () => {
  const urnsOf = async (stack: TestStack) => Object.values(await stack.state()).map(({ urn }) => urn);

  test("with --replace, also with a saved plan", async () => {
    await withStack(two(), async (stack) => {
      expect(await stack.up()).toMatchObject({ code: 0 });
      const first = await labels(stack);
      const replace = (await urnsOf(stack)).flatMap((urn) => ["--replace", urn]);
      expect(await stack.up(...replace)).toMatchObject({ code: 0, steps: { replace: 2 } });
      const second = await labels(stack);
      expect(await upByPlan(stack, ...replace)).toMatchObject({ code: 0, steps: { replace: 2 } });
      const third = await labels(stack);
      for (const name of ["web", "shop"]) {
        expect(second[name]).not.toBe(first[name]);
        expect(third[name]).not.toBe(second[name]);
        expect(third[name]).toMatch(new RegExp(`^${name}-[0-9a-f]{7}$`));
      }
      expect(await stack.destroy()).toMatchObject({ code: 0 });
    });
  });

  test("after `state taint`, also with a saved plan", async () => {
    await withStack(two(), async (stack) => {
      expect(await stack.up()).toMatchObject({ code: 0 });
      const first = await labels(stack);
      for (const urn of await urnsOf(stack)) {
        expect(await stack.pulumi("state", "taint", "--yes", urn)).toMatchObject({ code: 0 });
      }
      expect(await upByPlan(stack)).toMatchObject({ code: 0, steps: { replace: 2 } });
      const second = await labels(stack);
      for (const name of ["web", "shop"]) expect(second[name]).not.toBe(first[name]);
      expect(await stack.destroy()).toMatchObject({ code: 0 });
    });
  });
});

/** The labels that a preview of a program plans. */
async function planned(stack: TestStack): Promise<string[]> {
  const preview = await stack.preview();
  expect(preview).toMatchObject({ code: 0 });
  return Object.values(preview.planned)
    .map((inputs) => String(inputs["label"]))
    .sort();
}

test("stacks of the same name in two backends name their resources differently", async () => {
  await withStack(two(), async (one) => {
    await withStack(two(), async (other) => {
      const [first, second] = [await planned(one), await planned(other)];
      expect(first).toHaveLength(2);
      expect(new Set([...first, ...second]).size).toBe(4);
    });
  });
});

test("the same backend gives the same names if the environment, the project or the login selects it", async () => {
  await withStack(two(), async (stack) => {
    const url = stack.env["PULUMI_BACKEND_URL"] ?? "";
    const byEnvironment = await planned(stack);
    delete stack.env["PULUMI_BACKEND_URL"];
    stack.folder.write("Pulumi.yaml", `name: program\nruntime: nodejs\nbackend:\n  url: ${url}\n`);
    expect(await planned(stack)).toEqual(byEnvironment);
    stack.folder.write("Pulumi.yaml", "name: program\nruntime: nodejs\n");
    expect(await stack.pulumi("login", url)).toMatchObject({ code: 0 });
    await stack.pulumi("stack", "select", "test");
    expect(await planned(stack)).toEqual(byEnvironment);
  });
});
