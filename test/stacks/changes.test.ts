import { type TestEmulator } from "../helpers/emulator";
import { type TestStack } from "../helpers/stack";
import { stackForEachTest } from "../helpers/with-stack";

let emulator: TestEmulator;
let stack: TestStack;
stackForEachTest((own) => ({ emulator, stack } = own));

/** Runs `up` with this program, and returns its steps. */
async function upTo(source: string) {
  stack.program(source);
  const up = await stack.up();
  expect(up).toMatchObject({ code: 0 });
  return up;
}

const idOf = async (name: string) => (await stack.state())[name]?.id;

test("changed inputs update the objects in place, each with its own operation", async () => {
  await upTo(`
    new nodecloud.Node("web", { region: "us-east", type: "g6-nanode-1", image: "node/debian12", tags: ["a"] });
    new nodecloud.MysqlDatabase("db", { region: "us-east", type: "g6-standard-1", engine: "mysql/8.0.30", patchTrigger: 1 });
    new nodecloud.DomainRecord("www", {
      domainId: new nodecloud.Domain("zone", { domain: "example.org", type: "master", soaEmail: "a@example.org", description: "x" }).id,
      type: "A", name: "www", target: "192.0.2.1", ttlSec: 3600,
    });`);
  const before = await stack.state();
  await emulator.control("POST", "/reset?only=requests");

  const up = await upTo(`
    new nodecloud.Node("web", { region: "us-east", type: "g6-standard-1", image: "node/debian12", backupsEnabled: true });
    new nodecloud.MysqlDatabase("db", {
      region: "us-east", type: "g6-standard-1", engine: "mysql/8.0.30", patchTrigger: 2, credentialsResetTrigger: 1,
      allowList: ["192.0.2.1"],
    });
    new nodecloud.DomainRecord("www", {
      domainId: new nodecloud.Domain("zone", { domain: "example.org", type: "master", soaEmail: "b@example.org" }).id,
      type: "A", name: "web", target: "192.0.2.2", ttlSec: 300,
    });`);

  expect(up.steps).toEqual({ update: 4 });
  const after = await stack.state();
  for (const name of ["web", "db", "zone", "www"]) expect(after[name]?.id).toBe(before[name]?.id);
  expect(after["web"]?.outputs).toMatchObject({ type: "g6-standard-1", backupsEnabled: true, tags: [] });
  expect(after["web"]?.outputs["status"]).toBe("running");
  expect(after["zone"]?.outputs).not.toHaveProperty("description");
  expect(after["www"]?.outputs).toMatchObject({ name: "web", target: "192.0.2.2", ttlSec: 300 });
  expect(after["db"]?.outputs["rootPassword"]).not.toBe(before["db"]?.outputs["rootPassword"]);
  expect(await emulator.counts()).toMatchObject({
    "POST /v4/node/instances/:id/resize": 1,
    "POST /v4/node/instances/:id/backups/enable": 1,
    "PUT /v4/node/instances/:id": 1,
    "POST /v4/databases/mysql/instances/:id/patch": 1,
    "POST /v4/databases/mysql/instances/:id/credentials/reset": 1,
    "PUT /v4/databases/mysql/instances/:id": 1,
    "PUT /v4/domains/:id": 1,
    "PUT /v4/domains/:id/records/:id": 1,
  });
  expect(await stack.preview("--expect-no-changes")).toMatchObject({ code: 0 });
});

test("with an automatic name, the new object is created and its dependants move before the old object is deleted", async () => {
  const program = (region: string) => `
    const web = new nodecloud.Node("web", { region: "${region}", type: "g6-nanode-1", image: "node/debian12" });
    const zone = new nodecloud.Domain("zone", { domain: "example.org", type: "master", soaEmail: "a@example.org" });
    new nodecloud.DomainRecord("www", {
      domainId: zone.id, type: "A", name: "www", target: web.ipv4.apply((addresses) => addresses[0]),
    });`;
  await upTo(program("us-east"));
  const old = await stack.state();
  const up = await upTo(program("us-west"));
  expect(up.order).toEqual(["web create-replacement", "web replace", "www update", "web delete-replaced"]);
  expect(up.messages).toEqual([
    expect.stringContaining("region changed, and the API has no operation to change it: the node's disks"),
  ]);
  const now = await stack.state();
  expect(now["web"]?.outputs["label"]).not.toBe(old["web"]?.outputs["label"]);
  expect((await emulator.call("GET", "/node/instances")).body).toMatchObject({ results: 1 });
});

test("a replacement with the same unique label deletes the old object first", async () => {
  const program = (region: string) =>
    `new nodecloud.PostgresqlDatabase("db", { label: "shop", region: "${region}", type: "t", engine: "postgresql/14.6" });`;
  await upTo(program("us-east"));
  const up = await upTo(program("us-west"));
  expect(up.order).toEqual(["db delete-replaced", "db replace", "db create-replacement"]);
  expect(up.messages).toEqual([expect.stringContaining("the database's data and backups are lost")]);
  const { body } = await emulator.call("GET", "/databases/instances");
  expect(body).toMatchObject({ data: [{ label: "shop", region: "us-west" }] });
});

test("a change of a record's type deletes the old record and then creates the new one", async () => {
  const program = (type: string, target: string) => `
    const zone = new nodecloud.Domain("zone", { domain: "example.org", type: "master", soaEmail: "a@example.org" });
    new nodecloud.DomainRecord("www", { domainId: zone.id, type: "${type}", name: "www", target: "${target}" });`;
  await upTo(program("A", "192.0.2.1"));
  const up = await upTo(program("CNAME", "example.net"));
  expect(up.order).toEqual(["www delete-replaced", "www replace", "www create-replacement"]);
});

test("a replacement of a domain deletes its records and creates new ones", async () => {
  const program = (origin: string) => `
    const source = new nodecloud.Domain("source", { domain: "example.net", type: "master", soaEmail: "a@example.net" });
    const zone = new nodecloud.Domain("zone", { domain: "example.org", type: "master", soaEmail: "a@example.org", ${origin} });
    new nodecloud.DomainRecord("www", { domainId: zone.id, type: "A", name: "www", target: "192.0.2.1" });`;
  await upTo(program(""));
  const up = await upTo(program("cloneFrom: source.id"));
  expect(up.order.slice(0, 2)).toEqual(["www delete-replaced", "zone delete-replaced"]);
  expect(up.messages).toEqual([expect.stringContaining("the domain is deleted first, with all its records")]);
  const id = await idOf("zone");
  expect((await emulator.call("GET", `/domains/${id}/records`)).body).toMatchObject({ results: 1 });
});

test("a new snapshot replaces the old one in the service, and deleting the old one prints nothing", async () => {
  const program = (release: number) => `
    const web = new nodecloud.Node("web", { region: "us-east", type: "g6-nanode-1", image: "node/debian12" });
    new nodecloud.NodeBackupSnapshot("snapshot", { nodeId: web.id, triggers: { release: ${release} } });`;
  await upTo(program(1));
  const old = await idOf("snapshot");
  const up = await upTo(program(2));
  expect(up).toMatchObject({ messages: [], steps: { "create-replacement": 1, "delete-replaced": 1 } });
  expect(await idOf("snapshot")).not.toBe(old);
  expect(await stack.drift()).toMatchObject({ code: 0 });
});

test("an image is uploaded again when the content of its file changes, and not when its path changes", async () => {
  stack.folder.write("one.img", "one");
  const program = (source: string) =>
    `new nodecloud.Image("image", { source: ${source}, region: "us-east" });`;
  await upTo(program('"one.img"'));
  stack.folder.write("same.img", "one");
  expect(await upTo(program('new pulumi.asset.FileAsset("same.img")'))).toMatchObject({ steps: { same: 1 } });
  stack.folder.write("same.img", "two");
  expect(await upTo(program('"same.img"'))).toMatchObject({ steps: { "create-replacement": 1 } });
  const { body } = await emulator.control<{ data: { upload_bytes: number | null }[] }>(
    "GET",
    "/objects/images",
  );
  expect(body.data.map(({ upload_bytes }) => upload_bytes)).toEqual([expect.any(Number)]);
});

test("the preview warns of two snapshots of one node", async () => {
  await upTo(
    'new nodecloud.Node("web", { region: "us-east", type: "g6-nanode-1", image: "node/debian12" });',
  );
  const nodeId = await idOf("web");
  stack.program(`
    new nodecloud.Node("web", { region: "us-east", type: "g6-nanode-1", image: "node/debian12" });
    for (const name of ["one", "two"]) new nodecloud.NodeBackupSnapshot(name, { nodeId: "${nodeId}" });`);
  const preview = await stack.preview();
  expect(preview.messages).toEqual([
    expect.stringContaining(`has the same nodeId ${nodeId}: a node keeps one snapshot`),
  ]);
});
