import { HIDDEN } from "../../src/provider/state/hidden-names";
import { UNKNOWN } from "../../src/provider/base/values";
import {
  type Rig,
  everyField,
  lifecycle,
  type Managed,
  refusals,
  startRig,
  waiting,
} from "../helpers/lifecycle";
import { inEachWay, type Properties } from "../helpers/plugin";

inEachWay((way) => {
  let rig: Rig;
  beforeAll(async () => {
    // There an automatic name is derived, and not random.
    const environment = { PULUMI_BACKEND_URL: "file:///state" };
    rig = await startRig({ Node: "nodes", NodeBackupSnapshot: "nodeBackups" }, {}, way, { environment });
  });
  afterAll(() => rig.stop());

  /** A node keeps one snapshot, so each test has its own node. */
  const aNode = async (): Promise<Managed> => {
    const node = rig.resource("Node");
    await node.up({ region: "us-east", type: "g6-nanode-1", image: "node/debian12" });
    return node;
  };
  const base = async (): Promise<Properties> => ({ nodeId: (await aNode()).id });

  lifecycle(() => rig, {
    type: "NodeBackupSnapshot",
    first: async () => ({ ...(await base()), label: "before the upgrade", triggers: { release: 1 } }),
    replaced: (first) => ({ ...first, triggers: { release: 2 } }),
    ids: { unknown: "1/999999", malformed: "17" },
    different: { path: "label", value: "after the upgrade" },
    stays: "unless replaced",
  });

  describe("inputs", () => {
    everyField(() => rig, {
      type: "NodeBackupSnapshot",
      base,
      cases: {
        nodeId: {
          change: "replaces",
          first: async () => (await aNode()).id,
          then: async () => (await aNode()).id,
          shown: null,
        },
        label: { change: "replaces", first: "one", then: "two" },
        triggers: { change: "replaces", first: { release: 1 }, then: { release: 2 }, shown: null },
      },
    });
  });

  test("that is put back after it left the stack is taken anew, and a warning names the old one", async () => {
    const args = await base();
    const old = rig.resource("NodeBackupSnapshot", "snap");
    await old.up(args);
    const { id } = old;
    await old.destroy();
    await rig.restart();
    const anew = rig.resource("NodeBackupSnapshot", "snap");
    await anew.up(args);
    expect(anew.id).not.toBe(id);
    expect(rig.plugin.logs.map(({ message }) => message).join("\n")).toContain(
      `the NodeBackupSnapshot ${String(id)} has the same label, and `,
    );
  });

  test("of a node that has one, or with a new label, overwrites that: the preview warns of the loss", async () => {
    const args = await base();
    const first = rig.resource("NodeBackupSnapshot", "first");
    await first.up({ ...args, label: "monday" });
    const said = rig.plugin.logs.map(({ message }) => message).join("\n");
    expect(said).not.toContain("NodeBackupSnapshot first: loses data");
    const loss = `loses data: NodeBackupSnapshot monday (${String(first.id)}) is overwritten, because a node keeps one snapshot`;
    const second = rig.resource("NodeBackupSnapshot", "second");
    await second.check({ ...args, label: "tuesday" });
    expect(await second.warnings()).toContain(loss);
    await rig.restart();
    const asReplacement = rig.resource("NodeBackupSnapshot", "first");
    await asReplacement.check({ ...args, label: "tuesday" });
    expect(await asReplacement.warnings()).toEqual([loss]);
    // A trigger asks for a new snapshot in place of the old one.
    await rig.restart();
    const renewed = { ...args, label: "monday", triggers: { release: 2 } };
    await first.preview(renewed);
    await rig.resource("NodeBackupSnapshot", "first").check(renewed);
    expect(rig.plugin.logs.map(({ message }) => message).join("\n")).not.toContain("loses data");
  });

  // A program in TypeScript tells of which node the unknown id is, and others cannot.
  if (way === "plugin") {
    test("of a node that is not known yet counts as one of a new node, if the run creates nodes only", async () => {
      await rig.restart();
      const inputs = { region: "us-east", type: "g6-nanode-1", image: "node/debian12" };
      const checked = async (told: Properties = {}) => {
        const snapshot = rig.resource("NodeBackupSnapshot");
        await rig.plugin.check(snapshot, { ...(await snapshot.news({ nodeId: UNKNOWN })), ...told });
        return snapshot;
      };
      const lost = [expect.stringMatching("^loses data: a NodeBackupSnapshot that the node")];
      expect(await (await checked()).warnings()).toEqual(lost);
      await rig.resource("Node").check(inputs);
      const ofNew = await checked();
      expect(await (await checked({ [HIDDEN.source]: "" })).warnings()).toEqual(lost);
      expect(await ofNew.warnings(0)).toEqual([]);
    });
  }

  // The full plugin imports before it checks, so it knows the ids.
  if (way === "dynamic") {
    test("of a node that is not known yet may overwrite one, unless the id comes from a new node", async () => {
      await rig.restart();
      const node = rig.resource("Node");
      await node.check({ region: "us-east", type: "g6-nanode-1", image: "node/debian12" });
      const checked = async (told: Properties) => {
        const snapshot = rig.resource("NodeBackupSnapshot");
        await rig.plugin.check(snapshot, { ...(await snapshot.news({ nodeId: UNKNOWN })), ...told });
        return (await snapshot.warnings(0)).join();
      };
      expect(await checked({})).toContain("which is not known yet, may have is overwritten");
      expect(await checked({ [HIDDEN.source]: node.urn })).toBe("");
    });

    test("that is imported takes the place of none", async () => {
      const args = await base();
      const [first, second] = [rig.resource("NodeBackupSnapshot"), rig.resource("NodeBackupSnapshot")];
      await first.up({ ...args, label: "monday" });
      await second.up({ ...args, label: "tuesday" });
      await rig.restart();
      await first.preview({ ...args, label: "monday" });
      const imported = rig.resource("NodeBackupSnapshot");
      await imported.check({ ...args, label: "tuesday" }, { import: second.id });
      expect((await imported.warnings()).join()).toMatch(/,NodeBackupSnapshot \S+ has the same nodeId/);
    });

    test("of a node that is imported in the same run may overwrite one", async () => {
      const node = await aNode();
      await rig.restart();
      const imported = rig.resource("Node");
      const inputs = { region: "us-east", type: "g6-nanode-1", image: "node/debian12" };
      await imported.check(inputs, { import: node.id });
      const snapshot = rig.resource("NodeBackupSnapshot");
      const news = await snapshot.news({ nodeId: UNKNOWN });
      await rig.plugin.check(snapshot, { ...news, [HIDDEN.source]: imported.urn });
      expect((await snapshot.warnings()).join()).toContain("which is not known yet, may have is overwritten");
    });
  }

  refusals(
    () => rig,
    "NodeBackupSnapshot",
    () => ({ nodeId: 1 }),
    [
      [{ nodeId: "web" }, 'nodeId must be the id of a node (a whole number), not "web"'],
      [{ label: "" }, "label must not be empty"],
      [{ label: "x".repeat(256) }, "label must be at most 255 characters long, not 256"],
      [{ lable: "one" }, "lable is not a property of this resource; did you mean label?"],
      [
        { restoreTo: 12 },
        "restoreTo is not supported: set restoreFromBackup of the node that receives the backup",
      ],
    ],
  );

  waiting(() => rig, {
    type: "NodeBackupSnapshot",
    first: base,
    during: "pending",
    ready: "successful",
    failed: "userAborted",
  });

  test("is gone when another snapshot of the node replaces it", async () => {
    const snapshot = rig.resource("NodeBackupSnapshot");
    const args = await base();
    await snapshot.up(args);
    await rig.emulator.call("POST", `/node/instances/${String(args["nodeId"])}/backups`, {
      body: { label: "by hand" },
    });
    expect(await snapshot.refresh()).toBeUndefined();
  });

  test("a delete leaves it in the account, sends nothing, and warns", async () => {
    const snapshot = rig.resource("NodeBackupSnapshot");
    await snapshot.up(await base());
    await rig.requests();
    await snapshot.destroy();
    const counts = await rig.requests();
    expect(Object.keys(counts).filter((operation) => !operation.startsWith("GET "))).toEqual([]);
    expect(await snapshot.live()).toBeDefined();
    expect(await snapshot.warnings()).toEqual([
      expect.stringMatching(
        new RegExp(
          `^stays in the account as ${snapshot.id}, until Node \\d+ is deleted: the API has no operation to delete a snapshot`,
        ),
      ),
    ]);
  });

  test("an update is refused in its preview if the program turns off the node's backups", async () => {
    const node = rig.resource("Node");
    const args = { region: "us-east", type: "g6-nanode-1", backupsEnabled: true };
    await node.up(args);
    const snapshot = rig.resource("NodeBackupSnapshot");
    await snapshot.up({ nodeId: node.id, label: "mine" });
    await node.preview({ ...args, backupsEnabled: false });
    await expect(snapshot.preview({ nodeId: node.id })).rejects.toThrow(
      `of the node ${node.id}, backupsEnabled is false, which deletes its snapshot. Remove this resource from the program`,
    );
    await node.preview(args);
    expect(await snapshot.preview({ nodeId: node.id })).toMatchObject({ changes: true });
  });

  test("the node's id can be a number", async () => {
    const snapshot = rig.resource("NodeBackupSnapshot");
    const args = await base();
    await snapshot.up({ nodeId: Number(args["nodeId"]) });
    expect(await snapshot.preview(args)).toMatchObject({ changes: false });
  });
});
