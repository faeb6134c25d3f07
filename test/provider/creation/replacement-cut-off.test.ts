import { stateIn, type StackState } from "../../../src/provider/engine/stack-state";
import { startRig } from "../../helpers/lifecycle";
import { inEachWay } from "../../helpers/plugin";
import { eventually } from "../../helpers/programs";

inEachWay((way) => {
  test("an interrupted replacement of a node with a label of the program is resumed on another machine", async () => {
    const run: { configuration: Record<string, string>; state?: StackState } = {
      configuration: { "nodecloud:resume": "true" },
    };
    const rig = await startRig({ Node: "nodes" }, {}, way, run);
    const inputs = { region: "us-east", type: "g6-nanode-1", label: "web" };
    const node = rig.resource("Node", "web");
    await node.up(inputs);
    const old = node.id;
    const moved = { ...inputs, region: "eu-west" };
    // What the interrupted run has requested.
    const { body } = await rig.emulator.call<{ id: number }>("POST", "/node/instances", { body: moved });
    run.state = stateIn({
      resources: [{ type: node.urn.split("::")[2], id: old, urn: node.urn, outputs: node.outputs }],
      pending_operations: [
        {
          type: "creating",
          resource: { urn: node.urn, inputs: { ...node.inputs, ...moved, __before: old } },
        },
      ],
    });
    await rig.restart();
    await rig.requests();
    await expect(node.up(moved)).resolves.toBe("replaced");
    expect(node.id).toBe(String(body.id));
    expect(await rig.requests()).not.toHaveProperty(["POST /v4/node/instances"]);
    await rig.stop();
  });

  test("a record that its replacement has given up, and that exists with the same content, is taken back and not made twice", async () => {
    const run: { state?: StackState } = {};
    const rig = await startRig({ DomainRecord: "records", Domain: "domains" }, {}, way, run);
    const zone = rig.resource("Domain", "zone");
    await zone.up({ domain: "example.org", type: "master", soaEmail: "dns@example.org" });
    const args = { domainId: zone.id, type: "A", name: "www", target: "192.0.2.1" };
    const old = rig.resource("DomainRecord", "www");
    await old.up(args);
    const { urn, id, inputs, outputs } = old;
    const left = { type: urn.split("::")[2], id, urn, inputs, outputs };
    run.state = stateIn({ resources: [{ ...left, pendingReplacement: true, retainOnDelete: true }] });
    await rig.restart();
    await rig.requests();
    const again = rig.resource("DomainRecord", "www");
    await again.check({ ...args, ttlSec: 300 });
    expect(await again.warnings(1)).toEqual([
      `takes back the DomainRecord ${id}, which it has given up in a replacement that was not finished`,
    ]);
    await again.up({ ...args, ttlSec: 300 });
    expect(again.id).toBe(id);
    expect(await rig.requests()).not.toHaveProperty(["POST /v4/domains/:id/records"]);
    const other = rig.resource("DomainRecord", "www");
    await rig.restart();
    await other.up({ ...args, name: "api" });
    expect(other.id).not.toBe(id);
    await rig.stop();
  });

  describe("a database whose replacement was killed after the old one was deleted and the new one requested", () => {
    const LABELLED = { region: "us-east", type: "g6-standard-1", engine: "mysql/8.0.30", label: "mydb" };
    const MOVED = { ...LABELLED, region: "eu-west" };

    /** The account and the state that the killed run has left, on another machine. */
    const leftBehind = async (configuration: Record<string, string>) => {
      const run: { configuration: Record<string, string>; state?: StackState } = { configuration };
      const rig = await startRig({ MysqlDatabase: "mysql" }, {}, way, run);
      const old = rig.resource("MysqlDatabase", "db");
      await old.up(LABELLED);
      await old.destroy();
      const { body } = await rig.emulator.call<{ id: number }>("POST", "/databases/mysql/instances", {
        body: MOVED,
      });
      const { urn, id, inputs, outputs } = old;
      const type = urn.split("::")[2];
      run.state = stateIn({
        resources: [{ type, id, urn, inputs, outputs, pendingReplacement: true }],
        pending_operations: [{ type: "creating", resource: { urn, inputs: { ...inputs, ...MOVED } } }],
      });
      await rig.restart();
      return { rig, made: String(body.id), database: rig.resource("MysqlDatabase", "db") };
    };

    test("continues with the new one", async () => {
      const { rig, made, database } = await leftBehind({ "nodecloud:resume": "true" });
      await database.up(MOVED);
      expect(database.id).toBe(made);
      await rig.stop();
    });

    test("says that nodecloud:resume continues with it", async () => {
      const { rig, made, database } = await leftBehind({});
      await expect(database.up(MOVED)).rejects.toThrow(
        `label "mydb" is taken by the MysqlDatabase ${made}, which an interrupted run has requested for this resource. To continue with it, set nodecloud:resume (or NODECLOUD_RESUME=true)`,
      );
      await rig.stop();
    });

    test.each([["true"], ["false"]])(
      "says which inputs continue with it if the program has gone back, with nodecloud:resume %s",
      async (resume) => {
        const { rig, made, database } = await leftBehind({ "nodecloud:resume": resume });
        await expect(database.up(LABELLED)).rejects.toThrow(
          `label "mydb" is taken by the MysqlDatabase ${made}, which an interrupted run has requested for this resource with other inputs (region is "us-east" in the program and "eu-west" in the account). ` +
            `To continue with it, restore those inputs and set nodecloud:resume (or NODECLOUD_RESUME=true). To create a new one, delete the MysqlDatabase ${made} first`,
        );
        await rig.emulator.call("DELETE", `/databases/mysql/instances/${made}`);
        await rig.restart();
        await expect(database.up(LABELLED)).resolves.toBe("created");
        await rig.stop();
      },
    );

    test("is refused in the preview on the same machine too if the program has gone back: the label is taken", async () => {
      const rig = await startRig({ MysqlDatabase: "mysql" }, {}, way);
      rig.stopTime();
      const creating = rig.resource("MysqlDatabase", "db").up(MOVED);
      const isMade = await eventually("the database is requested", async () => {
        const { body } = await rig.emulator.control<{ data: unknown[] }>("GET", rig.objects("MysqlDatabase"));
        return body.data.length > 0 || undefined;
      });
      expect(isMade).toBe(true);
      await Promise.all([rig.restart(), expect(creating).rejects.toThrow()]);
      rig.runTime();
      const database = rig.resource("MysqlDatabase", "db");
      await expect(database.check(LABELLED)).resolves.toMatchObject({
        failures: [
          { reason: expect.stringContaining("an interrupted run created the MysqlDatabase") as string },
        ],
      });
      await rig.stop();
    });
  });
});
