import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startGitHub } from "../helpers/ci/github";
import { startGitLab } from "../helpers/ci/gitlab";
import { programRepository, type Repository } from "../helpers/ci/repository";
import { runPipeline } from "../helpers/ci/run-pipeline";
import { runWorkflow } from "../helpers/ci/run-workflow";
import { findTool } from "../helpers/debian-tools";
import { startTestEmulator, type TestEmulator } from "../helpers/emulator";
import { ROOT } from "../helpers/programs";
import { testStack, type TestStack } from "../helpers/stack";

const READING = "a-token-that-reads";
const WRITING = "a-token-that-writes";
const MINUTE = 60_000;
const source = (...targets: string[]) =>
  `const nodecloud = require("pulumi-nodecloud");
const zone = new nodecloud.Domain("zone", { domain: "example.org", type: "master", soaEmail: "dns@example.org" });
${targets.map((target, index) => `new nodecloud.DomainRecord("r${index}", { domainId: zone.id, type: "A", name: "r${index}", target: "${target}" });`).join("\n")}`;

let emulator: TestEmulator;
let stack: TestStack;
let repository: Repository;

beforeEach(async () => {
  const scopes = "*" as const;
  const tokens = [READING, WRITING].map((token) => ({ token, scopes }));
  emulator = await startTestEmulator({ speed: 60_000, accounts: { users: [{ username: "ada", tokens }] } });
  repository = await programRepository({
    "index.js": source("192.0.2.1"),
    ".gitlab-ci.yml": readFileSync(join(ROOT, "examples/ci/gitlab/.gitlab-ci.yml"), "utf8"),
  });
  stack = await testStack(emulator);
  await stack.init("prod");
});

afterEach(async () => {
  stack.remove();
  repository.remove();
  await emulator.stop();
});

interface Deployment {
  readonly passed: boolean;
  readonly output: string;
}

function settings() {
  const { NODECLOUD_BASE_URL = "", ...env } = stack.env;
  return { NODECLOUD_TOKEN: WRITING, NODECLOUD_BASE_URL, env };
}

async function onGitHub(): Promise<Deployment> {
  const host = await startGitHub(repository.folder);
  try {
    const { NODECLOUD_BASE_URL, env } = settings();
    const run = {
      ...{ repository, host, env, ref: "main" },
      secrets: { NODECLOUD_TOKEN: READING },
      environments: { production: { NODECLOUD_TOKEN: WRITING } },
      vars: { NODECLOUD_BASE_URL },
    };
    const { jobs, output, summary } = await runWorkflow("deploy.yml", run);
    return { passed: jobs["deploy"] === "success", output: output + summary };
  } finally {
    await host.stop();
  }
}

async function onGitLab(): Promise<Deployment> {
  const host = await startGitLab();
  try {
    const { env, ...variables } = settings();
    const pushed = { CI_PIPELINE_SOURCE: "push", CI_COMMIT_BRANCH: "main", ...variables };
    const pipeline = {
      repository,
      host,
      env,
      branch: "main",
      variables: pushed,
      manual: "nodecloud-deploy: [prod,production]",
    };
    const { code, output } = await runPipeline(pipeline);
    return { passed: code === 0, output };
  } finally {
    await host.stop();
  }
}

const targets = async () =>
  (await emulator.control<{ data: { type: string; target: string }[] }>("GET", "/objects/records")).body.data
    .filter(({ type }) => type === "A")
    .map(({ target }) => target);

const locks = () => join(stack.folder.path, ".state/.pulumi/locks/organization/program/prod");

/** Leaves the lock of a runner that is gone. */
function lock(minutes: number): void {
  mkdirSync(locks(), { recursive: true });
  const timestamp = new Date(Date.now() - minutes * MINUTE).toISOString();
  const content = { pid: 4711, username: "runner", hostname: "runner-1", timestamp };
  writeFileSync(join(locks(), "0b1c.json"), JSON.stringify(content));
}

// Registered only if the programs of the runners are installed.
const hosts = [
  ["GitHub", [], onGitHub],
  ["GitLab", ["jq", "curl", "rsync"], onGitLab],
] as const;
for (const [name, , deploy] of hosts.filter(([, needed]) => !needed.map(findTool).includes(undefined))) {
  test(`on ${name}, a merge is deployed by its plan, continues after a killed job, and loses no data`, async () => {
    const passes = async () => {
      const { passed, output } = await deploy();
      if (!passed) throw new Error(output);
      return output;
    };
    const fails = async () => {
      const { passed, output } = await deploy();
      expect(passed).toBe(false);
      return output;
    };
    const first = await passes();
    expect(first).toContain("2 to create");
    expect(first).toContain("prod has no lock and no pending operation: nothing to recover");
    expect(await targets()).toEqual(["192.0.2.1"]);

    repository.commit({ "index.js": source("192.0.2.1", "192.0.2.2") });
    lock(10);
    expect(await fails()).toContain("its run is on another host, and may go on there");
    expect(await targets()).toEqual(["192.0.2.1"]);
    lock(70);
    const recovered = await passes();
    expect(recovered).toContain("it is older than 65 min");
    expect(await targets()).toEqual(["192.0.2.1", "192.0.2.2"]);
    expect(readdirSync(locks()).filter((file) => file.endsWith(".json"))).toEqual([]);

    repository.commit({ "index.js": "" });
    expect(await fails()).toContain("denies data-loss: all records of the domain are deleted");
    expect((await emulator.control<{ data: unknown[] }>("GET", "/objects/domains")).body.data).toHaveLength(
      1,
    );
  });
}
