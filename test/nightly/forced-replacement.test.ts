import { type TestEmulator } from "../helpers/emulator";
import { type TestStack } from "../helpers/stack";
import { expectSettled, stackForEachTest } from "../helpers/with-stack";

let emulator: TestEmulator;
let stack: TestStack;
stackForEachTest((own) => {
  ({ emulator, stack } = own);
});

const urnOf = async (name: string) => (await stack.state())[name]?.urn ?? "";
const objects = async (kind: string) =>
  (await emulator.control<{ data: { id: number }[] }>("GET", `/objects/${kind}`)).body.data.map(
    ({ id }) => id,
  );
const create = async (path: string, body: unknown) =>
  (await emulator.call<{ id: number }>("POST", path, { body })).body.id;

const zone = (id: number, opts = "") =>
  `new nodecloud.Domain("zone", { domain: "example.org", type: "master", soaEmail: "dns@example.org" }, { import: "${id}", ${opts} });`;
const newZone = () =>
  create("/domains", { domain: "example.org", type: "master", soa_email: "dns@example.org" });

test("a forced replacement of an imported node creates a new node and deletes the imported one", async () => {
  const id = await create("/node/instances", { region: "us-east", type: "g6-nanode-1", label: "web" });
  stack.program(
    `new nodecloud.Node("web", { region: "us-east", type: "g6-nanode-1" }, { import: "${id}" });`,
  );
  expect(await stack.up()).toMatchObject({ code: 0 });
  const preview = await stack.preview("--replace", await urnOf("web"));
  expect(preview.printed).toContain(
    "replaces the Node in the state: a new one is created, and the option import is ignored",
  );
  expect(preview.printed).toContain("asks for it: the node's disks, backups and addresses are lost [NC1201]");
  const replaced = await stack.up("--replace", await urnOf("web"));
  expect(replaced).toMatchObject({ code: 0 });
  const [made, ...others] = await objects("nodes");
  expect(others).toEqual([]);
  expect(made).not.toBe(id);
  expect((await stack.state())["web"]?.id).toBe(String(made));
  await expectSettled(stack);
  await stack.pulumi("state", "taint", await urnOf("web"), "--yes");
  expect((await stack.preview()).printed).toContain(
    "the node's disks, backups and addresses are lost [NC1201]",
  );
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(await objects("nodes")).toEqual([Number((await stack.state())["web"]?.id)]);
  expect(await objects("nodes")).not.toContain(made);
  await expectSettled(stack);
});

test("a forced replacement of an imported domain fails in the preview, and deletes first with deleteBeforeReplace", async () => {
  const id = await newZone();
  stack.program(zone(id));
  expect(await stack.up()).toMatchObject({ code: 0 });
  const refused = await stack.up("--replace", await urnOf("zone"));
  expect(refused.code).not.toBe(0);
  expect(refused.messages.join()).toContain(
    `"example.org" is taken by the Domain ${id}, which this resource replaces. To delete the Domain ${id} first, set the option deleteBeforeReplace`,
  );
  expect(await objects("domains")).toEqual([id]);
  stack.program(zone(id, "deleteBeforeReplace: true"));
  expect(await stack.up("--replace", await urnOf("zone"))).toMatchObject({ code: 0 });
  expect(await objects("domains")).toEqual([Number((await stack.state())["zone"]?.id)]);
  expect(await objects("domains")).not.toContain(id);
  await expectSettled(stack);
});

test("a forced replacement of imported records creates them again", async () => {
  const domain = await newZone();
  const body = { type: "A", name: "www", target: "192.0.2.1" };
  const record = await create(`/domains/${domain}/records`, body);
  const program = (opts: string) => `
    new nodecloud.DomainRecord("www", { domainId: ${domain}, type: "A", name: "www", target: "192.0.2.1" }, { import: "${domain}/${record}" });
    new nodecloud.DomainRecordSet("set", { domainId: ${domain}, records: [{ type: "A", name: "a", target: "192.0.2.1" }] }, { import: "${domain}", ${opts} });`;
  const member = await create(`/domains/${domain}/records`, { ...body, name: "a" });
  stack.program(program(""));
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(await stack.up("--replace", await urnOf("www"))).toMatchObject({ code: 0 });
  expect(await objects("records")).not.toContain(record);
  expect(await objects("records")).toHaveLength(2);
  await expectSettled(stack);
  const refused = await stack.up("--replace", await urnOf("set"));
  expect(refused.code).not.toBe(0);
  expect(refused.messages.join()).toContain("cannot be replaced while they exist");
  expect(await objects("records")).toContain(member);
  stack.program(program("deleteBeforeReplace: true"));
  expect(await stack.up("--replace", await urnOf("set"))).toMatchObject({ code: 0 });
  expect(await objects("records")).toHaveLength(2);
  expect(await objects("records")).not.toContain(member);
  await expectSettled(stack);
  expect(await stack.destroy()).toMatchObject({ code: 0 });
  expect(await objects("records")).toEqual([]);
});

test("a resource that was read with get is imported under the same name, and not replaced", async () => {
  const id = await newZone();
  stack.program(`nodecloud.Domain.get("zone", "${id}");`);
  expect(await stack.up()).toMatchObject({ code: 0 });
  stack.program(zone(id));
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(await objects("domains")).toEqual([id]);
  expect((await stack.state())["zone"]?.id).toBe(String(id));
});
