import { type CutOff, type StackState, stateIn } from "../../../src/provider/engine/stack-state";
import { type Managed, type Rig, startRig } from "../../helpers/lifecycle";
import { inEachWay } from "../../helpers/plugin";

/** A run was interrupted while it updated or deleted a resource, and the program has gone back to what the state says. */
inEachWay((way) => {
  let rig: Rig;
  let cutOff: CutOff | undefined;
  let node: Managed;
  /** The resource as the state has it. */
  let stored: Managed | undefined;
  const saved = () => {
    if (stored === undefined) return stateIn({});
    const { urn, id, outputs } = stored;
    const resource = { urn, type: urn.split("::").at(-2) };
    const pending = cutOff === undefined ? [] : [{ type: cutOff, resource }];
    return stateIn({ resources: [{ ...resource, id, outputs }], pending_operations: pending });
  };
  beforeAll(async () => {
    const state: StackState = {
      ...stateIn({}),
      wasCutOff: (...asked) => saved().wasCutOff(...asked),
      get cutOff() {
        return saved().cutOff;
      },
    };
    const configuration = { "nodecloud:resume": "true" };
    rig = await startRig({ Node: "nodes", DomainRecordSet: "records", Domain: "domains" }, {}, way, {
      state,
      configuration,
    });
  });
  beforeEach(async () => {
    [cutOff, stored] = [undefined, undefined];
    node = rig.resource("Node");
    await node.up(wanted);
    stored = node;
    await rig.restart();
    await rig.requests();
  });
  afterAll(() => rig.stop());

  const wanted = { region: "us-east", type: "g6-nanode-1", tags: ["v1"] };
  const READ = "GET /v4/node/instances/:id";
  const path = () => `/objects/nodes/${node.id}`;
  const tags = async () => (await rig.emulator.control<{ tags: string[] }>("GET", path())).body.tags;

  test.each(["updating", "deleting"] as const)(
    "%s: an object that differs is updated to the program",
    async (operation) => {
      await rig.emulator.control("PATCH", path(), { tags: ["v2"] });
      cutOff = operation;
      expect(await node.preview(wanted)).toMatchObject({ changes: true, replaces: [] });
      expect(await node.warnings(1)).toEqual([
        expect.stringContaining(`an interrupted run was ${operation} it`),
      ]);
      expect(await node.up(wanted)).toBe("updated");
      expect(await tags()).toEqual(["v1"]);
    },
  );

  test.each(["updating", "deleting"] as const)(
    "%s: an object that is gone is refused, and not after a refresh",
    async (operation) => {
      await rig.emulator.control("DELETE", path());
      cutOff = operation;
      await expect(node.preview(wanted)).rejects.toThrow(
        `: an interrupted run was ${operation} it, and it no longer exists. Run \`pulumi up --refresh\``,
      );
      expect(await node.refresh()).toBeUndefined();
    },
  );

  describe("under a new name, which an alias leads to", () => {
    const renamed = (old: Managed) => {
      const { id, inputs, outputs } = old;
      return Object.assign(rig.resource(old.type), { id, inputs, outputs });
    };

    test("an object that differs is updated to the program", async () => {
      await rig.emulator.control("PATCH", path(), { tags: ["v2"] });
      cutOff = "updating";
      const now = renamed(node);
      expect(await now.preview(wanted)).toMatchObject({ changes: true });
      cutOff = undefined;
      await rig.restart();
      expect(await now.up(wanted)).toBe("updated");
      expect(await tags()).toEqual(["v1"]);
      await rig.emulator.control("PATCH", path(), { tags: ["v2"] });
      await rig.restart();
      expect(await now.preview(wanted)).toMatchObject({ changes: false });
    });

    test("an object that is gone is refused", async () => {
      await rig.emulator.control("DELETE", path());
      cutOff = "deleting";
      await expect(renamed(node).preview(wanted)).rejects.toThrow(
        ": an interrupted run was deleting it, and it no longer exists",
      );
    });

    test("members that differ are updated to the program, one that it made is resumed, and another set is left alone", async () => {
      const domain = rig.resource("Domain");
      await domain.up({ domain: `zone-${rig.serial()}.test`, type: "master", soaEmail: "a@b.test" });
      const record = (name: string) => ({ type: "A", name, target: "192.0.2.1" });
      const records = (...names: string[]) => ({ domainId: domain.id, records: names.map(record) });
      const [set, other] = [rig.resource("DomainRecordSet"), rig.resource("DomainRecordSet")];
      await set.up(records("a"));
      await other.up(records("b"));
      const listed = await rig.emulator.call<{ data: { id: number }[] }>(
        "GET",
        `/domains/${domain.id}/records`,
      );
      for (const { id } of listed.body.data)
        await rig.emulator.control("PATCH", `/objects/records/${domain.id}/${id}`, { target: "192.0.2.9" });
      await rig.emulator.call("POST", `/domains/${domain.id}/records`, { body: record("c") });
      [stored, cutOff] = [set, "updating"];
      await rig.restart();
      await rig.requests();
      expect(await renamed(other).preview(records("b"))).toMatchObject({ changes: false });
      expect(await renamed(set).up(records("a", "c"))).toBe("updated");
      const sent = await rig.requests();
      expect(sent).toMatchObject({ "PUT /v4/domains/:id/records/:id": 1 });
      expect(sent).not.toHaveProperty(["POST /v4/domains/:id/records"]);
    });
  });

  test("an object whose deletion may be under way is refused", async () => {
    await rig.emulator.control("PATCH", path(), { status: "deleting" });
    cutOff = "deleting";
    await expect(node.preview(wanted)).rejects.toThrow(
      ": an interrupted run was deleting it, and its status is deleting, so it may be gone soon. Run `pulumi up --refresh`",
    );
  });

  describe("it is known also if a refused run has made the engine forget it", () => {
    beforeEach(async () => {
      await rig.emulator.control("PATCH", path(), { tags: ["v2"] });
      cutOff = "updating";
      await node.preview(wanted);
      cutOff = undefined;
      await rig.restart();
    });

    const isSaidFor = async (inputs: typeof wanted) => {
      await rig.restart();
      await node.preview(inputs);
      return rig.plugin.logs.some(({ message }) => message.includes("an interrupted run was updating it"));
    };

    test("until an update has succeeded", async () => {
      expect(await isSaidFor(wanted)).toBe(true);
      await rig.emulator.control("POST", "/faults", {
        method: "PUT",
        path: "/v4/node/instances/*",
        times: 1,
        effect: { status: 403 },
      });
      await expect(node.up(wanted)).rejects.toThrow();
      expect(await isSaidFor(wanted)).toBe(true);
      expect(await node.up(wanted)).toBe("updated");
      expect(await isSaidFor({ ...wanted, tags: ["v3"] })).toBe(false);
    });

    test("until the object equals the state", async () => {
      await rig.emulator.control("PATCH", path(), { tags: ["v1"] });
      expect(await node.up(wanted)).toBe("same");
      expect(await isSaidFor({ ...wanted, tags: ["v3"] })).toBe(false);
    });
  });

  test("an object that equals the state is unchanged", async () => {
    cutOff = "updating";
    expect(await node.preview(wanted)).toMatchObject({ changes: false });
    expect(await rig.requests()).toMatchObject({ [READ]: 1 });
  });

  test("an object that cannot be read is refused", async () => {
    await rig.emulator.control("POST", "/faults", {
      method: "GET",
      path: "/v4/node/instances/*",
      effect: { status: 403 },
    });
    cutOff = "updating";
    await expect(node.preview(wanted)).rejects.toThrow(
      /: an interrupted run was updating it, and it cannot be read: /,
    );
    await rig.emulator.control("DELETE", "/faults");
  });

  test("what a refresh of the run has read is compared without another read", async () => {
    cutOff = "updating";
    await node.refresh();
    await rig.requests();
    expect(await node.preview(wanted)).toMatchObject({ changes: false });
    expect(await rig.requests()).not.toHaveProperty([READ]);
  });

  test("nothing is read if no run was interrupted", async () => {
    await rig.emulator.control("PATCH", path(), { tags: ["v2"] });
    expect(await node.preview(wanted)).toMatchObject({ changes: false });
    expect(await rig.requests()).not.toHaveProperty([READ]);
  });
});
