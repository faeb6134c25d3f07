import { cpSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../helpers/programs";
import { type TestEmulator } from "../helpers/emulator";
import { type TestStack } from "../helpers/stack";
import { atNight } from "../helpers/whole";
import { expectSettled, stackForEachTest } from "../helpers/with-stack";

let emulator: TestEmulator;
let stack: TestStack;
stackForEachTest((own) => ({ emulator, stack } = own));

const create = async (path: string, body: object) =>
  String((await emulator.call<{ id: number }>("POST", path, { body })).body.id);
const newZone = (domain = "example.org") =>
  create("/domains", { domain, type: "master", soa_email: "dns@example.org" });
const newNode = (label = "web") =>
  create("/node/instances", { region: "us-east", type: "g6-nanode-1", label });
const nodes = async () =>
  (await emulator.control<{ data: { id: number }[] }>("GET", "/objects/nodes")).body.data.map(({ id }) =>
    String(id),
  );
const adopt = (ids: Record<string, string>) => `nodecloud.adopt(${JSON.stringify(ids)});\n`;
const node = (region = "us-east", opts = "{}", name = "web") =>
  `new nodecloud.Node("${name}", { region: "${region}", type: "g6-nanode-1", label: "web" }, ${opts});\n`;
const urnOf = async (name: string) => (await stack.state())[name]?.urn ?? "";

const records = (names: readonly string[]) =>
  names.map((name) => `{ type: "A", name: "${name}", target: "192.0.2.1" }`);

/** Expects that the stack adopts without a write, and that nothing is left to do with the call and without it. */
async function expectAdopted(ids: string, program: string): Promise<void> {
  stack.program(ids + program);
  await emulator.newCounts();
  expect(await stack.preview()).toMatchObject({ code: 0, messages: [] });
  expect(await stack.up()).toMatchObject({ code: 0, messages: [] });
  stack.program(program);
  expect(await stack.preview("--expect-no-changes")).toMatchObject({ code: 0, messages: [] });
  stack.program(ids + program);
  expect(await stack.preview("--expect-no-changes")).toMatchObject({ code: 0, messages: [] });
  expect(await emulator.writes()).toEqual([]);
}

test("an adopted object may be replaced while the call stays, also by the command line, and nothing is imported again", async () => {
  const ids = adopt({ "Node web": await newNode() });
  await expectAdopted(ids, node());
  stack.program(ids + node("us-west"));
  expect(await stack.up()).toMatchObject({
    code: 0,
    order: ["web create-replacement", "web replace", "web delete-replaced"],
  });
  expect(await stack.up("--refresh", "--replace", await urnOf("web"))).toMatchObject({
    code: 0,
    messages: [expect.stringMatching(/asks for it: the node's disks, backups and addresses are lost/)],
  });
  expect(await nodes()).toEqual([(await stack.state())["web"]?.id]);
  await expectSettled(stack);
  stack.way = stack.way === "plugin" ? "dynamic" : "plugin";
  stack.program(ids + node("us-west"));
  expect(await stack.up()).toMatchObject({ code: 0, messages: [] });
  expect(await nodes()).toEqual([(await stack.state())["web"]?.id]);
});

test("an id for a resource that manages another object has no effect", async () => {
  stack.program(node());
  expect(await stack.up()).toMatchObject({ code: 0 });
  const other = await newNode("other");
  stack.program(adopt({ "Node web": other }) + node());
  expect(await stack.preview("--expect-no-changes")).toMatchObject({ code: 0, messages: [] });
  expect(await nodes()).toContain(other);
});

test("resources of one name in components, a set, a provider, secrets and ignored inputs are adopted", async () => {
  const zone = await newZone();
  for (const name of ["www", "api", "web.dev"])
    await create(`/domains/${zone}/records`, { type: "A", name, target: "192.0.2.1" });
  const { body } = await emulator.call<{ data: { id: number }[] }>("GET", `/domains/${zone}/records`);
  const [www, api] = body.data.map(({ id }) => `${zone}/${id}`);
  const ids = adopt({
    "Domain zone": zone,
    "my:Site$DomainRecord record": www ?? "",
    "my:Group$my:Site$DomainRecord record": api ?? "",
    "DomainRecordSet dev": `${zone}/dev`,
    "Node web": await newNode(),
  });
  const [first, second, third] = records(["www", "api", "web.dev"]);
  const program = `
const provider = new nodecloud.Provider("own", {});
const zone = new nodecloud.Domain("zone", { domain: "example.org", type: "master", soaEmail: "dns@example.net" }, { provider, ignoreChanges: ["soaEmail"] });
class Site extends pulumi.ComponentResource {
  constructor(name, record, opts) {
    super("my:Site", name, {}, opts);
    new nodecloud.DomainRecord("record", { domainId: zone.id, ...record }, { parent: this, provider });
  }
}
new Site("one", ${first});
new Site("two", ${second}, { parent: new pulumi.ComponentResource("my:Group", "group") });
new nodecloud.DomainRecordSet("dev", { domainId: zone.id, subdomain: "dev", records: [${third}] }, { provider });
new nodecloud.Node("web", { region: "us-east", type: "g6-nanode-1", label: pulumi.secret("web"), rootPass: "s3cret word 9" });
`;
  await expectAdopted(ids, program);
  expect(Object.entries(await stack.state()).map(([name, { id }]) => [name, id])).toEqual(
    expect.arrayContaining([
      ["zone", zone],
      ["dev", `${zone}/dev`],
    ]),
  );
  expect(stack.rawState()).not.toContain("s3cret word 9");
  expect(await stack.destroy()).toMatchObject({ code: 0 });
});

atNight("transformations and transforms change what adopted resources declare", async () => {
  const zone = await newZone();
  const record = await create(`/domains/${zone}/records`, { type: "A", name: "www", target: "192.0.2.1" });
  const ids = adopt({ "Domain zone": zone, "DomainRecord www": `${zone}/${record}` });
  await expectAdopted(
    ids,
    `
  pulumi.runtime.registerStackTransformation(({ type, props, opts }) =>
    type.endsWith(":Domain") ? { props: { ...props, soaEmail: "dns@example.org" }, opts } : undefined);
  const zone = new nodecloud.Domain("zone", { domain: "example.org", type: "master", soaEmail: "else@example.org" });
  new nodecloud.DomainRecord("www", { domainId: zone.id, type: "A", name: "else", target: "192.0.2.1" }, {
    transforms: [async ({ props, opts }) => ({ props: { ...props, name: "www" }, opts })],
  });
  `,
  );
});
test("keys that no resource has are one warning at the end of each run, unless the program fails", async () => {
  const ids = adopt({ "Node web": await newNode(), "Node wbe": "77", "Domain late": "78" });
  const warning =
    'adopt has keys that no resource of the program has: "Node wbe". A component in its own plugin does not see them [NC1113]';
  const late = `setTimeout(() => new nodecloud.Domain("late", { domain: "example.org", type: "master", soaEmail: "dns@example.org" }), 1);\n`;
  stack.program(ids.replace('"78"', JSON.stringify(await newZone())) + node() + late);
  expect(await stack.preview()).toMatchObject({ code: 0, messages: [warning] });
  expect(await stack.up()).toMatchObject({ code: 0, messages: [warning] });
  stack.program(`${ids}${node()}throw new Error("no network");`);
  const failed = await stack.preview();
  expect(failed.code).not.toBe(0);
  expect(failed.messages.join()).toContain("no network");
  expect(failed.messages.join()).not.toContain("adopt has keys");
});

test("one call serves the classes of both entries, and of another copy of the package", async () => {
  stack.way = "plugin";
  cpSync(join(ROOT, "dist"), join(stack.folder.path, "copy/dist"), { recursive: true });
  cpSync(join(ROOT, "package.json"), join(stack.folder.path, "copy/package.json"));
  const ids = adopt({ "Node web": await newNode(), "Domain zone": await newZone() });
  const copy = `const copy = require("./copy");\ncopy.`;
  await expectAdopted(
    copy + ids.replace("nodecloud.", ""),
    `${node()}
const dynamic = require("pulumi-nodecloud");
new dynamic.Domain("zone", { domain: "example.org", type: "master", soaEmail: "dns@example.org" });`,
  );
});
