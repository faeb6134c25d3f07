import { type TestEmulator } from "../helpers/emulator";
import { type Outcome, type TestStack } from "../helpers/stack";
import { expectSettled, stackForAllTests } from "../helpers/with-stack";

const MASTER = 'type: "master", soaEmail: "a@example.org"';

/** One run changes all of it: each part of the program has its own resources, with one value before the change and one after it. */
const parts: readonly ((after: boolean) => string)[] = [
  (after) => `
    new nodecloud.Node("web", {
      region: "us-east", image: "node/debian12", ${after ? 'type: "g6-standard-1", backupsEnabled: true' : 'type: "g6-nanode-1", tags: ["a"]'},
    });
    new nodecloud.MysqlDatabase("db", {
      region: "us-east", type: "g6-standard-1", engine: "mysql/8.0.30",
      ${after ? 'patchTrigger: 2, credentialsResetTrigger: 1, allowList: ["192.0.2.1"]' : "patchTrigger: 1"},
    });
    new nodecloud.DomainRecord("www", {
      domainId: new nodecloud.Domain("zone", {
        domain: "example.org", type: "master", ${after ? 'soaEmail: "b@example.org"' : 'soaEmail: "a@example.org", description: "x"'},
      }).id,
      type: "A", ${after ? 'name: "web", target: "192.0.2.2", ttlSec: 300' : 'name: "www", target: "192.0.2.1", ttlSec: 3600'},
    });`,
  (after) => `
    const moving = new nodecloud.Node("moving", { region: "us-${after ? "west" : "east"}", type: "g6-nanode-1", image: "node/debian12" });
    const pointing = new nodecloud.Domain("pointing", { domain: "example.net", ${MASTER} });
    new nodecloud.DomainRecord("pointer", {
      domainId: pointing.id, type: "A", name: "www", target: moving.ipv4.apply((addresses) => addresses[0]),
    });`,
  (after) =>
    `new nodecloud.PostgresqlDatabase("shop", { label: "shop", region: "us-${after ? "west" : "east"}", type: "t", engine: "postgresql/14.6" });`,
  (after) =>
    `new nodecloud.DomainRecord("retyped", { domainId: pointing.id, name: "api", ${after ? 'type: "CNAME", target: "example.com"' : 'type: "A", target: "192.0.2.1"'} });`,
  (after) => `
    const source = new nodecloud.Domain("source", { domain: "source.example", ${MASTER} });
    const cloned = new nodecloud.Domain("cloned", { domain: "cloned.example", ${MASTER}, ${after ? "cloneFrom: source.id" : ""} });
    new nodecloud.DomainRecord("below", { domainId: cloned.id, type: "A", name: "www", target: "192.0.2.1" });`,
  (after) => `
    const kept = new nodecloud.Node("kept", { region: "us-east", type: "g6-nanode-1", image: "node/debian12" });
    new nodecloud.NodeBackupSnapshot("snapshot", { nodeId: kept.id, triggers: { release: ${after ? 2 : 1} } });`,
  (after) => `
    new nodecloud.Image("same", { source: ${after ? 'new pulumi.asset.FileAsset("copy.img")' : '"one.img"'}, region: "us-east" });
    new nodecloud.Image("changed", { source: "changing.img", region: "us-east" });`,
];
const whole = (after: boolean) => parts.map((part) => part(after)).join("");

let emulator: TestEmulator;
let stack: TestStack;
stackForAllTests((own) => ({ emulator, stack } = own));

type State = Awaited<ReturnType<TestStack["state"]>>;
let before: State;
let after: State;
let up: Outcome;
let counts: Record<string, number>;

/** What the run did to these resources, in its order. */
const orderOf = (...names: readonly string[]) =>
  up.order.filter((step) => names.includes(step.split(" ")[0] ?? ""));
const messagesOf = (name: string) => up.messages.filter((message) => message.split(/[ :]/)[1] === name);

beforeAll(async () => {
  const { write } = stack.folder;
  for (const file of ["one.img", "copy.img", "changing.img"]) write(file, "one");
  stack.program(whole(false));
  expect(await stack.up()).toMatchObject({ code: 0 });
  before = await stack.state();
  write("changing.img", "two");
  stack.program(whole(true));
  await emulator.newCounts();
  up = await stack.up();
  counts = await emulator.newCounts();
  after = await stack.state();
});

test("the run succeeds, and leaves nothing to do", async () => {
  expect(up).toMatchObject({ code: 0 });
  await expectSettled(stack);
});

test("changed inputs update the objects in place, each with its own operation", () => {
  expect(orderOf("web", "db", "zone", "www").sort()).toEqual([
    "db update",
    "web update",
    "www update",
    "zone update",
  ]);
  for (const name of ["web", "db", "zone", "www"]) expect(after[name]?.id).toBe(before[name]?.id);
  expect(after["web"]?.outputs).toMatchObject({ type: "g6-standard-1", backupsEnabled: true, tags: [] });
  expect(after["web"]?.outputs["status"]).toBe("running");
  expect(after["zone"]?.outputs).not.toHaveProperty("description");
  expect(after["www"]?.outputs).toMatchObject({ name: "web", target: "192.0.2.2", ttlSec: 300 });
  expect(after["db"]?.outputs["rootPassword"]).not.toBe(before["db"]?.outputs["rootPassword"]);
  expect(counts).toMatchObject({
    "POST /v4/node/instances/:id/resize": 1,
    "POST /v4/node/instances/:id/backups/enable": 1,
    "PUT /v4/node/instances/:id": 1,
    "POST /v4/databases/mysql/instances/:id/patch": 1,
    "POST /v4/databases/mysql/instances/:id/credentials/reset": 1,
    "PUT /v4/databases/mysql/instances/:id": 1,
    "PUT /v4/domains/:id": 1,
    // That of the new address below is one of them.
    "PUT /v4/domains/:id/records/:id": 2,
  });
});

test("with an automatic name, the new object is created and its dependants move before the old object is deleted", async () => {
  expect(orderOf("moving", "pointer")).toEqual([
    "moving create-replacement",
    "moving replace",
    "pointer update",
    "moving delete-replaced",
  ]);
  expect(messagesOf("moving")).toEqual([
    expect.stringContaining("region changed, and the API has no operation to change it: the node's disks"),
  ]);
  expect(after["moving"]?.outputs["label"]).not.toBe(before["moving"]?.outputs["label"]);
  const ids = ["web", "moving", "kept"].map((name) => Number(after[name]?.id));
  const { body } = await emulator.call<{ data: { id: number }[] }>("GET", "/node/instances");
  expect(body.data.map(({ id }) => id).sort()).toEqual(ids.sort());
});

test("a replacement with the same unique label deletes the old object first", async () => {
  expect(orderOf("shop")).toEqual(["shop delete-replaced", "shop replace", "shop create-replacement"]);
  expect(messagesOf("shop")).toEqual([expect.stringContaining("the database's data and backups are lost")]);
  const { body } = await emulator.call("GET", "/databases/postgresql/instances");
  expect(body).toMatchObject({ results: 1, data: [{ label: "shop", region: "us-west" }] });
});

test("a change of a record's type deletes the old record and then creates the new one", () => {
  expect(orderOf("retyped")).toEqual([
    "retyped delete-replaced",
    "retyped replace",
    "retyped create-replacement",
  ]);
});

test("a replacement of a domain deletes its records and creates new ones", async () => {
  expect(orderOf("cloned", "below").slice(0, 2)).toEqual(["below delete-replaced", "cloned delete-replaced"]);
  expect(messagesOf("cloned")).toEqual([
    expect.stringContaining("the domain is deleted first, with all its records"),
  ]);
  expect((await emulator.call("GET", `/domains/${after["cloned"]?.id}/records`)).body).toMatchObject({
    results: 1,
  });
});

test("a new snapshot replaces the old one in the service, and deleting the old one prints nothing", () => {
  expect(messagesOf("snapshot")).toEqual([]);
  expect(orderOf("snapshot")).toEqual([
    "snapshot create-replacement",
    "snapshot replace",
    "snapshot delete-replaced",
  ]);
  expect(after["snapshot"]?.id).not.toBe(before["snapshot"]?.id);
});

test("an image is uploaded again when the content of its file changes, and not when its path changes", async () => {
  expect(orderOf("same")).toEqual([]);
  expect(orderOf("changed")).toContain("changed create-replacement");
  const { body } = await emulator.control<{ data: { id: string; upload_bytes: number | null }[] }>(
    "GET",
    "/objects/images",
  );
  const uploads = body.data.filter(({ upload_bytes }) => upload_bytes !== null).map(({ id }) => id);
  expect(uploads.sort()).toEqual([after["same"]?.id, after["changed"]?.id].sort());
  expect(after["same"]?.id).toBe(before["same"]?.id);
});

test("the preview warns of two snapshots of one node", async () => {
  const nodeId = after["kept"]?.id;
  stack.program(`${whole(true)} new nodecloud.NodeBackupSnapshot("second", { nodeId: "${nodeId}" });`);
  const preview = await stack.preview();
  expect(preview.messages).toEqual([
    expect.stringMatching(/second: loses data: NodeBackupSnapshot snapshot-\w+ .* is overwritten/),
    expect.stringContaining(`has the same nodeId ${nodeId}: a node keeps one snapshot`),
  ]);
});
