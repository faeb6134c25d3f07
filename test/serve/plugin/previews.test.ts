import { UNKNOWN } from "../../../src/provider/base/values";
import { type Rig, type Managed, type ResourceType, startRig } from "../../helpers/lifecycle";
import { wronglyShown } from "../../helpers/lifecycle/properties";
import { type Properties } from "../../helpers/plugin";

let rig: Rig;
beforeAll(async () => {
  rig = await startRig({ Node: "nodes" }, {}, "plugin");
  rig.folder.write("disk.img", "a small disk");
});
afterAll(() => rig.stop());

const node = { region: "us-east", type: "g6-nanode-1", image: "node/debian12", tags: ["a"] };
const zone = () => ({ domain: `zone${rig.serial()}.example`, type: "master", soaEmail: "dns@example.org" });

async function previewOfCreation(resource: Managed, args: Properties): Promise<Properties> {
  const { inputs, failures } = await resource.check(args);
  expect(failures).toEqual([]);
  await rig.requests();
  const { outputs } = await rig.plugin.create(resource, inputs, { isPreview: true });
  expect(await rig.requests()).toEqual({});
  return outputs;
}

async function previewOfUpdate(resource: Managed, args: Properties): Promise<Properties> {
  const { inputs } = await resource.preview(args);
  await rig.requests();
  const outputs = await rig.plugin.update(resource, inputs, { isPreview: true });
  // It reads a list once for all objects of the kind. The members of a set are known.
  expect(Object.values(await rig.requests())).toEqual(resource.type === "DomainRecordSet" ? [] : [1]);
  return outputs;
}

/** The names of the outputs that are wholly unknown, without hidden ones. */
const unknownIn = (outputs: Properties): string[] =>
  Object.keys(outputs)
    .filter((name) => outputs[name] === UNKNOWN && !name.startsWith("__"))
    .sort();

describe("the preview of a creation", () => {
  const parents: Record<string, string> = {};
  beforeAll(async () => {
    const make = async (type: ResourceType, args: Properties) => {
      const resource = rig.resource(type);
      await resource.up(args);
      parents[type] = resource.id;
    };
    await make("Node", { ...node, backupsEnabled: true });
    await make("Domain", zone());
    const database = { region: "us-east", type: "g6-nanode-1" };
    await make("MysqlDatabase", { ...database, engine: "mysql/8.0.30" });
    await make("PostgresqlDatabase", { ...database, engine: "postgresql/14.6" });
  });

  const database = { region: "us-east", type: "g6-standard-1", allowList: ["192.0.2.7", "192.0.2.9/32"] };
  const updates = { dayOfWeek: 3, duration: 3, frequency: "weekly", hourOfDay: 4 };
  test.each<[ResourceType, () => Properties]>([
    ["Node", () => ({ ...node, alerts: { cpu: 42 }, tags: ["b", "a"] })],
    ["NodeBackupSnapshot", () => ({ nodeId: parents["Node"] })],
    ["MysqlDatabase", () => ({ ...database, updates, engine: "mysql/8.0.30" })],
    ["PostgresqlDatabase", () => ({ ...database, updates, engine: "postgresql/14.6" })],
    ["MysqlDatabaseBackup", () => ({ databaseId: parents["MysqlDatabase"], label: "mine" })],
    ["PostgresqlDatabaseBackup", () => ({ databaseId: parents["PostgresqlDatabase"], label: "mine" })],
    ["Domain", () => ({ ...zone(), axfrIps: ["2001:0DB8::1"], ttlSec: 301, tags: ["z"] })],
    [
      "DomainRecord",
      () => ({ domainId: parents["Domain"], type: "A", name: "one", target: "192.0.2.1", ttlSec: 301 }),
    ],
    [
      "DomainRecordSet",
      () => ({ domainId: parents["Domain"], records: [{ type: "A", name: "two", target: "192.0.2.1" }] }),
    ],
    ["Image", () => ({ source: "disk.img", region: "us-east", description: "a disk" })],
  ])("of a %s knows its inputs, and nothing that turns out otherwise", async (type, make) => {
    const args = make();
    const resource = rig.resource(type);
    const shown = await previewOfCreation(resource, args);
    await resource.up({ ...args, ...("label" in shown ? { label: shown["label"] } : {}) });
    expect(wronglyShown(shown, resource.outputs)).toEqual([]);
    const { fields, outputs } = resource.description;
    const declared = Object.keys({ ...fields, ...outputs });
    expect(declared.filter((name) => name in resource.outputs && !(name in shown))).toEqual([]);
    for (const name of ["region", "type", "engine", "domainId", "nodeId", "databaseId"])
      if (name in args) expect([name, shown[name]]).toEqual([name, args[name]]);
  });

  test("does not know what the service rounds, respells or reorders", async () => {
    const outputs = await previewOfCreation(rig.resource("Domain"), {
      ...zone(),
      axfrIps: ["2001:0DB8::1"],
      ttlSec: 301,
      tags: ["z", "y"],
    });
    expect(unknownIn(outputs)).toEqual(expect.arrayContaining(["axfrIps", "ttlSec", "tags"]));
  });

  test("knows of alerts what the program sets", async () => {
    const { alerts } = await previewOfCreation(rig.resource("Node"), { ...node, alerts: { cpu: 42 } });
    expect(alerts).toMatchObject({ cpu: 42, io: UNKNOWN, networkIn: UNKNOWN });
  });
});

describe("the preview of an update of a node", () => {
  let it: Managed;
  beforeEach(async () => {
    it = rig.resource("Node");
    await it.up({ ...node, alerts: { cpu: 42 } });
  });

  test("of one tag knows all outputs but its tags, its status and the time of the change", async () => {
    const outputs = await previewOfUpdate(it, { ...node, alerts: { cpu: 42 }, tags: ["b"] });
    expect(unknownIn(outputs)).toEqual(["status", "updated"]);
    expect(outputs).toMatchObject({ tags: ["b"], ipv4: it.outputs["ipv4"], specs: it.outputs["specs"] });
    const several = await previewOfUpdate(it, { ...node, alerts: { cpu: 42 }, tags: ["b", "c"] });
    expect(unknownIn(several)).toEqual(["status", "tags", "updated"]);
  });

  test("of its type knows nothing that a resize changes", async () => {
    const outputs = await previewOfUpdate(it, { ...node, alerts: { cpu: 42 }, type: "g6-standard-2" });
    expect(unknownIn(outputs)).toEqual(expect.arrayContaining(["specs", "ipv4", "status"]));
    expect(outputs).toMatchObject({ type: "g6-standard-2" });
  });

  test("of its type knows only the parts of an output that the program sets", async () => {
    const { alerts } = await previewOfUpdate(it, { ...node, alerts: { cpu: 42 }, type: "g6-standard-2" });
    expect(alerts).toMatchObject({ cpu: 42, io: UNKNOWN, networkIn: UNKNOWN });
  });

  test("that turns the backups on knows none of their settings", async () => {
    const outputs = await previewOfUpdate(it, { ...node, alerts: { cpu: 42 }, backupsEnabled: true });
    expect(outputs).toMatchObject({
      backupsEnabled: true,
      backups: { available: UNKNOWN, enabled: UNKNOWN },
    });
  });

  test("of one alert knows it, and the others, which stay", async () => {
    const { alerts } = await previewOfUpdate(it, { ...node, alerts: { cpu: 43 } });
    expect(alerts).toEqual({ ...(it.outputs["alerts"] as Properties), cpu: 43 });
  });
});

describe("the preview of an update leaves unknown only what it may change", () => {
  const database = { region: "us-east", type: "g6-nanode-1", engine: "mysql/8.0.30" };
  const record = { type: "TXT", name: "txt", target: "old" };
  const lively = ["status", "updated", "version"];
  const inZone = async (args: Properties) => {
    const domain = rig.resource("Domain");
    await domain.up(zone());
    return { domainId: domain.id, ...args };
  };
  test.each<[ResourceType, () => Properties | Promise<Properties>, Properties, string[]]>([
    ["MysqlDatabase", () => database, { label: "other" }, ["caCertificate", ...lively]],
    ["PostgresqlDatabase", () => ({ ...database, engine: "postgresql/14.6" }), { label: "another" }, lively],
    ["Domain", zone, { description: "new" }, []],
    // The service may respell a target.
    ["DomainRecord", () => inZone(record), { target: "new" }, ["created", "target", "updated"]],
    [
      "Image",
      () => ({ source: "disk.img", region: "us-east" }),
      { description: "new" },
      ["capabilities", "deprecated", "eol", "expiry", "size", "status", "updated"],
    ],
  ])("of a %s", async (type, first, change, unknown) => {
    const resource = rig.resource(type);
    const args = await first();
    await resource.up(args);
    const outputs = await previewOfUpdate(resource, { ...args, ...change });
    expect(unknownIn(outputs)).toEqual(unknown);
  });

  test("of the credentials of a database", async () => {
    const resource = rig.resource("MysqlDatabase");
    await resource.up(database);
    const outputs = await previewOfUpdate(resource, { ...database, credentialsResetTrigger: 1 });
    const { rootUsername, rootPassword } = outputs;
    expect({ rootUsername, rootPassword }).toEqual({ rootUsername: UNKNOWN, rootPassword: UNKNOWN });
    expect(outputs["hosts"]).toEqual(resource.outputs["hosts"]);
  });

  test("of a record set, whose records are known", async () => {
    const args = await inZone({ records: [record] });
    const resource = rig.resource("DomainRecordSet");
    await resource.up(args);
    const outputs = await previewOfUpdate(resource, { ...args, records: [{ ...record, target: "new" }] });
    expect(outputs["records"]).toBe('txt TXT "new"\n');
  });
});

describe("the comparison", () => {
  test("tells the kind of each change, and the outputs that certainly stay", async () => {
    const it = rig.resource("Node");
    await it.up({ ...node, watchdogEnabled: false, backupsEnabled: true });
    const { changes, replaces, details, stables } = await it.preview({
      ...node,
      tags: ["b"],
      backupsEnabled: true,
      alerts: { cpu: 42 },
    });
    expect([changes, replaces]).toEqual([true, []]);
    expect(details).toEqual({ "tags[0]": "update", "alerts.cpu": "add", watchdogEnabled: "delete" });
    expect(stables).toEqual(expect.arrayContaining(["ipv4", "specs"]));
  });

  test("names what replaces, and promises no output then", async () => {
    const it = rig.resource("Node");
    await it.up(node);
    expect(await it.preview({ ...node, region: "us-west" })).toMatchObject({
      replaces: ["region"],
      deleteBeforeReplace: false,
      details: { region: "update-replace" },
      stables: [],
    });
  });

  test("promises no output that a resize changes", async () => {
    const it = rig.resource("Node");
    await it.up(node);
    expect(await it.preview({ ...node, type: "g6-standard-2" })).toMatchObject({
      replaces: [],
      details: { type: "update" },
      stables: [],
    });
  });

  test("of a domain deletes first, also when only the engine decides to replace it", async () => {
    const it = rig.resource("Domain");
    const args = zone();
    await it.up(args);
    expect(await it.preview({ ...args, type: "slave", masterIps: ["192.0.2.1"] })).toMatchObject({
      deleteBeforeReplace: true,
    });
    expect(await it.preview({ ...args, description: "new" })).toMatchObject({
      replaces: [],
      deleteBeforeReplace: true,
    });
  });
});
