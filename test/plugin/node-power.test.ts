import { type Rig } from "../helpers/lifecycle";
import { inEachWay } from "../helpers/plugin";
import { eventually } from "../helpers/programs";
import { base, nodesForAllTests } from "./nodes";

/** Changes that boot or resize a node. */
inEachWay((way) => {
  let rig: Rig;
  const { rig: started, aNode, inside } = nodesForAllTests(way);
  beforeAll(() => (rig = started()));

  describe("booted", () => {
    test("if omitted, the power state is unmanaged", async () => {
      const node = await aNode();
      await node.patch({ status: "offline" });
      expect(await node.drifted()).toBe(false);
      expect(await node.refresh()).toEqual([]);
      expect(await node.up(base())).toBe("same");
      expect(await node.live()).toMatchObject({ status: "offline" });
    });

    test.each(["offline", "stopped"])(
      "if true, a node that is %s is drift, and the next up boots it",
      async (status) => {
        const args = { ...base(), booted: true };
        const node = await aNode(args);
        await node.patch({ status });
        expect(await node.drifted()).toBe(true);
        expect(await node.refresh()).toEqual(["booted"]);
        expect(await node.preview(args)).toMatchObject({ changes: true, replaces: [] });
        await rig.requests();
        expect(await node.up(args)).toBe("updated");
        expect(await rig.requests()).toMatchObject({ "POST /v4/node/instances/:id/boot": 1 });
        expect(node.outputs).toMatchObject({ status: "running", booted: true });
      },
    );

    test.each(["migrating", "rebuilding", "a status of tomorrow"])(
      "if true, a node that is %s is not drift",
      async (status) => {
        const args = { ...base(), booted: true };
        const node = await aNode(args);
        await node.patch({ status });
        expect(await node.drifted()).toBe(false);
        expect(await node.refresh()).toEqual([]);
      },
    );

    test("boots the node when it changes to true, and a change to false fails and names the input", async () => {
      const node = await aNode({ ...base(), booted: false });
      expect(await node.up({ ...base(), booted: true })).toBe("updated");
      expect(node.outputs["status"]).toBe("running");
      const { failures } = await node.check({ ...base(), booted: false });
      expect(failures.map(({ reason }) => reason)).toEqual([
        "booted cannot change to false: the API has no operation to stop a node. Omit it, and stop the node outside Pulumi [NC1101]",
      ]);
    });
  });

  describe("bootConfigId", () => {
    const bodies = async () => {
      const { body } = await rig.emulator.control<{ last: { path: string; body?: unknown }[] }>(
        "GET",
        "/requests",
      );
      return body.last.filter(({ path }) => path.endsWith("/boot")).map((request) => request.body);
    };

    test.each([true, false])("is sent with the boot operation if it is set: %p", async (isSet) => {
      const args = { ...base(), booted: true };
      const node = await aNode(args);
      const [config] = (await inside(node)).configs;
      await node.patch({ status: "offline" });
      await node.refresh();
      await rig.requests();
      await node.up(isSet ? { ...args, bootConfigId: config?.id } : args);
      expect(await bodies()).toEqual([isSet ? { config_id: config?.id } : {}]);
    });
  });

  describe("type", () => {
    test("a change resizes the node, and waits until the node has its previous status and the new type", async () => {
      const node = await aNode();
      rig.stopTime();
      const resized = node.up({ ...base(), type: "g6-standard-2" });
      await eventually("the resize is waited for", () =>
        node.progress().find((line) => line.startsWith("migrating")),
      );
      rig.runTime();
      expect(await resized).toBe("updated");
      expect(node.outputs).toMatchObject({
        type: "g6-standard-2",
        status: "running",
        specs: { memory: 4096 },
      });
    });

    describe.each([
      ["still runs", false],
      ["has ended meanwhile", true],
    ])("whose change timed out and %s", (_, isOver) => {
      const larger = () => ({ ...base(), type: "g6-standard-2" });

      async function timedOut() {
        const node = await aNode();
        rig.emulator.clock.setSpeed(0);
        const resized = node.up(larger(), { customTimeouts: { update: "1s" } });
        await expect(resized).rejects.toThrow("it is not running as g6-standard-2 yet");
        if (isOver) await node.patch({ type: "g6-standard-2", status: "running" });
        await rig.requests();
        return node;
      }
      const resizes = async () => (await rig.requests())["POST /v4/node/instances/:id/resize"];

      test("is waited for by the next run, and requested once", async () => {
        const node = await timedOut();
        rig.runTime();
        expect(await node.up(larger())).toBe("updated");
        expect(await resizes()).toBeUndefined();
        expect(node.outputs).toMatchObject({ type: "g6-standard-2", status: "running" });
        expect(await node.preview(larger())).toMatchObject({ changes: false });
      });

      test("is taken back by a program with the type before, whose preview says so", async () => {
        const node = await timedOut();
        expect(await node.preview(base())).toMatchObject({ changes: true });
        expect(await node.warnings()).toContain(
          "interrupts a service: the node is not available during the resize",
        );
        rig.runTime();
        expect(await node.up(base())).toBe("updated");
        expect(await resizes()).toBe(1);
        expect(node.outputs).toMatchObject({ type: base().type, status: "running" });
      });
    });

    test('a change replaces the node with resize: "replace"', async () => {
      const args = { ...base(), resize: "replace" };
      const node = await aNode(args);
      expect(await node.preview({ ...args, type: "g6-standard-2" })).toMatchObject({ replaces: ["type"] });
    });
  });
});
