import { startTestEmulator, type TestEmulator } from "../helpers/emulator";
import { testStack, type TestStack } from "../helpers/stack";

let emulator: TestEmulator;
let stack: TestStack;

const program = `
const zone = new nodecloud.Domain("zone", { domain: "example.org", type: "master", soaEmail: "dns@example.org" });
for (let n = 0; n < 60; n++) {
  new nodecloud.DomainRecord("record" + n, { domainId: zone.id, type: "A", name: "a" + n, target: "192.0.2.1" });
}
for (let n = 0; n < 6; n++) {
  new nodecloud.Node("node" + n, { region: "us-east", type: "g6-nanode-1", image: "node/debian12" });
  new nodecloud.MysqlDatabase("db" + n, { region: "us-east", type: "g6-nanode-1", engine: "mysql/8.0.30" });
}`;

beforeAll(async () => {
  emulator = await startTestEmulator({ speed: 60_000 });
  stack = await testStack(emulator, program);
  expect(await stack.up()).toMatchObject({ code: 0 });
});

afterAll(async () => {
  stack.remove();
  await emulator.stop();
});

const sum = (counts: Readonly<Record<string, number>>) =>
  Object.values(counts).reduce((total, count) => total + count, 0);

test("a drift check of 73 resources of four kinds takes at most 12 requests", async () => {
  await emulator.newCounts();
  expect(await stack.drift()).toMatchObject({ code: 0, drifted: [] });
  const counts = await emulator.newCounts();
  expect(counts["GET /v4/domains/:id/records"]).toBe(1);
  expect(sum(counts)).toBeLessThanOrEqual(12);
});

test("a drift check of many resources finds exactly the missing ones", async () => {
  const { record30, node3 } = await stack.state();
  expect(await emulator.control("DELETE", `/objects/records/${record30?.id}`)).toMatchObject({ status: 200 });
  await emulator.control("PATCH", `/objects/nodes/${node3?.id}`, { label: "another" });
  await emulator.newCounts();
  expect(await stack.refresh()).toMatchObject({ code: 0, drifted: ["node3.label"] });
  expect(sum(await emulator.newCounts())).toBeLessThanOrEqual(14);
  expect(Object.keys(await stack.state())).toHaveLength(72);
});

test("a destroy takes one request per record", async () => {
  await emulator.newCounts();
  expect(await stack.destroy()).toMatchObject({ code: 0 });
  const counts = await emulator.newCounts();
  expect(counts).toMatchObject({ "DELETE /v4/domains/:id/records/:id": 59 });
  expect(counts).not.toHaveProperty(["GET /v4/domains/:id/records/:id"]);
});
