import { startTestEmulator, type TestEmulator } from "../helpers/emulator";
import { type Gate, openGate } from "./gate";
import { later } from "./later";

let emulator: TestEmulator;
let gate: Gate;

beforeEach(async () => {
  emulator = await startTestEmulator();
  gate = await openGate(emulator.origin);
});
afterEach(async () => {
  await gate.stop();
  await emulator.stop();
});

const body = JSON.stringify({ domain: "a.example", type: "master", soa_email: "dns@a.example" });
const create = async () => {
  const headers = { authorization: `Bearer ${emulator.token}` };
  const answer = await fetch(`${gate.url}/domains`, { method: "POST", headers, body });
  return { status: answer.status, text: await answer.text() };
};
const domains = async () =>
  (await emulator.control<{ data: unknown[] }>("GET", "/objects/domains")).body.data.length;

test("a request passes if no rule stops it", async () => {
  expect(await create()).toMatchObject({ status: 200 });
  expect(gate.passed).toEqual(["POST /v4/domains"]);
});

test.each(["drop", "reset"] as const)(
  "a request that is %s before the service receives it has no effect",
  async (ending) => {
    gate.rule(() => ({ before: () => ending }));
    await expect(create()).rejects.toThrow();
    expect(await domains()).toBe(0);
  },
);

test.each(["drop", "reset", "half"] as const)(
  "a request that is %s afterwards has its effect, and the client does not know",
  async (ending) => {
    gate.rule(() => ({ after: () => ending }));
    await expect(create()).rejects.toThrow();
    expect(await domains()).toBe(1);
  },
);

test("a rule can replace the answer after the service acts", async () => {
  gate.rule(() => ({ after: () => ({ status: 500, body: "no" }) }));
  expect(await create()).toEqual({ status: 500, text: "no" });
  expect(await domains()).toBe(1);
});

test("a held request is executed when the rule releases it, even if its client is gone", async () => {
  const held = later();
  gate.rule(() => ({ before: () => held.promise.then(() => undefined) }));
  const client = new AbortController();
  const headers = { authorization: `Bearer ${emulator.token}` };
  const asked = fetch(`${gate.url}/domains`, { method: "POST", headers, body, signal: client.signal });
  while (gate.passed.length === 0) await new Promise(setImmediate);
  client.abort();
  await expect(asked).rejects.toThrow();
  expect(await domains()).toBe(0);
  held.come();
  await gate.idle();
  expect(await domains()).toBe(1);
});
