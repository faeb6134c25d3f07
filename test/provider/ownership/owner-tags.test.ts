import { type Rig } from "../../helpers/lifecycle";
import { inEachWay } from "../../helpers/plugin";
import { eventually } from "../../helpers/programs";
import { refusalOf, startZones } from "../collection/zone";

const OWN = "pulumi:test/dev";
const OTHER = "pulumi:shop/prod";
const NODE = { region: "us-east", type: "g6-nanode-1", label: "web" };

inEachWay((way) => {
  let rig: Rig;
  beforeAll(async () => {
    ({ rig } = await startZones(way, { environment: { NODECLOUD_OWNER_TAGS: "true" } }));
  });
  beforeEach(() => rig.restart());
  afterAll(() => rig.stop());

  const call = async <Body>(method: string, path: string, body?: unknown) =>
    (await rig.emulator.call<Body>(method, path, body === undefined ? {} : { body })).body;
  const tagsOf = async (path: string) => (await call<{ tags: string[] }>("GET", path)).tags;

  test("new nodes and domains get a tag that names the stack, which their programs do not see, and updates keep it", async () => {
    const node = rig.resource("Node");
    await node.up({ ...NODE, tags: ["blue"] });
    const domain = rig.resource("Domain");
    const zone = { domain: `${rig.serial()}.example`, type: "master", soaEmail: "a@b.example" };
    await domain.up(zone);
    const [there, area] = [`/node/instances/${node.id}`, `/domains/${domain.id}`];
    expect([await tagsOf(there), await tagsOf(area)]).toEqual([["blue", OWN], [OWN]]);
    expect([node.outputs["tags"], domain.outputs["tags"]]).toEqual([["blue"], []]);
    await node.up({ ...NODE, tags: ["green"] });
    await domain.up({ ...zone, soaEmail: "b@b.example" });
    expect([await tagsOf(there), await tagsOf(area)]).toEqual([["green", OWN], [OWN]]);
    for (const one of [node, domain]) {
      expect(await one.refresh()).toEqual([]);
      await rig.restart();
      await one.destroy();
    }
  });

  test("an update of what the stack has created moves the tag of the stack's earlier name, also if it sends no tags", async () => {
    const node = rig.resource("Node");
    await node.up(NODE);
    const domain = rig.resource("Domain");
    const zone = { domain: `${rig.serial()}.example`, type: "master", soaEmail: "a@b.example" };
    await domain.up(zone);
    const [there, area] = [`/node/instances/${node.id}`, `/domains/${domain.id}`];
    for (const path of [there, area]) await call("PUT", path, { tags: ["pulumi:test/before"] });
    await rig.restart();
    expect(await node.preview(NODE)).toMatchObject({ changes: false });
    await node.up({ ...NODE, tags: ["green"] });
    await domain.up({ ...zone, soaEmail: "b@b.example" });
    expect([await tagsOf(there), await tagsOf(area)]).toEqual([["green", OWN], [OWN]]);
    expect([node.outputs["tags"], domain.outputs["tags"]]).toEqual([["green"], []]);
    for (const one of [node, domain]) await one.destroy();
  });

  test("clones get the tag of their own stack in place of that of their source", async () => {
    const soaEmail = "a@b.example";
    const name = () => `${rig.serial()}.example`;
    const zone = await call<{ id: number }>("POST", "/domains", {
      ...{ domain: name(), type: "master", soa_email: soaEmail, tags: ["blue", OTHER] },
    });
    const source = await call<{ id: number }>("POST", "/node/instances", { ...NODE, tags: [OTHER] });
    const domain = rig.resource("Domain");
    const inputs = { domain: name(), type: "master", cloneFrom: String(zone.id) };
    await domain.up(inputs);
    const node = rig.resource("Node");
    await node.up({ ...NODE, label: "copy", cloneFrom: String(source.id), tags: ["mine"] });
    expect(await tagsOf(`/domains/${domain.id}`)).toEqual(["blue", OWN]);
    expect(await tagsOf(`/node/instances/${node.id}`)).toEqual(["mine", OWN]);
    expect(await domain.preview(inputs)).toMatchObject({ changes: false });
    await domain.destroy();
    await node.destroy();
    await call("DELETE", `/node/instances/${source.id}`);
  });

  test("an import warns of the tag of another stack, keeps the tag, and does not delete the object", async () => {
    const { id } = await call<{ id: number }>("POST", "/node/instances", { ...NODE, tags: [OTHER] });
    const node = rig.resource("Node");
    await node.up(NODE, { import: String(id) });
    const said = rig.plugin.logs.map(({ message }) => message).join();
    expect(said).toContain(
      "which is also managed by a resource of the stack shop/prod (the tag pulumi:shop/prod",
    );
    await node.up({ ...NODE, tags: ["mine"] });
    expect(await tagsOf(`/node/instances/${id}`)).toEqual(["mine", OTHER]);
    await rig.restart();
    expect(await refusalOf(node.destroy())).toContain("a resource of the stack shop/prod");
    await call("PUT", `/node/instances/${id}`, { tags: [] });
    await rig.restart();
    await node.destroy();
  });

  test("an import compares no tags of stacks, and a program that has them sends none twice", async () => {
    const { id } = await call<{ id: number }>("POST", "/node/instances", { ...NODE, tags: ["a", OTHER] });
    const node = rig.resource("Node");
    const declared = { ...NODE, tags: ["a", OTHER] };
    await node.up(declared, { import: String(id) });
    expect(await node.preview(declared)).toMatchObject({ changes: false });
    expect(await node.refresh()).toEqual([]);
    await node.up({ ...NODE, tags: ["b", OTHER] });
    expect(await tagsOf(`/node/instances/${id}`)).toEqual(["b", OTHER]);
    await call("PUT", `/node/instances/${id}`, { tags: [] });
    await rig.restart();
    await node.destroy();
  });

  describe("an equal object with the tag of another stack is not taken", () => {
    const zone = () => ({ domain: `${rig.serial()}.example`, type: "master" });
    const rival = async (path: string, body: object) =>
      String((await call<{ id: number }>("POST", path, { ...body, tags: [OTHER] })).id);
    /** Waits for the lost request. A read before it may have met a closed connection, and then pauses before it is repeated. */
    const lost = (path: string) =>
      eventually("the request is lost", async () => {
        const { [`POST /v4${path}`]: count } = await rig.requests();
        if (count === undefined) await rig.clock.advance(10);
        return count;
      });
    /** Loses the first request of a creation, which the service does not carry out, and creates the object of the other stack meanwhile. */
    async function raced<Result>(path: string, creation: () => Promise<Result>, body: object) {
      await rig.emulator.control("POST", "/faults", {
        ...{ method: "POST", path: `/v4${path}`, times: 1, effect: "drop-request" },
      });
      await rig.requests();
      rig.clock.hold();
      const done = creation().catch((error: unknown) => String(error));
      await lost(path);
      const id = await rival(path, body);
      rig.clock.release();
      return { id, result: await done };
    }

    test("after a lost answer", async () => {
      const node = rig.resource("Node");
      const { id } = await raced("/node/instances", () => node.up(NODE), NODE);
      expect(node.id).not.toBe(id);
      expect(await tagsOf(`/node/instances/${id}`)).toEqual([OTHER]);
      expect(await tagsOf(`/node/instances/${node.id}`)).toEqual([OWN]);
      await node.destroy();
      await call("DELETE", `/node/instances/${id}`);
      const domain = rig.resource("Domain");
      const inputs = zone();
      const body = { ...inputs, soa_email: "a@b.example" };
      const taken = await raced("/domains", () => domain.up({ ...inputs, soaEmail: "a@b.example" }), body);
      expect(taken.result).toContain("create Domain");
      expect(await tagsOf(`/domains/${taken.id}`)).toEqual([OTHER]);
      await call("DELETE", `/domains/${taken.id}`);
    });

    test("by a run after a killed one", async () => {
      await rig.emulator.control("POST", "/faults", {
        ...{ method: "POST", path: "/v4/node/instances", times: 1, effect: "drop-request" },
      });
      await rig.requests();
      rig.clock.hold();
      const killed = rig.resource("Node", "killed");
      void killed.up(NODE).catch(() => undefined);
      await lost("/node/instances");
      rig.clock.release();
      await rig.restart();
      const id = await rival("/node/instances", NODE);
      const node = rig.resource("Node", "killed");
      await node.up(NODE);
      expect(node.id).not.toBe(id);
      expect(await tagsOf(`/node/instances/${id}`)).toEqual([OTHER]);
      await node.destroy();
      await call("DELETE", `/node/instances/${id}`);
    });
  });
});
