import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { moveToAnotherMachine } from "../faults/recovery";
import { nodecloud } from "../helpers/command-line";
import { type TestEmulator } from "../helpers/emulator";
import { eventually } from "../helpers/programs";
import { type TestStack } from "../helpers/stack";
import { stackForEachTest } from "../helpers/with-stack";

let emulator: TestEmulator;
let stack: TestStack;
stackForEachTest((own) => {
  ({ emulator, stack } = own);
});

const HOUR = 3_600_000;
const locks = () => join(stack.folder.path, ".state/.pulumi/locks/organization/program/test");
const lockFiles = () =>
  (existsSync(locks()) ? readdirSync(locks()) : []).filter((file) => file.endsWith(".json"));

function lock({ host = hostname(), pid = process.pid, age = 0 }): void {
  mkdirSync(locks(), { recursive: true });
  const timestamp = new Date(Date.now() - age).toISOString();
  const content = JSON.stringify({ pid, username: "ada", hostname: host, timestamp });
  writeFileSync(join(locks(), "0b1c.json"), content);
}

interface Checkpoint {
  checkpoint: {
    latest: {
      manifest: { time: string };
      resources: { urn: string }[];
      pending_operations?: { type: string; resource: { urn: string } }[];
    };
  };
}
const stateFile = () => join(stack.folder.path, ".state/.pulumi/stacks/program/test.json");
const pending = () =>
  (JSON.parse(stack.rawState()) as Checkpoint).checkpoint.latest.pending_operations?.map(
    ({ type, resource }) => `${type} ${resource.urn.split("::").at(-1)}`,
  ) ?? [];

/** Changes the state to that of a run that was killed an hour ago while it created these resources. */
function cutOffIn(...names: readonly string[]): void {
  const state = JSON.parse(stack.rawState()) as Checkpoint;
  const { latest } = state.checkpoint;
  const resources = latest.resources.filter(({ urn }) => names.includes(urn.split("::").at(-1) ?? ""));
  expect(resources).toHaveLength(names.length);
  latest.pending_operations = resources.map((resource) => ({ type: "creating", resource }));
  latest.resources = latest.resources.filter((one) => !resources.includes(one));
  writeFileSync(stateFile(), JSON.stringify(state));
  savedLongAgo();
}

/** Changes the state to an earlier one, with an operation on a resource of the present one that was interrupted. */
function cutOff(earlier: string, type: "updating" | "deleting", name: string): void {
  const resource = (JSON.parse(stack.rawState()) as Checkpoint).checkpoint.latest.resources.find(
    ({ urn }) => urn.split("::").at(-1) === name,
  );
  const state = JSON.parse(earlier) as Checkpoint;
  state.checkpoint.latest.pending_operations = [{ type, resource: resource ?? { urn: "" } }];
  writeFileSync(stateFile(), JSON.stringify(state));
  savedLongAgo();
}

/** Lets the time pass in which the service may still carry out a request. */
function savedLongAgo(): void {
  const state = JSON.parse(stack.rawState()) as Checkpoint;
  state.checkpoint.latest.manifest.time = new Date(Date.now() - HOUR).toISOString();
  writeFileSync(stateFile(), JSON.stringify(state));
}

const recover = (...args: string[]) =>
  nodecloud(["recover", ...args], { environment: stack.env, directory: stack.folder.path });

const node = (name: string) => `new nodecloud.Node("${name}", { region: "us-east", type: "g6-nanode-1" });`;
const nodes = async () =>
  (await emulator.control<{ data: { id: number }[] }>("GET", "/objects/nodes")).body.data.map(({ id }) => id);

test("after a kill -9 on a machine that is gone, recover removes the lock, resumes with the object, and clears its pending creation", async () => {
  stack.program(node("web"));
  await emulator.control("POST", "/faults", {
    ...{ method: "POST", path: "/v4/node/instances", effect: { delayMs: 3_000 } },
  });
  const up = stack.start("up", "--yes", "--skip-preview");
  await eventually("the request", async () =>
    ((await emulator.counts())["POST /v4/node/instances"] ?? 0) > 0 ? true : undefined,
  );
  up.process.kill("SIGKILL");
  await up.ended;
  await eventually("the node", async () => ((await nodes()).length > 0 ? true : undefined));
  const made = await nodes();
  await moveToAnotherMachine(stack);
  expect((await stack.up()).printed).toContain("the stack is currently locked by 1 lock(s)");

  const { code, stdout } = await recover("--yes", "--lock-older-than", "1ms");
  const lines = stdout.trimEnd().split("\n");
  expect(lines).toEqual([
    expect.stringMatching(/^removed the lock of \S+, process \d+, \d+ s old: it is older than 0 s$/),
    "ran `pulumi up` of test with NODECLOUD_RESUME=true",
    `it put Node web (${String(made[0])}) into the state`,
    "cleared the pending creation of Node web",
  ]);
  expect(code).toBe(0);
  expect(await nodes()).toEqual(made);
  expect((await stack.state())["web"]?.id).toBe(String(made[0]));
  expect([lockFiles(), pending()]).toEqual([[], []]);

  expect(await recover("--yes")).toMatchObject({
    code: 0,
    stdout: "test has no lock and no pending operation: nothing to recover\n",
  });
});

test("a lock whose run may go on stays, until the limit says that it is too old", async () => {
  lock({});
  expect(await recover("--yes")).toMatchObject({
    code: 2,
    stdout: expect.stringMatching(
      /^kept the lock of ada@.*: .* so its run may go on\b.*\ndid nothing else/,
    ) as unknown,
  });
  lock({ host: "another.example.org", age: 3 * HOUR });
  expect(await recover("--yes", "--lock-older-than", "4h")).toMatchObject({
    code: 2,
    stdout: expect.stringContaining("its run is on another host, and may go on there"),
  });
  expect(lockFiles()).toEqual(["0b1c.json"]);

  const dry = await recover("--dry-run", "--lock-older-than", "2h");
  expect(dry).toMatchObject({
    code: 2,
    stdout:
      "would remove the lock of ada@another.example.org, process " +
      `${process.pid}, 3 h old: it is older than 2 h\nwould run \`pulumi up\` of test with NODECLOUD_RESUME=true\n`,
  });
  expect(lockFiles()).toEqual(["0b1c.json"]);

  expect(await recover("--yes", "--lock-older-than", "2h")).toMatchObject({ code: 0 });
  expect(lockFiles()).toEqual([]);
});

test("the pending creation of an object that no state has is kept, and so are the others", async () => {
  stack.program(node("web") + node("old"));
  expect(await stack.up()).toMatchObject({ code: 0 });
  const { web, old } = await stack.state();
  cutOffIn("web", "old");
  await moveToAnotherMachine(stack);
  stack.program(node("web"));
  const kept = await recover("--yes");
  expect(kept.stdout).toBe(
    "ran `pulumi up` of test with NODECLOUD_RESUME=true\n" +
      `it put Node web (${web?.id}) into the state\n` +
      `kept the pending creation of Node old: the account has ${old?.id} with its content, which no state has: import or delete that\n` +
      "kept the other 1 too: the engine clears all or none\n",
  );
  expect(kept.code).toBe(2);
  expect(pending().sort()).toEqual(["creating old", "creating web"]);

  expect((await emulator.call("DELETE", `/node/instances/${old?.id}`)).status).toBe(200);
  await eventually("the node is deleted", async () => ((await nodes()).length === 1 ? true : undefined));
  savedLongAgo();
  expect(await recover("--yes")).toMatchObject({ code: 0 });
  expect(pending()).toEqual([]);
});

test("nothing is cleared if `pulumi up` fails, and the error says so", async () => {
  stack.program(node("web"));
  expect(await stack.up()).toMatchObject({ code: 0 });
  cutOffIn("web");
  stack.program(`${node("web")} throw new Error("the program is broken");`);
  const { code, stdout, stderr } = await recover("--yes");
  expect(code).toBe(1);
  expect(stdout).toBe("");
  expect(stderr).toContain("the program is broken");
  expect(stderr.trimEnd().split("\n").at(-1)).toMatch(/^error: `pulumi up` failed: /);
  expect(pending()).toEqual(["creating web"]);
});

test("what an interrupted destroy has deleted is not created again", async () => {
  const zone =
    'new nodecloud.Domain("zone", { domain: "a.example", type: "master", soaEmail: "dns@a.example" });';
  stack.program(node("web") + node("old"));
  expect(await stack.up()).toMatchObject({ code: 0 });
  const { old } = await stack.state();
  cutOff(stack.rawState(), "deleting", "web");
  stack.program(node("web") + node("old") + zone);
  expect(await recover("--yes")).toMatchObject({
    code: 2,
    stdout:
      "did not run `pulumi up`: the interrupted run was deleting, and this would create 1 resource. " +
      "If that was a `pulumi destroy`, run it again. Otherwise run `pulumi up --refresh`\n",
  });
  expect((await emulator.counts())["POST /v4/domains"]).toBeUndefined();
  stack.program(node("web"));
  expect(await recover("--yes")).toMatchObject({
    code: 0,
    stdout: `ran \`pulumi up --refresh\` of test with NODECLOUD_RESUME=true\nit removed Node old (${old?.id}) from the state\n`,
  });
  expect(pending()).toEqual([]);
});

test("records that an interrupted update of a set has made and the program no longer declares are left for a person", async () => {
  const set = (...names: string[]) =>
    `const zone = new nodecloud.Domain("zone", { domain: "a.example", type: "master", soaEmail: "dns@a.example" });
     new nodecloud.DomainRecordSet("set", { domainId: zone.id, records: [${names.map((name) => `{ type: "A", name: "${name}", target: "192.0.2.1" }`)}] });`;
  stack.program(set("a"));
  expect(await stack.up()).toMatchObject({ code: 0 });
  const before = stack.rawState();
  stack.program(set("a", "b"));
  expect(await stack.up()).toMatchObject({ code: 0 });
  cutOff(before, "updating", "set");
  await moveToAnotherMachine(stack);
  stack.program(set("a"));
  expect(await recover("--yes")).toMatchObject({
    code: 2,
    stdout: expect.stringMatching(
      /^ran `pulumi up --refresh` of test with NODECLOUD_RESUME=true\nafter the interrupted update of DomainRecordSet set, the account has \d+\/\d+ with its content, which no state has: import or delete that\n$/,
    ) as unknown,
  });
});
