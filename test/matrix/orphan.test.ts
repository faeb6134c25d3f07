import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { startTestEmulator, type TestEmulator } from "../helpers/emulator";
import { recover } from "../faults/recovery";
import { eventually } from "../helpers/programs";
import { type Outcome, testStack, type TestStack } from "../helpers/stack";
import { atNight } from "../helpers/whole";

let emulator: TestEmulator;
let stack: TestStack;
afterEach(async () => {
  stack.remove();
  await emulator.stop();
});

async function arrange(source: string, options: Parameters<typeof startTestEmulator>[0] = {}): Promise<void> {
  emulator = await startTestEmulator({ speed: 0, ...options });
  stack = await testStack(emulator, source);
}

const listed = async (kind: string) =>
  (await emulator.control<{ data: { id: number | string; status?: string }[] }>("GET", `/objects/${kind}`))
    .body.data;
const countOf = async (operation: string) => (await emulator.counts())[operation] ?? 0;
const delay = (method: string, path: string, delayMs: number) =>
  emulator.control("POST", "/faults", { method, path, effect: { delayMs } });

/** Whether a process exists. */
function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** The plugins that wrote to the log of requests. */
const pluginsIn = (log: string): number[] =>
  existsSync(log)
    ? [...new Set([...readFileSync(log, "utf8").matchAll(/ plugin=(\d+) /g)].map(([, pid]) => Number(pid)))]
    : [];

/** Starts an `up`, kills the CLI with `kill -9` when `until` is true, and returns the pid of the remaining plugin. */
async function orphanedBy(until: () => Promise<boolean>): Promise<number> {
  const log = join(stack.folder.path, "requests.log");
  rmSync(log, { force: true });
  stack.env["NODECLOUD_LOG"] = log;
  const up = stack.start("up", "--yes", "--skip-preview");
  await eventually("the moment to kill", async () => ((await until()) ? true : undefined));
  const [plugin, ...others] = pluginsIn(log);
  expect(others).toEqual([]);
  up.process.kill("SIGKILL");
  await up.ended;
  return plugin ?? 0;
}

const ends = (plugin: number) => eventually("the plugin ends", () => (isAlive(plugin) ? undefined : true));

/** Runs the next `up`, after what docs/interrupted-runs.md says to do after a kill. */
async function upAgain(): Promise<Outcome> {
  await recover(stack);
  return stack.up();
}

const node = (name: string) =>
  `new nodecloud.Node("${name}", { region: "us-east", type: "g6-nanode-1", image: "node/debian12" });`;

test("the plugin of a CLI that is killed during a wait ends, and the next up resumes with the node", async () => {
  await arrange(node("web"));
  const plugin = await orphanedBy(async () => (await countOf("GET /v4/node/instances/:id")) > 0);
  await ends(plugin);
  const [one] = await listed("nodes");
  emulator.clock.setSpeed(1e7);
  expect(await upAgain()).toMatchObject({ code: 0 });
  expect(await listed("nodes")).toEqual([expect.objectContaining({ id: one?.id, status: "running" })]);
});

test("a plugin whose CLI is killed during a request waits for the answer, notes it, and sends no other creation", async () => {
  await arrange(node("one") + node("two"));
  stack.env["NODECLOUD_MAX_CONCURRENCY"] = "1";
  await delay("POST", "/v4/node/instances", 5_000);
  const plugin = await orphanedBy(async () => (await countOf("POST /v4/node/instances")) > 0);
  await ends(plugin);
  const [one, ...others] = await listed("nodes");
  expect(one).toBeDefined();
  expect(others).toEqual([]);
  emulator.clock.setSpeed(1e7);
  expect(await upAgain()).toMatchObject({ code: 0 });
  expect((await listed("nodes")).map(({ id }) => id)).toContain(one?.id);
  expect(await countOf("POST /v4/node/instances")).toBe(2);
});

atNight(
  "a plugin whose CLI is killed while it creates a set of records ends, and the next up creates only the remaining records",
  async () => {
    const records = 'Array.from({ length: 400 }, (_, i) => ({ type: "TXT", name: `n${i}`, target: "text" }))';
    await arrange(
      `const zone = new nodecloud.Domain("zone", { domain: "example.org", type: "master", soaEmail: "a@example.org" });
     new nodecloud.DomainRecordSet("set", { domainId: zone.id, records: ${records} });`,
      { latencyMs: 40 },
    );
    stack.env["NODECLOUD_MAX_CONCURRENCY"] = "2";
    const plugin = await orphanedBy(async () => (await countOf("POST /v4/domains/:id/records")) > 20);
    await ends(plugin);
    const made = await countOf("POST /v4/domains/:id/records");
    expect(made).toBeLessThan(400);
    expect(await listed("records")).toHaveLength(made);
    stack.env["NODECLOUD_MAX_CONCURRENCY"] = "16";
    expect(await upAgain()).toMatchObject({ code: 0 });
    expect(await listed("records")).toHaveLength(400);
    expect(await countOf("POST /v4/domains/:id/records")).toBe(400);
  },
);

atNight(
  "a plugin whose CLI is killed during an upload aborts the upload, and the next up leaves no second image",
  async () => {
    await arrange('new nodecloud.Image("disk", { source: "disk.img", region: "us-east" });');
    stack.folder.write("disk.img", randomBytes(30e6));
    await delay("PUT", "/uploads/**", 15_000);
    const plugin = await orphanedBy(async () =>
      Object.keys(await emulator.counts()).some((name) => name.startsWith("PUT ")),
    );
    await ends(plugin);
    expect(await listed("images")).toContainEqual(
      expect.objectContaining({ status: "pending_upload", upload_bytes: null }),
    );
    emulator.clock.setSpeed(1e7);
    expect(await upAgain()).toMatchObject({ code: 0 });
    const own = (await listed("images")).filter(({ status }) => status === "pending_upload");
    expect(own).toEqual([]);
    expect((await stack.state())["disk"]?.outputs["status"]).toBe("available");
  },
);
