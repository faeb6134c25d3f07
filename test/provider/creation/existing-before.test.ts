import { UNKNOWN } from "../../../src/provider/base/values";
import { type Rig, startRig } from "../../helpers/lifecycle";
import { inEachWay } from "../../helpers/plugin";

inEachWay((way) => {
  let rig: Rig;
  beforeAll(async () => {
    rig = await startRig(
      { Node: "nodes", Domain: "domains", MysqlDatabase: "mysql", MysqlDatabaseBackup: "databaseBackups" },
      {},
      way,
    );
  });
  afterAll(() => rig.stop());

  const node = (label?: unknown) => ({ region: "us-east", type: "g6-nanode-1", label });
  const recorded = async (args: Record<string, unknown>) =>
    (await rig.resource("Node").check(args)).inputs["__before"];

  test("the inputs of a creation whose label the program sets name the equal objects of the account", async () => {
    const label = `node-${rig.serial()}`;
    expect(await recorded(node(label))).toBe("");
    const { body } = await rig.emulator.call<{ id: number }>("POST", "/node/instances", {
      body: node(label),
    });
    await rig.restart();
    expect(await recorded(node(label))).toBe(String(body.id));
    expect(await recorded(node(UNKNOWN))).toBe(UNKNOWN);
  });

  test("so do those below a parent, which are the parent's own", async () => {
    const one = rig.resource("MysqlDatabase");
    await one.up({
      region: "us-east",
      type: "g6-nanode-1",
      engine: "mysql/8.0.30",
      label: `db-${rig.serial()}`,
    });
    const backup = async (databaseId: unknown) =>
      (await rig.resource("MysqlDatabaseBackup").check({ databaseId, label: "nightly" })).inputs["__before"];
    expect(await backup(one.id)).toBe("");
    expect(await backup(UNKNOWN)).toBe(UNKNOWN);
    const path = `/databases/mysql/instances/${one.id}/backups`;
    await rig.emulator.call("POST", path, { body: { label: "nightly" } });
    await rig.restart();
    expect(await backup(one.id)).toMatch(/^\d+$/);
  });

  test("those of a creation that the state identifies by its name do not", async () => {
    expect(await recorded(node())).toBeUndefined();
    const domain = `node${rig.serial()}.example`;
    const { inputs } = await rig
      .resource("Domain")
      .check({ domain, type: "master", soaEmail: `dns@${domain}` });
    expect(inputs).not.toHaveProperty("__before");
  });

  test("the next runs drop it, and show neither a change nor drift", async () => {
    const args = node(`node-${rig.serial()}`);
    const one = rig.resource("Node");
    await one.up(args);
    expect(one.inputs).toHaveProperty("__before", "");
    expect(one.outputs).not.toHaveProperty("__before");
    expect(await one.drifted()).toBe(false);
    expect(await one.preview(args)).toMatchObject({ changes: false });
    expect(await one.up(args)).toBe("same");
    expect(one.inputs).not.toHaveProperty("__before");
    expect(await one.refresh()).toEqual([]);
    expect(await one.up(args)).toBe("same");
  });
});

test("without nodecloud:validate nothing is looked up for it", async () => {
  const rig = await startRig({}, {}, "dynamic", { environment: { NODECLOUD_VALIDATE: "false" } });
  await rig.requests();
  const { inputs } = await rig
    .resource("Node")
    .check({ region: "us-east", type: "g6-nanode-1", label: "web" });
  expect(inputs).not.toHaveProperty("__before");
  expect(await rig.requests()).toEqual({});
  await rig.stop();
});
