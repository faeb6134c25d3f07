import { mkdirSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { type Check } from "../../src/cli/doctor/check";
import { nodecloud } from "../helpers/command-line";
import { type TestEmulator } from "../helpers/emulator";
import { type TestStack } from "../helpers/stack";
import { stackForEachTest } from "../helpers/with-stack";

const TOKEN = "a-token-of-the-stack";

let emulator: TestEmulator;
let stack: TestStack;
const users = [{ username: "ada", tokens: [{ token: TOKEN, scopes: "*" as const }] }];
stackForEachTest(
  async (own) => {
    ({ emulator, stack } = own);
    delete stack.env["NODECLOUD_TOKEN"];
    expect(await stack.pulumi("config", "set", "--secret", "nodecloud:token", TOKEN)).toMatchObject({
      code: 0,
    });
  },
  { speed: 60_000, accounts: { users } },
);

async function examine(...args: string[]) {
  const { code, stdout, stderr } = await nodecloud(["doctor", "--format", "json", ...args], {
    environment: stack.env,
    directory: stack.folder.path,
  });
  expect(stdout + stderr).not.toContain(TOKEN);
  const { checks } = JSON.parse(stdout) as { checks: Check[] };
  return { code, checks: Object.fromEntries(checks.map(({ name, ...check }) => [name, check])) };
}

test("takes the settings of the selected stack, whose secrets it decrypts and never shows", async () => {
  const { code, checks } = await examine();
  expect(checks).toMatchObject({
    engine: { status: "ok" },
    packages: { finding: expect.stringMatching(/^pulumi-nodecloud \d/) },
    stack: { status: "ok", finding: "test" },
    "pending operations": { status: "ok", finding: "none" },
    settings: {
      status: "ok",
      finding: `token from the configuration of test, base URL ${emulator.url} from NODECLOUD_BASE_URL`,
    },
    token: { status: "ok" },
  });
  expect(code).toBe(0);
});

test("warns of a token that the configuration does not encrypt, and says how to mend it", async () => {
  expect(await stack.pulumi("config", "set", "nodecloud:token", TOKEN, "--plaintext")).toMatchObject({
    code: 0,
  });
  const { code, checks } = await examine();
  expect(checks["settings"]).toMatchObject({
    status: "warning",
    finding: `token from the configuration of test, where it is in clear text, base URL ${emulator.url} from NODECLOUD_BASE_URL`,
    advice: "make a new token, and set it with `pulumi config set --secret nodecloud:token`",
  });
  expect(code).toBe(0);
});

test.each(["dynamic", "plugin"] as const)(
  "says whether the state of %s resources has a token in clear text, until it is secret and a run has encrypted it, and whether it is an old one",
  async (way) => {
    stack.way = way;
    const zone = { domain: "example.org", type: "master", soaEmail: "dns@example.org" };
    stack.program(`new nodecloud.Domain("zone", ${JSON.stringify(zone)});`);
    const ran = async (...set: string[]) => {
      await stack.pulumi("config", "set", "nodecloud:token", TOKEN, ...set);
      expect(await stack.up()).toMatchObject({ code: 0 });
      return (await examine()).checks["token in the state"];
    };
    const encrypted = { status: "ok", finding: "none in clear text" };
    // The plugin itself says that its token is a secret.
    expect(await ran("--plaintext")).toMatchObject(
      way === "plugin"
        ? encrypted
        : {
            status: "warning",
            finding: expect.stringMatching(/^the state has the token of 1 provider in clear text: default/),
            advice: expect.stringContaining("pulumi config set --secret nodecloud:token"),
          },
    );
    expect(stack.rawState().includes(TOKEN)).toBe(way === "dynamic");
    expect(await ran("--secret")).toMatchObject(encrypted);
    expect(stack.rawState()).not.toContain(TOKEN);
    await stack.pulumi("config", "set", "nodecloud:token", `${TOKEN}-2`, "--secret");
    expect((await examine()).checks["token in the state"]).toEqual({
      status: "warning",
      finding:
        "the configuration has another token since the last `pulumi up`; `pulumi refresh`, `pulumi destroy` and `nodecloud drift` use the old one",
      advice: "run `pulumi up`",
    });
  },
);

test("names a lock and how to recover, the backend, and a setting that the provider does not have", async () => {
  expect((await examine()).checks["lock"]).toEqual({ status: "ok", finding: "none" });
  const locks = join(stack.folder.path, ".state/.pulumi/locks/organization/program/test");
  mkdirSync(locks, { recursive: true });
  const timestamp = new Date(Date.now() - 3_600_000).toISOString();
  const lock = { pid: 4711, username: "ada", hostname: "ci-7.example.org", timestamp };
  writeFileSync(join(locks, "0b1c.json"), JSON.stringify(lock));
  expect(await stack.pulumi("config", "set", "nodecloud:tokn", "x")).toMatchObject({ code: 0 });
  const { code, checks } = await examine();
  expect(code).toBe(2);
  expect(checks).toMatchObject({
    backend: { status: "ok", finding: `file://${stack.folder.path}/.state` },
    lock: {
      status: "warning",
      finding:
        "the stack is locked: the lock of ada@ci-7.example.org, process 4711, 60 min old: its run is on another host, and may go on there",
      advice:
        "wait for that run. If it was killed, run `nodecloud recover`, with --lock-older-than and a time that no run takes",
    },
    "name of a setting": {
      status: "problem",
      finding:
        "the configuration of the stack: nodecloud:tokn is not a setting of the provider; did you mean token?",
    },
  });
});

test("says which stack does not exist", async () => {
  const { code, checks } = await examine("--stack", "nowhere");
  expect(code).toBe(2);
  expect(checks["stack"]).toMatchObject({ status: "problem" });
  expect(checks["stack"]?.finding).toMatch(/no stack named 'nowhere' found/);
});

test("says that the passphrase is wrong", async () => {
  expect(
    await stack.pulumi("stack", "change-secrets-provider", "passphrase", "--stack", "test"),
  ).toMatchObject({ code: 0 });
  stack.env["PULUMI_CONFIG_PASSPHRASE"] = "wrong";
  const { code, checks } = await examine();
  expect(code).toBe(2);
  expect(checks["stack"]).toMatchObject({ status: "problem" });
  expect(checks["stack"]?.finding).toMatch(/incorrect passphrase/);
});

test("names what an interrupted run was at", async () => {
  stack.program(
    `new nodecloud.Domain("zone", { domain: "example.org", type: "master", soaEmail: "dns@example.org" });`,
  );
  expect(await stack.up()).toMatchObject({ code: 0 });
  const state = JSON.parse(stack.rawState()) as {
    checkpoint: { latest: { resources: { urn: string }[]; pending_operations?: unknown[] } };
  };
  const { latest } = state.checkpoint;
  const resource = latest.resources.find(({ urn }) => urn.endsWith("::zone"));
  latest.pending_operations = [{ type: "updating", resource }];
  writeFileSync(join(stack.folder.path, ".state/.pulumi/stacks/program/test.json"), JSON.stringify(state));
  const { checks } = await examine();
  expect(checks["pending operations"]).toMatchObject({
    status: "warning",
    finding: `a run was interrupted while it was updating ${String(resource?.urn)}`,
    advice: expect.stringContaining("`pulumi up --refresh`") as unknown,
  });
  const locks = join(stack.folder.path, ".state/.pulumi/locks/organization/program/test");
  mkdirSync(locks, { recursive: true });
  const lock = { pid: process.pid, username: "ada", hostname: hostname(), timestamp: new Date() };
  writeFileSync(join(locks, "0b1c.json"), JSON.stringify(lock));
  expect((await examine()).checks["pending operations"]?.finding).toBe(
    `a run is updating ${String(resource?.urn)}, or was interrupted while it was`,
  );
});
