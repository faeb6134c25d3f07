import { type StackState, stateIn } from "../../../src/provider/engine/stack-state";
import { type Rig } from "../../helpers/lifecycle";
import { inEachWay } from "../../helpers/plugin";
import { a, saidOf, startZones, type Zone } from "./zone";

inEachWay((way) => {
  let rig: Rig;
  let newZone: () => Promise<Zone>;
  /** The records that the state has for other resources. */
  let managed: string[] = [];
  beforeAll(async () => {
    const holdersOf: StackState["holdersOf"] = (_, id) =>
      managed.includes(id) ? [{ urn: "urn:pulumi:s::p::t::other" }] : [];
    const state = { ...stateIn({}), holdersOf };
    ({ rig, newZone } = await startZones(way, { state }));
  });
  afterAll(() => rig.stop());

  const announced = (urn: string) =>
    rig.plugin.logs.filter((entry) => entry.urn === urn && !entry.ephemeral).map(({ message }) => message);

  test("the comparison of a refresh finds drift and announces no plan, and the preview after it does", async () => {
    const zone = await newZone();
    const set = await zone.made([a("www"), a("api")]);
    await rig.emulator.call("DELETE", `/domains/${(await zone.idOf("api")).replace("/", "/records/")}`);
    rig.plugin.logs.length = 0;
    expect(await set.drifted()).toBe(true);
    expect(announced(set.urn)).toEqual([]);
    expect(await set.refresh()).toEqual(["records"]);
    await rig.restart();
    await set.preview(zone.set([a("www"), a("api")]));
    expect(await saidOf(set)).toEqual([
      "records: 1 to create",
      expect.stringMatching(/^\+ api .*A 192\.0\.2\.1$/),
    ]);
  });

  test.each([
    ["one of the members has another content", { target: "192.0.2.9" }, true],
    ["one of the members is gone", undefined, false],
  ])("with another token a refresh is refused if %s", async (_, patch, isRefused) => {
    const zone = await newZone();
    const set = await zone.made([a("www"), a("api")]);
    await rig.restart();
    const path = `/domains/${(await zone.idOf("api")).replace("/", "/records/")}`;
    await rig.emulator.call(patch === undefined ? "DELETE" : "PUT", path, patch && { body: patch });
    set.outputs["__at"] = String(set.outputs["__at"]).replace(/#.*/, "#000000");
    if (isRefused)
      await expect(set.refresh()).rejects.toThrow(
        /finds another DomainRecordSet \S+ .* than that of the state \(target differs\)/,
      );
    else expect(await set.refresh()).toEqual(["records"]);
    expect(String(set.outputs["__at"]).endsWith("#000000")).toBe(isRefused);
  });

  test("nodecloud:sameAccount does not count for a domain with another name, nor for a set of which no member is equal", async () => {
    const run = await startZones(way, { environment: { NODECLOUD_SAME_ACCOUNT: "true" } });
    const zone = await run.newZone();
    const set = await zone.made([a("www"), a("api")]);
    const paths = [await zone.idOf("www"), await zone.idOf("api")].map((id) => id.replace("/", "/records/"));
    const domain = run.rig.resource("Domain");
    const { serial, emulator } = run.rig;
    await domain.up({ domain: `own${serial()}.example`, type: "master", soaEmail: "dns@own.example" });
    const elsewhere = async () => {
      await run.rig.restart();
      for (const { outputs } of [set, domain])
        outputs["__at"] = String(outputs["__at"]).replace(/^.*#.*/, "before.example#000000");
    };
    const change = (path: string, body: Record<string, string>) =>
      emulator.call("PUT", `/domains/${path}`, { body });
    await change(paths[0] ?? "", { target: "192.0.2.9" });
    await elsewhere();
    expect([await set.refresh(), await domain.refresh()]).toEqual([["records"], []]);
    for (const path of paths) await change(path, { target: "192.0.2.8" });
    await change(domain.id, { domain: `theirs${serial()}.example` });
    await elsewhere();
    await expect(set.refresh()).rejects.toThrow(/target differs\), so this is another account/);
    await expect(domain.refresh()).rejects.toThrow(/domain differs\), so this is another account/);
    await expect(domain.destroy()).rejects.toThrow("so this is another account");
    await run.rig.stop();
  });

  test("a preview without a change announces nothing", async () => {
    const zone = await newZone();
    const set = await zone.made([a("www")]);
    rig.plugin.logs.length = 0;
    expect(await set.preview(zone.set([a("www")]))).toMatchObject({ changes: false });
    expect(announced(set.urn)).toEqual([]);
  });

  test("a refresh by which nothing has changed keeps the records and writes nothing", async () => {
    const zone = await newZone();
    const set = await zone.made({ web: a("www"), api: a("api", "192.0.2.2", { ttlSec: 299 }) });
    const before = set.outputs;
    expect(await set.refresh()).toEqual([]);
    expect(set.outputs).toEqual(before);
    expect(Object.keys(await rig.requests()).filter((name) => !name.startsWith("GET"))).toEqual([]);
  });

  test("a refresh of an exclusive set takes strangers over, and not what the stack has for other resources", async () => {
    const zone = await newZone();
    const set = await zone.made([a("www")], { exclusive: true });
    for (const name of ["single", "stranger"]) await zone.create(a(name));
    managed = [await zone.idOf("single")];
    expect(await set.refresh()).toEqual(["records"]);
    await rig.restart();
    await set.up(zone.set([a("www")], { exclusive: true }));
    expect(await zone.names()).toEqual(["single", "www"]);
  });

  test("a refresh of an exclusive set says what it takes over, once: with ignoreChanges no preview names it", async () => {
    const zone = await newZone();
    const set = await zone.made([a("www")], { exclusive: true });
    await zone.create(a("theirs"));
    await rig.restart();
    await set.refresh();
    expect(await saidOf(set)).toEqual([
      "takes 1 more of the records that exist into the state, because it is exclusive: an update deletes what the program does not declare, and a deletion deletes all",
      expect.stringMatching(/^- theirs .*192\.0\.2\.1/),
    ]);
    const ignoring = { ignoreChanges: ["records"] };
    expect(await set.up(zone.set([a("www")], { exclusive: true }), ignoring)).toBe("same");
    await rig.restart();
    await set.refresh();
    expect(announced(set.urn)).toEqual([]);
  });

  test("a refresh of an exclusive set finds drift in a record made again with equal content, and the deletion deletes that one", async () => {
    const zone = await newZone();
    const set = await zone.made([a("www"), a("api")], { exclusive: true });
    await rig.emulator.call("DELETE", `/domains/${(await zone.idOf("api")).replace("/", "/records/")}`);
    await zone.create(a("api"));
    await rig.restart();
    expect(await set.drifted()).toBe(true);
    expect(await set.refresh()).toEqual([]);
    expect(await set.drifted()).toBe(false);
    expect((await set.preview(zone.set([a("www"), a("api")], { exclusive: true }))).changes).toBe(false);
    await set.destroy();
    expect(await zone.names()).toEqual([]);
  });
});
