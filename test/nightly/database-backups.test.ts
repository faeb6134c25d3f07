import { type TestEmulator } from "../helpers/emulator";
import { endAtOnce } from "../helpers/interrupt";
import { eventually } from "../helpers/programs";
import { type TestStack } from "../helpers/stack";
import { stackForEachTest } from "../helpers/with-stack";

let emulator: TestEmulator;
let stack: TestStack;
stackForEachTest((own) => ({ emulator, stack } = own));

/** The labels of all requested backups. */
const labels = async () => {
  const { body } = await emulator.control<{ data: { label: string; type: string }[] }>(
    "GET",
    "/objects/databaseBackups",
  );
  return body.data.filter(({ type }) => type === "snapshot").map(({ label }) => label);
};

const engines = [
  { kind: "mysql", databases: "MysqlDatabase", engine: "mysql/8.0.30", stays: false },
  { kind: "postgresql", databases: "PostgresqlDatabase", engine: "postgresql/14.6", stays: true },
] as const;

describe.each(engines)("backups of $kind", ({ databases, engine, stays }) => {
  const database = `const db = new nodecloud.${databases}("db", { region: "us-east", type: "g6-standard-1", engine: "${engine}" });`;
  const backup = (name: string, release = 1) =>
    `new nodecloud.${databases}Backup("${name}", { databaseId: db.id, triggers: { release: ${release} } });`;
  test("can be taken twice in one up, dropped, taken again, and destroyed", async () => {
    stack.program(database + backup("night-one") + backup("night-two"));
    expect(await stack.up()).toMatchObject({ code: 0, messages: [], steps: { create: 3 } });
    const state = await stack.state();
    expect((await labels()).sort()).toEqual([
      expect.stringMatching(/^nightone[0-9a-f]{7}$/),
      expect.stringMatching(/^nighttwo[0-9a-f]{7}$/),
    ]);
    expect(await stack.preview("--expect-no-changes")).toMatchObject({ code: 0, messages: [] });
    expect(await stack.drift()).toMatchObject({ code: 0 });

    await emulator.control("DELETE", `/objects/databaseBackups/${state["night-one"]?.id}`);
    expect((await stack.drift()).code).not.toBe(0);
    expect(await stack.up("--refresh")).toMatchObject({ code: 0, order: ["night-one create"] });

    stack.program(database + backup("night-one") + backup("night-two", 2));
    const replaced = await stack.up();
    expect(replaced).toMatchObject({
      code: 0,
      order: ["night-two create-replacement", "night-two replace", "night-two delete-replaced"],
    });
    expect(await labels()).toHaveLength(stays ? 3 : 2);

    const destroyed = await stack.destroy();
    expect(destroyed).toMatchObject({ code: 0, order: expect.arrayContaining(["db delete"]) as string[] });
    const left = "the API has no operation to delete a backup of a PostgreSQL database";
    expect(destroyed.messages).toEqual(stays ? Array(2).fill(expect.stringContaining(left)) : []);
    expect((await emulator.call("GET", "/databases/instances")).body).toMatchObject({ results: 0 });
  });
});

test("a run that is killed while a backup is taken leaves no second backup", async () => {
  const database =
    'const db = new nodecloud.MysqlDatabase("db", { region: "us-east", type: "g6-standard-1", engine: "mysql/8.0.30" });';
  stack.program(database);
  expect(await stack.up()).toMatchObject({ code: 0 });
  emulator.clock.setSpeed(0);
  stack.program(`${database} new nodecloud.MysqlDatabaseBackup("night", { databaseId: db.id });`);
  const running = stack.start("up", "--yes", "--skip-preview");
  await eventually("the service has the request", async () => (await labels())[0]);
  expect((await endAtOnce(stack, running)).code).not.toBe(0);
  expect(Object.keys(await stack.state())).toEqual(["db"]);

  emulator.clock.setSpeed(60_000);
  expect(await stack.up()).toMatchObject({ code: 0, order: ["night create"] });
  expect(await labels()).toEqual([(await stack.state())["night"]?.outputs["label"]]);
  expect(await emulator.counts()).toMatchObject({ "POST /v4/databases/mysql/instances/:id/backups": 1 });
  expect(await stack.preview("--expect-no-changes")).toMatchObject({ code: 0 });
});

test("the preview refuses a property that the API has no operation for, with the reason", async () => {
  stack.program(
    'new nodecloud.PostgresqlDatabase("db", { region: "us-east", type: "t", engine: "postgresql/14.6", patchTrigger: 1 });',
  );
  const preview = await stack.preview();
  expect(preview.code).not.toBe(0);
  expect(preview.printed).toContain(
    "patchTrigger is only for MySQL: the API has no operation to patch a PostgreSQL database",
  );
});

test("a node is restored from another node's snapshot in one up", async () => {
  const node = (name: string, more = "") =>
    `const ${name} = new nodecloud.Node("${name}", { region: "us-east", type: "g6-nanode-1", image: "node/debian12"${more} });`;
  stack.program(`${node("web")} ${node("spare")}
    const snapshot = new nodecloud.NodeBackupSnapshot("snapshot", { nodeId: web.id });`);
  expect(await stack.up()).toMatchObject({ code: 0 });
  stack.program(`${node("web")}
    const snapshot = new nodecloud.NodeBackupSnapshot("snapshot", { nodeId: web.id });
    ${node("spare", ", restoreFromBackup: { backupId: snapshot.id, overwrite: true }")}`);
  const preview = await stack.preview();
  expect(preview.messages).toEqual([
    expect.stringContaining("restoring a backup with overwrite deletes all the node's disks"),
  ]);
  expect(await stack.up()).toMatchObject({ code: 0, order: ["spare update"] });
  expect(await stack.preview("--expect-no-changes")).toMatchObject({ code: 0, messages: [] });
  expect(await stack.drift()).toMatchObject({ code: 0 });
});
