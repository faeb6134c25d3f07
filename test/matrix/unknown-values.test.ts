import { type TestStack } from "../helpers/stack";
import { stackForEachTest } from "../helpers/with-stack";
import { atNight } from "../helpers/whole";

let stack: TestStack;
stackForEachTest((own) => ({ stack } = own));

/** A node whose user data contains an output that is unknown during an update of the database, and the node's dependants. */
const program = (allowed: string, userData: string, more = "") => `
  const db = new nodecloud.MysqlDatabase("db", {
    region: "us-east", type: "g6-nanode-1", engine: "mysql/8.0.30", allowList: ["${allowed}"] });
  const web = new nodecloud.Node("web", {
    region: "us-east", type: "g6-nanode-1", image: "node/debian12", userData: ${userData}${more} });
  new nodecloud.NodeBackupSnapshot("snapshot", { nodeId: web.id });`;
const stays = "pulumi.interpolate`listens until ${db.status}`";
const changes = "db.updated.apply((time) => time)";
const mayBe =
  "Node web: may be replaced: userData is not known yet. If it is replaced, the node's disks, backups and addresses are lost [NC1201]";

test("the preview says that an unknown input may replace the resource, and up decides by the value", async () => {
  stack.program(program("192.0.2.1", stays));
  expect(await stack.up()).toMatchObject({ code: 0 });
  const before = await stack.state();

  stack.program(program("192.0.2.2", stays));
  const preview = await stack.preview();
  expect(preview).toMatchObject({ code: 0, messages: [mayBe] });
  // The node's dependants appear as if the node were replaced, so no possible loss is hidden.
  expect(preview.printed).toContain("NodeBackupSnapshot snapshot: may be replaced: nodeId is not known yet");
  expect(preview.steps).toMatchObject({ update: 1, replace: 2 });
  expect(await stack.up()).toMatchObject({ code: 0, messages: [], order: ["db update"] });
  expect((await stack.state())["web"]?.id).toBe(before["web"]?.id);

  stack.program(
    program("192.0.2.3", stays).replace('"web", {\n    region: "us-east"', '"web", {\n    region: "us-west"'),
  );
  expect((await stack.preview()).messages).toEqual([
    expect.stringMatching(/^Node web: replacing it, because region changed, /),
  ]);
});

atNight(
  "a saved plan allows the largest possible change of an unknown value, which the preview shows",
  async () => {
    stack.program(program("192.0.2.1", stays));
    expect(await stack.up()).toMatchObject({ code: 0 });
    const before = await stack.state();

    stack.program(program("192.0.2.2", stays));
    expect(await stack.preview("--save-plan", "plan.json")).toMatchObject({ code: 0 });
    const held = await stack.up("--plan", "plan.json");
    expect(held.order).toEqual(["db update"]);
    expect(held.messages).toEqual([
      expect.stringMatching(/^expected resource operations for .*::(web|snapshot) but none were seen$/),
      expect.stringMatching(/^expected resource operations for .*::(web|snapshot) but none were seen$/),
    ]);
    expect((await stack.state())["web"]?.id).toBe(before["web"]?.id);
    expect(await stack.preview("--expect-no-changes")).toMatchObject({ code: 0 });

    stack.program(program("192.0.2.3", changes));
    expect(await stack.preview("--save-plan", "plan.json")).toMatchObject({ code: 0, messages: [mayBe] });
    expect(await stack.up("--plan", "plan.json")).toMatchObject({ code: 0 });
    expect((await stack.state())["web"]?.id).not.toBe(before["web"]?.id);
  },
);

test("the preview says that a set with an unknown domain may be replaced, and that a change in place may delete", async () => {
  const zones = (tag: string, domainId: string, backupsEnabled: string) => `
    const zone = new nodecloud.Domain("zone", { domain: "example.org", type: "master", soaEmail: "dns@example.org" });
    const web = new nodecloud.Node("web", { region: "us-east", type: "g6-nanode-1", image: "node/debian12", tags: ["${tag}"] });
    new nodecloud.Node("spare", { region: "us-east", type: "g6-nanode-1", image: "node/debian12", backupsEnabled: ${backupsEnabled} });
    new nodecloud.DomainRecordSet("hosts", {
      domainId: ${domainId}, records: [{ type: "A", name: "www", target: "192.0.2.1" }] });`;
  stack.program(zones("one", "zone.id", "true"));
  expect(await stack.up()).toMatchObject({ code: 0 });
  stack.program(
    zones("two", "pulumi.all([zone.id, web.updated]).apply(([id]) => id)", "web.updated.apply(() => true)"),
  );
  const preview = await stack.preview();
  expect(preview.messages).toEqual([
    "Node spare: loses data: backupsEnabled is not known yet, so this may happen: turning the backup service off deletes all backups of the node for good [NC1201]",
  ]);
  expect(preview.printed).toContain(
    "DomainRecordSet hosts: may be replaced: domainId is not known yet. If it is replaced, its 1 records are deleted first",
  );
  expect(await stack.up()).toMatchObject({ code: 0, messages: [], order: ["web update"] });
});

atNight(
  "the id of an object that a renamed resource imports is known in the preview, so nothing that uses it may change",
  async () => {
    const renaming = (ids: Readonly<Record<string, string>>) => {
      const named = (name: string) => (ids[name] === undefined ? `"${name}"` : `"${name}2"`);
      const opts = (name: string) => (ids[name] === undefined ? "{}" : `{ import: "${ids[name]}" }`);
      return `
      const base = { region: "us-east", type: "g6-nanode-1", image: "node/debian12" };
      const web = new nodecloud.Node(${named("web")}, { ...base, label: "web" }, ${opts("web")});
      const snapshot = new nodecloud.NodeBackupSnapshot(${named("snapshot")}, { nodeId: web.id, label: "one" }, ${opts("snapshot")});
      new nodecloud.Node("spare", { ...base, restoreFromBackup: { backupId: snapshot.id, overwrite: true } });
      const zone = new nodecloud.Domain(${named("zone")}, { domain: "example.org", type: "master", soaEmail: "dns@example.org" }, ${opts("zone")});
      new nodecloud.DomainRecord("one", { domainId: zone.id, type: "A", name: "one", target: web.ipv4[0] });
      new nodecloud.DomainRecordSet("set", { domainId: zone.id, records: [{ type: "A", name: "www", target: "192.0.2.1" }] });`;
    };
    stack.program(renaming({}));
    expect(await stack.up()).toMatchObject({ code: 0 });
    const { web, zone, snapshot } = await stack.state();
    const ids = { web: web?.id ?? "", zone: zone?.id ?? "" };
    for (const imported of [ids, { ...ids, snapshot: snapshot?.id ?? "" }]) {
      stack.program(renaming(imported));
      const preview = await stack.preview();
      const up = await stack.up();
      expect(preview).toMatchObject({ code: 0, messages: [] });
      expect(up).toMatchObject({ code: 0, messages: [], steps: preview.steps });
      expect(preview.steps).not.toHaveProperty("update");
      expect(preview.steps).not.toHaveProperty("replace");
    }
  },
);
