import { type Managed, type Rig } from "../helpers/lifecycle";
import { inEachWay } from "../helpers/plugin";
import { eventually } from "../helpers/programs";
import { base, nodesForAllTests } from "./nodes";

inEachWay((way) => {
  let rig: Rig;
  const { rig: started, aNode, aBackup, inside } = nodesForAllTests(way);
  beforeAll(() => (rig = started()));

  describe("restoreFromBackup", () => {
    const restore = "POST /v4/node/instances/:id/backups/:id/restore";
    const aBackedUpNode = async () => {
      const node = await aNode();
      const snapshot = rig.resource("NodeBackupSnapshot");
      await snapshot.up({ nodeId: node.id });
      return { node, snapshot };
    };
    const labelsIn = async (node: Managed) => (await inside(node)).disks.map(({ label }) => label);

    test("restores a backup of another node only when it changes", async () => {
      const { snapshot } = await aBackedUpNode();
      const node = await aNode();
      const before = await inside(node);
      const args = { ...base(), restoreFromBackup: { backupId: snapshot.id, overwrite: true } };
      await rig.requests();
      expect(await node.preview(args)).toMatchObject({ changes: true, replaces: [] });
      expect(await node.up(args)).toBe("updated");
      expect((await rig.requests())[restore]).toBe(1);
      const after = await inside(node);
      expect(after.disks.length).toBe(before.disks.length);
      expect(after.disks.map(({ id }) => id)).not.toEqual(before.disks.map(({ id }) => id));
      expect(node.outputs).toMatchObject({ status: "running", restoreFromBackup: args.restoreFromBackup });
      expect(await node.up(args)).toBe("same");
      expect(await node.refresh()).toEqual([]);
      expect(await node.up({ ...args, tags: ["new"] })).toBe("updated");
      expect(await node.up(base())).toBe("updated");
      expect(await rig.requests()).not.toHaveProperty([restore]);
    });

    test("accepts a plain number as a backup of the same node", async () => {
      const { node, snapshot } = await aBackedUpNode();
      const backupId = Number(snapshot.id.split("/").at(-1));
      await node.up({ ...base(), type: "g6-standard-2", restoreFromBackup: { backupId } });
      // Without overwrite, the backup's disks are added to the existing disks.
      const [first, second] = await labelsIn(node);
      expect(await labelsIn(node)).toEqual([first, second, first, second]);
    });

    test("runs right after a creation", async () => {
      const backupId = await aBackup();
      await rig.requests();
      const args = { region: "us-east", type: "g6-nanode-1", restoreFromBackup: { backupId } };
      const node = await aNode(args);
      expect((await rig.requests())[restore]).toBe(1);
      expect((await inside(node)).disks).toHaveLength(2);
      expect(node.outputs["status"]).toBe("offline");
      expect(await node.preview(args)).toMatchObject({ changes: false });
      expect(await node.drifted()).toBe(false);
    });

    test("restores again when only overwrite changes, and the preview warns of the loss", async () => {
      const { node, snapshot } = await aBackedUpNode();
      const args = { ...base(), type: "g6-standard-2", restoreFromBackup: { backupId: snapshot.id } };
      await node.up(args);
      expect(await labelsIn(node)).toHaveLength(4);
      // Its omission means the same.
      const spelt = { ...args, restoreFromBackup: { ...args.restoreFromBackup, overwrite: false } };
      expect(await node.preview(spelt)).toMatchObject({ changes: false });
      const over = { ...args, restoreFromBackup: { ...args.restoreFromBackup, overwrite: true } };
      expect(await node.preview(over)).toMatchObject({ changes: true, replaces: [] });
      expect(await node.warnings()).toEqual([
        "interrupts a service: the node is not available during the resize",
        "loses data: restoring a backup with overwrite deletes all the node's disks and configuration profiles first",
      ]);
      await node.up(over);
      expect(await labelsIn(node)).toHaveLength(2);
    });

    test("waits until the node has its previous status", async () => {
      const { node, snapshot } = await aBackedUpNode();
      rig.stopTime();
      let ended = false;
      const restored = node
        .up({ ...base(), restoreFromBackup: { backupId: snapshot.id, overwrite: true } })
        .finally(() => (ended = true));
      await eventually("the restore is waited for", () =>
        node.progress().find((line) => line.startsWith("restoring")),
      );
      expect(ended).toBe(false);
      rig.runTime();
      await restored;
      expect(node.outputs["status"]).toBe("running");
    });

    test("a restore that times out does not start again: the next up waits for its end", async () => {
      const { node, snapshot } = await aBackedUpNode();
      const args = { ...base(), restoreFromBackup: { backupId: snapshot.id, overwrite: true } };
      rig.emulator.clock.setSpeed(0);
      await rig.requests();
      await expect(node.up(args, { customTimeouts: { update: "1s" } })).rejects.toThrow(
        "after 1 s it is not running after the restore yet; its status is restoring",
      );
      rig.stopTime();
      const before = node.progress().length;
      const next = node.up(args);
      await eventually("the next up waits", () => node.progress()[before]);
      rig.runTime();
      await next;
      expect((await rig.requests())[restore]).toBe(1);
      expect(node.outputs["status"]).toBe("running");
    });

    test("waits until no backup of the node runs and the backup is complete", async () => {
      const { snapshot } = await aBackedUpNode();
      const node = await aNode();
      rig.stopTime();
      await rig.emulator.call("POST", `/node/instances/${node.id}/backups`, { body: { label: "by hand" } });
      await rig.requests();
      const restored = node.up({ ...base(), restoreFromBackup: { backupId: snapshot.id, overwrite: true } });
      await eventually("the restore waits", () =>
        node.progress().find((line) => line.includes("ready for the restore")),
      );
      expect(await rig.requests()).not.toHaveProperty([restore]);
      rig.runTime();
      await restored;
      expect((await rig.requests())[restore]).toBe(1);
    });

    test("fails at once if the backup failed or is missing", async () => {
      const { node, snapshot } = await aBackedUpNode();
      await snapshot.patch({ status: "failed" });
      const from = (backupId: string) => node.up({ ...base(), restoreFromBackup: { backupId } });
      await expect(from(snapshot.id)).rejects.toThrow(
        `restore backup ${snapshot.id} to node ${node.id}: the backup is failed, and only a successful one can be restored`,
      );
      await expect(from(`${node.id}/999999`)).rejects.toThrow(
        `restoreFromBackup.backupId names the backup ${node.id}/999999, which does not exist; getNodeBackups lists the backups of a node`,
      );
      await expect(from("999999")).rejects.toThrow(
        `restoreFromBackup names the backup ${node.id}/999999, which does not exist; getNodeBackups lists the backups of a node`,
      );
    });

    test("that a failed run has left is refused by the preview if its backup is gone since", async () => {
      const { node: source, snapshot } = await aBackedUpNode();
      const node = await aNode();
      await rig.emulator.control("POST", "/faults", {
        ...{ method: "POST", path: "/v4/node/instances/*/backups/*/restore" },
        effect: { status: 403, body: { errors: [{ reason: "not now" }] } },
      });
      const args = { ...base(), type: "g6-standard-2", restoreFromBackup: { backupId: snapshot.id } };
      await expect(node.up(args)).rejects.toThrow("not now");
      const cancel = `/node/instances/${source.id}/backups/cancel`;
      expect(await rig.emulator.call("POST", cancel)).toMatchObject({ status: 200 });
      await rig.restart();
      await expect(node.preview(args)).rejects.toThrow(
        `restoreFromBackup names the backup ${snapshot.id}, which does not exist`,
      );
    });

    test("reports too little space in the API's words, and the node stays unchanged", async () => {
      const { node, snapshot } = await aBackedUpNode();
      await expect(node.up({ ...base(), restoreFromBackup: { backupId: snapshot.id } })).rejects.toThrow(
        /^update Node .*: There is insufficient space on the target node\. \(400\) \[NC1005\]$/,
      );
      expect(node.initFailed).toBe(false);
      expect(await node.up(base())).toBe("same");
    });

    test("restores when it is set on an imported node", async () => {
      const { node, snapshot } = await aBackedUpNode();
      const args = { ...base(), label: node.inputs["label"] };
      const adopted = rig.resource("Node");
      await adopted.up(args, { import: node.id });
      const restoring = { ...args, restoreFromBackup: { backupId: snapshot.id, overwrite: true } };
      expect(await adopted.preview(restoring)).toMatchObject({ changes: true, replaces: [] });
      await rig.requests();
      await adopted.up(restoring);
      expect((await rig.requests())[restore]).toBe(1);
    });
  });
});
