import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { AT_ONCE, startTestEmulator, type TestEmulator } from "../helpers/emulator";
import { type TestStack, testStack } from "../helpers/stack";

let emulator: TestEmulator;
let stack: TestStack;
let plugin: ChildProcess;
let log: string;

beforeAll(async () => {
  emulator = await startTestEmulator({ speed: AT_ONCE });
  stack = await testStack(emulator);
  stack.way = "plugin";
  log = join(stack.folder.path, "requests.log");
  const env = { ...stack.env, NODECLOUD_LOG: log };
  plugin = spawn(join(stack.folder.path, "node_modules/.bin/pulumi-resource-nodecloud"), { env });
  const port = await new Promise<string>((resolve, reject) => {
    plugin.stdout?.once("data", (text: Buffer) => resolve(text.toString().trim()));
    plugin.once("exit", reject);
  });
  stack.env["PULUMI_DEBUG_PROVIDERS"] = `nodecloud:${port}`;
});

afterAll(async () => {
  plugin.kill();
  stack.remove();
  await emulator.stop();
});

test("a plugin that was started without an engine serves several runs", async () => {
  const zone = (more: string) =>
    `new nodecloud.Domain("zone", { domain: "example.org", type: "master", soaEmail: "dns@example.org"${more} });`;
  stack.program(zone(""));
  expect(await stack.up()).toMatchObject({ code: 0, messages: [], order: ["zone create"] });
  // The requests are in the log of this process, not of one that the engine would have started.
  expect(readFileSync(log, "utf8")).toMatch(/POST .*\/domains/);
  stack.program(zone(', description: "ours"'));
  expect(await stack.up()).toMatchObject({ code: 0, messages: [], order: ["zone update"] });
  expect(await stack.preview("--expect-no-changes")).toMatchObject({ code: 0 });
  expect(await stack.destroy()).toMatchObject({ code: 0, order: ["zone delete"] });
  expect(plugin.exitCode).toBeNull();
});

test("of several providers with different settings, only the first is served", async () => {
  stack.program(`
const settings = { token: process.env.NODECLOUD_TOKEN, baseUrl: process.env.NODECLOUD_BASE_URL };
const zone = (name, opts) => new nodecloud.Domain(name, { domain: name + ".example", type: "master", soaEmail: "dns@example.org" }, opts);
zone("one", { provider: new nodecloud.Provider("same", settings) });
zone("two", { provider: new nodecloud.Provider("other", { ...settings, maxConcurrency: "3" }) });`);
  const up = await stack.up();
  expect(up.code).not.toBe(0);
  expect(up.messages.join("\n")).toContain("the program has providers with different settings");
  const { body } = await emulator.call<{ data: unknown[] }>("GET", "/domains");
  expect(body.data.length).toBeLessThan(2);
});
