import { type Rig, startRig } from "../../helpers/lifecycle";
import { inEachWay } from "../../helpers/plugin";
import { a, Zone } from "../collection/zone";

const NODE = { region: "us-east", type: "g6-nanode-1", image: "node/debian12" };

/** The engine repeats what failed midway in the same run, and hands over the state before. */
inEachWay((way) => {
  let rig: Rig;
  beforeAll(async () => {
    const kinds = { Node: "nodes", NodeBackupSnapshot: "nodeBackups", Domain: "domains" } as const;
    rig = await startRig({ ...kinds, MysqlDatabase: "databases", DomainRecordSet: "records" }, {}, way);
  });
  afterAll(() => rig.stop());
  afterEach(async () => {
    rig.runTime();
    await rig.emulator.control("POST", "/reset?only=faults");
  });

  const refuse = (method: string, path: string, field: string, times = 1) =>
    rig.emulator.control("POST", "/faults", {
      ...{ method, path, times, effect: { status: 400, body: { errors: [{ reason: "not now", field }] } } },
    });
  const mended = async () => {
    await rig.emulator.control("POST", "/reset?only=faults");
    return true;
  };
  const created = async (path: string) => (await rig.requests())[`POST /v4/${path}`];

  test("a creation goes on with the object that it has made", async () => {
    await refuse("PUT", "/v4/node/instances/*", "watchdog_enabled");
    const node = rig.resource("Node");
    await rig.requests();
    const args = { ...NODE, watchdogEnabled: false };
    expect(await node.up(args, { onError: mended })).toBe("created");
    expect(await created("node/instances")).toBe(1);
    expect(node.outputs["rootPass"]).toEqual(expect.any(String));
    expect(await node.live()).toMatchObject({ watchdog_enabled: false });
    expect(await node.up(args)).toBe("same");
    await node.destroy();
  });

  test("a creation waits anew for its end", async () => {
    const database = rig.resource("MysqlDatabase");
    await rig.requests();
    rig.emulator.clock.setSpeed(0);
    await database.up(
      { region: "us-east", type: "g6-standard-1", engine: "mysql/8.0.30" },
      {
        customTimeouts: { create: "2s" },
        onError: () => {
          rig.runTime();
          return Promise.resolve(true);
        },
      },
    );
    expect(await created("databases/mysql/instances")).toBe(1);
    expect(database.outputs).toMatchObject({ status: "active", rootPassword: expect.any(String) as string });
    await database.destroy();
  });

  test("an object that the hook has deleted is created again", async () => {
    await refuse("PUT", "/v4/node/instances/*", "watchdog_enabled");
    const node = rig.resource("Node");
    await rig.requests();
    const deleted = async () => {
      const { body } = await rig.emulator.control<{ data: { id: number }[] }>("GET", "/objects/nodes");
      for (const { id } of body.data) await rig.emulator.call("DELETE", `/node/instances/${id}`);
      return true;
    };
    await node.up({ ...NODE, watchdogEnabled: false }, { onError: deleted });
    expect(await created("node/instances")).toBe(2);
    expect(await node.live()).toMatchObject({ watchdog_enabled: false });
    await node.destroy();
  });

  test("the object stays in the state if the repetition fails in another way", async () => {
    await refuse("PUT", "/v4/node/instances/*", "watchdog_enabled");
    const node = rig.resource("Node");
    const args = { ...NODE, watchdogEnabled: false };
    let failures = 0;
    const unreadable = async () => {
      await refuse("GET", "/v4/node/instances/**", "id", 100);
      return ++failures === 1;
    };
    await expect(node.up(args, { onError: unreadable })).rejects.toThrow(/^create Node .*: not now/);
    expect(node.initFailed).toBe(true);
    await mended();
    await rig.requests();
    expect(await node.up(args)).toBe("updated");
    expect(await created("node/instances")).toBeUndefined();
    await node.destroy();
  });

  test("a set creates each member once, also in an update", async () => {
    const domain = rig.resource("Domain");
    await domain.up({ domain: "repeated.example", type: "master", soaEmail: "a@repeated.example" });
    const zone = new Zone(rig, domain.id);
    const set = rig.resource("DomainRecordSet");
    await refuse("POST", "/v4/domains/*/records", "name");
    await set.up(zone.set([a("a"), a("b"), a("c")]), { onError: mended });
    expect(await zone.names()).toEqual(["a", "b", "c"]);
    await refuse("POST", "/v4/domains/*/records", "name");
    await set.up(zone.set([a("a"), a("b"), a("d"), a("e")]), { onError: mended });
    expect(await zone.names()).toEqual(["a", "b", "d", "e"]);
    expect(await set.up(zone.set([a("a"), a("b"), a("d"), a("e")]))).toBe("same");
  });
});
