import { startTestEmulator, type TestEmulator } from "../helpers/emulator";
import { testStack, type TestStack } from "../helpers/stack";
import { stacksOn } from "../helpers/with-stack";
import { everything, RESOURCES } from "../engine/everything";

let emulator: TestEmulator;
let owner: TestStack;
let ids: Readonly<Record<string, string>>;

beforeAll(async () => {
  emulator = await startTestEmulator({ speed: 60_000 });
  owner = await testStack(emulator, everything({ ttlSec: 300 }));
  owner.folder.write("disk.img", "a small disk");
  expect(await owner.up()).toMatchObject({ code: 0 });
  ids = Object.fromEntries(Object.entries(await owner.state()).map(([name, { id }]) => [name, id]));
});

afterAll(async () => {
  owner.remove();
  await emulator.stop();
});

const withStack = stacksOn(() => emulator, { files: { "disk.img": "a small disk" } });

/** A program with the option `import` on every resource. */
const adopting = (source: string) => `
const ids = ${JSON.stringify(ids)};
for (const [type, Resource] of Object.entries(nodecloud)) {
  if (type === "Provider" || !("get" in Resource)) continue;
  nodecloud[type] = class extends Resource {
    constructor(name, args, opts) { super(name, args, { ...opts, import: ids[name] }); }
  };
}
${source}`;

/** The class exports of a CommonJS package are read-only, so the program works on a copy. */
const onCopy = (source: string) => source.replace("const ids", "nodecloud = { ...nodecloud };\nconst ids");

test("the option import imports every kind of resource, creates nothing, and leaves an empty preview", async () => {
  await withStack("", async (stack) => {
    stack.folder.write(
      "index.js",
      `const pulumi = require("@pulumi/pulumi");\nlet nodecloud = require("pulumi-nodecloud");\n${onCopy(adopting(everything({ ttlSec: 300 })))}`,
    );
    await emulator.control("POST", "/reset?only=requests");
    const { said } = await stack.preview();
    const takenOver = /imports the existing (\w+ [\w/]+|records)$/;
    expect(said.filter((message) => takenOver.test(message))).toHaveLength(RESOURCES);
    expect(await stack.up()).toMatchObject({ code: 0, messages: [] });
    expect(await emulator.writes()).toEqual([]);
    const adopted = Object.entries(await stack.state()).map(([name, { id }]) => [name, id]);
    expect(Object.fromEntries(adopted)).toEqual(ids);
    expect(await stack.preview("--expect-no-changes")).toMatchObject({ code: 0, steps: { same: RESOURCES } });
    expect(await stack.drift()).toMatchObject({ code: 0 });
    // After the import, the option can be removed.
    stack.program(everything({ ttlSec: 300 }));
    expect(await stack.preview("--expect-no-changes")).toMatchObject({ code: 0 });
  });
});

test("what a failed import of an `up` without a preview has read is neither changed nor deleted: plugin", async () => {
  const node = (label: string, opts: string) =>
    `new nodecloud.Node("mine", { region: "us-east", type: "g6-nanode-1", label: "${label}" }, ${opts});`;
  const labels = async () => {
    const { body } = await emulator.call<{ data: { id: number; label: string }[] }>("GET", "/node/instances");
    return Object.fromEntries(body.data.map(({ id, label }) => [id, label]));
  };
  const { body } = await emulator.call<{ id: number }>("POST", "/node/instances", {
    body: { region: "us-east", type: "g6-nanode-1", label: "theirs" },
  });
  const there = await labels();
  const theirs = `{ import: "${body.id}" }`;
  await withStack("", async (stack) => {
    stack.way = "plugin";
    stack.program(node("other", theirs));
    for (const command of ["up", "up", "refresh", "up"] as const) {
      const { code, messages } = await stack[command]();
      if (command === "refresh") expect(code).toBe(0);
      else expect(messages.join()).toContain('label is "other" in the program and "theirs" in the account');
    }
    expect(await labels()).toEqual(there);
    stack.program("");
    expect(await stack.up()).toMatchObject({ code: 0 });
    expect(await labels()).toEqual(there);

    stack.program(node("mine", "{}"));
    expect(await stack.up()).toMatchObject({ code: 0 });
    const both = await labels();
    stack.program(node("mine", theirs));
    expect((await stack.up()).messages.join()).toContain("this resource already manages");
    stack.program(node("mine", "{}"));
    expect(await stack.up()).toMatchObject({ code: 0, steps: { same: 1 } });
    expect(await labels()).toEqual(both);

    stack.program(node("theirs", theirs).replace('"mine"', '"theirs"') + node("mine", "{}"));
    expect(await stack.up()).toMatchObject({ code: 0 });
    expect(stack.rawState()).not.toContain("__importId");
    expect(await stack.preview("--expect-no-changes")).toMatchObject({ code: 0 });
    stack.program("");
    expect(await stack.up()).toMatchObject({ code: 0 });
    expect(await labels()).not.toHaveProperty(String(body.id));
  });
});

test("what a failed import has read stays unsettled after an alias, and a dynamic resource refuses it", async () => {
  const { body } = await emulator.call<{ id: number }>("POST", "/node/instances", {
    body: { region: "us-east", type: "g6-nanode-1", label: "tagged", tags: ["theirs"] },
  });
  const tags = async () =>
    (await emulator.call<{ tags: string[] }>("GET", `/node/instances/${body.id}`)).body.tags;
  const node = (label: string, opts: string) =>
    `new nodecloud.Node("mine", { region: "us-east", type: "g6-nanode-1", label: "${label}" }, { import: "${body.id}", ${opts} });`;
  const moved = `parent: new pulumi.ComponentResource("test:index:Group", "group"), aliases: [{ parent: pulumi.rootStackResource }]`;
  await withStack("", async (stack) => {
    stack.way = "plugin";
    stack.program(node("other", ""));
    expect(await stack.up()).not.toMatchObject({ code: 0 });
    stack.program(node("other", moved));
    expect((await stack.up()).messages.join()).toContain('label is "other" in the program and "tagged"');
    stack.way = "dynamic";
    stack.program(node("tagged", ""));
    expect((await stack.up()).messages.join()).toContain("by the full plugin has not succeeded");
    stack.way = "plugin";
    stack.program(node("tagged", moved));
    expect(await stack.up()).toMatchObject({ code: 0 });
    expect(await tags()).toEqual(["theirs"]);
    stack.way = "dynamic";
    stack.program(node("tagged", moved.replace(/, aliases.*/, "")));
    expect(await stack.up()).toMatchObject({ code: 0 });
    expect(await tags()).toEqual(["theirs"]);
  });
});

test("a record that is imported with all of its inputs is deleted when it leaves the program: plugin", async () => {
  const { body: zone } = await emulator.call<{ id: number }>("POST", "/domains", {
    body: { domain: "whole.example", type: "master", soa_email: "dns@whole.example" },
  });
  const records = `/domains/${zone.id}/records`;
  const values = { type: "A", name: "www", target: "192.0.2.1" };
  const { body: record } = await emulator.call<{ id: number }>("POST", records, {
    body: { ...values, ttl_sec: 300 },
  });
  const args = JSON.stringify({ domainId: String(zone.id), ...values, ttlSec: 300 });
  await withStack("", async (stack) => {
    stack.way = "plugin";
    stack.program(`new nodecloud.DomainRecord("www", ${args}, { import: "${zone.id}/${record.id}" });`);
    expect(await stack.up()).toMatchObject({ code: 0 });
    expect(await stack.destroy()).toMatchObject({ code: 0 });
    expect((await emulator.call("GET", records)).body).toMatchObject({ results: 0 });
  });
});

test("get reads every kind of resource with its outputs by its id alone", async () => {
  const source = `
    const ids = ${JSON.stringify(ids)};
    exports.node = nodecloud.Node.get("web", ids.web).status;
    exports.snapshot = nodecloud.NodeBackupSnapshot.get("snapshot", ids.snapshot).label;
    exports.mysql = nodecloud.MysqlDatabase.get("mysql", ids.mysql).rootUsername;
    exports.postgresql = nodecloud.PostgresqlDatabase.get("postgresql", ids.postgresql).engine;
    exports.zone = nodecloud.Domain.get("zone", ids.zone).ttlSec;
    exports.record = nodecloud.DomainRecord.get("a", ids.a).target;
    exports.image = nodecloud.Image.get("image", ids.image).description;
    exports.debian = nodecloud.Image.get("debian", "node/debian12").isPublic;`;
  await withStack(source, async (stack) => {
    expect(await stack.up()).toMatchObject({ code: 0, steps: { read: 8 } });
    const { printed } = await stack.pulumi("stack", "output", "--json");
    expect(JSON.parse(printed)).toMatchObject({
      node: "running",
      snapshot: "first",
      mysql: "root",
      postgresql: "postgresql/14.6",
      record: "192.0.2.10",
      image: "a disk",
      debian: true,
    });
    expect(await stack.destroy()).toMatchObject({ code: 0 });
    expect((await emulator.call("GET", `/node/instances/${ids["web"]}`)).status).toBe(200);
  });
});
