import { startTestEmulator, type TestEmulator } from "../helpers/emulator";
import { type Way } from "../helpers/way";
import { testStack, type TestStack } from "../helpers/stack";

let emulator: TestEmulator;
let stack: TestStack;

beforeAll(async () => {
  emulator = await startTestEmulator({ speed: 1e7 });
});
beforeEach(async () => {
  stack = await testStack(emulator);
});
afterEach(async () => {
  stack.remove();
  await emulator.control("POST", "/reset");
});
afterAll(() => emulator.stop());

const zone =
  'const zone = new nodecloud.Domain("zone", { domain: "example.org", type: "master", soaEmail: "dns@example.org" });';
const hosts = (count: number, more = "") =>
  `const hosts = Array.from({ length: ${count} }, (_, i) => ({ type: "A", name: "host" + i, target: "192.0.2." + i, ttlSec: 300 })); ${more}
   new nodecloud.DomainRecordSet("hosts", { domainId: zone.id, records: hosts });`;

const records = async () =>
  (
    await emulator.control<{ data: { id: number; name: string; target: string }[] }>(
      "GET",
      "/objects/records",
    )
  ).body.data;

test("a set is one step of the engine, and its diff shows only the changed records", async () => {
  stack.program(`${zone}\n${hosts(200)}`);
  expect(await stack.up()).toMatchObject({ code: 0, order: ["zone create", "hosts create"] });
  expect(await records()).toHaveLength(200);
  await emulator.newCounts();
  expect(await stack.preview("--expect-no-changes")).toMatchObject({ code: 0 });
  expect(await emulator.newCounts()).toEqual({});
  expect(await stack.drift()).toMatchObject({ code: 0 });
  expect(await emulator.newCounts()).toEqual({ "GET /v4/domains/:id": 1, "GET /v4/domains/:id/records": 1 });

  stack.program(`${zone}\n${hosts(200, 'hosts[50].target = "203.0.113.5"; hosts.splice(70, 1);')}`);
  const { printed } = await stack.pulumi("preview", "--diff");
  expect(printed).toMatch(/- host50 300 A 192\.0\.2\.50\n\s+\+ host50 300 A 203\.0\.113\.5\n/);
  expect(printed).toMatch(/- host70 300 A 192\.0\.2\.70\n/);
  expect(printed).toContain("records: 1 to update, 1 to delete");
  expect(printed).not.toContain("host100");
  // A preview of a changed set looks whether its domain is there.
  expect(await emulator.newCounts()).toEqual({ "GET /v4/domains": 1 });
  expect(await stack.up()).toMatchObject({ code: 0, order: ["hosts update"] });
  expect(await emulator.newCounts()).toEqual({
    "GET /v4/domains": 1,
    "PUT /v4/domains/:id/records/:id": 1,
    "DELETE /v4/domains/:id/records/:id": 1,
  });

  const [first] = await records();
  await emulator.control("PATCH", `/objects/records/${first?.id}`, { target: "192.0.2.66" });
  expect(await stack.drift()).toMatchObject({ drifted: ["hosts.records"] });
  expect(await stack.refresh()).toMatchObject({ code: 0 });
  expect(await stack.up()).toMatchObject({ code: 0, order: ["hosts update"] });
  expect((await records()).find(({ id }) => id === first?.id)).toMatchObject({ target: first?.target });
  expect(await stack.destroy()).toMatchObject({ code: 0 });
  expect(await records()).toEqual([]);
});

test("a record with an unknown output is unknown in the preview, and the other records are shown", async () => {
  stack.program(zone);
  await stack.up();
  const program = (size: string) => `${zone}
    const web = new nodecloud.Node("web", { region: "us-east", type: "${size}", image: "node/alpine3.20" });
    new nodecloud.DomainRecordSet("hosts", { domainId: zone.id, records: {
      web: { type: "A", name: "web", target: web.ipv4[0] }, mail: { type: "MX", target: "mx.example.org" } } });`;
  stack.program(program("g6-nanode-1"));
  const { printed, code } = await stack.pulumi("preview", "--diff");
  expect(code).toBe(0);
  expect(printed).toContain("web A (unknown) ; web");
  expect(printed).toContain("@ MX - mx.example.org ; mail");
  expect(await stack.up()).toMatchObject({ code: 0 });
  const { hosts: set } = await stack.state();
  expect(set?.outputs["records"]).toMatch(
    /^@ MX - mx\.example\.org ; mail\nweb A \d+\.\d+\.\d+\.\d+ ; web\n$/,
  );
  expect(await stack.preview("--expect-no-changes")).toMatchObject({ code: 0 });
  // The set depends on the node, so it is deleted first.
  expect((await stack.destroy()).order.slice(0, 1)).toEqual(["hosts delete"]);
});

test("a secret in one record appears nowhere in plain text, even after a failure or a refresh", async () => {
  const program = (target: string) => `${zone}
    new nodecloud.DomainRecordSet("hosts", { domainId: zone.id, records: [
      { type: "TXT", name: "token", target: ${target} }, { type: "A", name: "www", target: "192.0.2.1" } ] });`;
  const outcomes: string[] = [];
  const states: string[] = [];
  const secret = (text: string) => program(`pulumi.secret("${text}")`);
  const run = async (outcome: ReturnType<TestStack["pulumi"]>) => {
    outcomes.push((await outcome).printed);
    states.push(stack.rawState());
    return outcome;
  };
  stack.program(secret("hush-1"));
  expect(await run(stack.pulumi("up", "--yes", "--diff"))).toMatchObject({ code: 0 });
  const [token] = (await records()).filter(({ name }) => name === "token");
  expect(token?.target).toBe("hush-1");

  stack.program(secret("hush-2"));
  expect(await run(stack.pulumi("up", "--yes", "--diff"))).toMatchObject({ code: 0 });
  await emulator.control("PATCH", `/objects/records/${token?.id}`, { target: "hush-3" });
  await run(stack.pulumi("refresh", "--yes", "--diff"));
  // The secret record is removed and cannot be deleted. The kept copy is still secret.
  await emulator.control("POST", "/faults", {
    method: "DELETE",
    path: "/v4/domains/*/records/*",
    times: 1,
    effect: { status: 422, body: { errors: [{ reason: "Not now" }] } },
  });
  stack.program(`${zone}
    new nodecloud.DomainRecordSet("hosts", { domainId: zone.id, records: [{ type: "A", name: "www", target: "192.0.2.2" }] });`);
  expect((await run(stack.pulumi("up", "--yes", "--diff"))).code).not.toBe(0);
  expect([...outcomes, ...states].join("\n")).not.toContain("hush");
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(await records()).toEqual([expect.objectContaining({ name: "www", target: "192.0.2.2" })]);
});

test("single records become a set without a change", async () => {
  const single = (options: string) =>
    `${zone} for (const i of [1, 2, 3]) new nodecloud.DomainRecord("r" + i, { domainId: zone.id, type: "A", name: "host" + i, target: "192.0.2." + i }, ${options});`;
  stack.program(single("{}"));
  await stack.up();
  const before = await records();
  stack.program(single("{ retainOnDelete: true }"));
  await stack.up();
  const { zone: domain } = await stack.state();
  stack.program(`${zone}
    new nodecloud.DomainRecordSet("hosts", { domainId: zone.id,
      records: [1, 2, 3].map((i) => ({ type: "A", name: "host" + i, target: "192.0.2." + i })) }, { import: "${domain?.id}" });`);
  expect(await stack.up()).toMatchObject({ code: 0 });
  expect(await records()).toEqual(before);
  expect(Object.keys(await stack.state()).sort()).toEqual(["hosts", "zone"]);
  expect(await stack.preview("--expect-no-changes")).toMatchObject({ code: 0 });
});

test("a saved plan fails at a set with unknown records, and not at a single record; an `up` without the plan works", async () => {
  stack.program(`${zone}
    const web = new nodecloud.Node("web", { region: "us-east", type: "g6-nanode-1", image: "node/debian12" });
    const record = { type: "A", name: "web", target: web.ipv4[0] };
    const single = new nodecloud.DomainRecord("single", { domainId: zone.id, ...record, name: "single" });
    new nodecloud.DomainRecordSet("set", { domainId: zone.id, records: [record] }, { dependsOn: single });`);
  expect(await stack.preview("--save-plan", "plan.json")).toMatchObject({ code: 0 });
  const held = await stack.up("--plan", "plan.json");
  expect(held.code).not.toBe(0);
  expect(held.printed).toContain("violates plan: properties changed: ++records");
  expect((await records()).map(({ name }) => name)).toEqual(["single"]);
  expect(await stack.up()).toMatchObject({ code: 0, order: ["set create"] });
});

test.each<Way>(["dynamic", "plugin"])(
  "records that a program moves from one set to another stay as they are, in the %s way",
  async (way) => {
    stack.way = way;
    const set = (name: string, names: readonly string[]) =>
      `new nodecloud.DomainRecordSet("${name}", { domainId: zone.id, records: [${names
        .map((one) => `{ type: "A", name: "${one}", target: "192.0.2.1" }`)
        .join()}] });`;
    stack.program(`${zone}\n${set("all", ["a", "b", "c"])}`);
    expect(await stack.up()).toMatchObject({ code: 0 });
    const before = await records();
    stack.program(`${zone}\n${set("all", ["a"])}\n${set("part", ["b", "c"])}`);
    const { printed } = await stack.pulumi("preview");
    expect(printed).toContain("takes over 2 of the records, which DomainRecordSet all gives up");
    expect(await stack.up()).toMatchObject({ code: 0 });
    expect(await records()).toEqual(before);
    expect(await stack.preview("--expect-no-changes")).toMatchObject({ code: 0 });
  },
);
