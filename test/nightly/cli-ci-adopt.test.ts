import { readFileSync } from "node:fs";
import { join } from "node:path";
import { REPOSITORY, startGitHub } from "../helpers/ci/github";
import { PROJECT, startGitLab } from "../helpers/ci/gitlab";
import { programRepository, type Repository } from "../helpers/ci/repository";
import { runPipeline } from "../helpers/ci/run-pipeline";
import { runWorkflow } from "../helpers/ci/run-workflow";
import { findTool } from "../helpers/debian-tools";
import { startTestEmulator, type TestEmulator } from "../helpers/emulator";
import { ROOT } from "../helpers/programs";
import { testStack, type TestStack } from "../helpers/stack";

const BRANCH = "nodecloud/adopt";
const PROGRAM = `new nodecloud.Domain("zone", { domain: "example.org", type: "master", soaEmail: "dns@example.org" });`;

let emulator: TestEmulator;
let stack: TestStack;
let repository: Repository;

beforeEach(async () => {
  emulator = await startTestEmulator({ speed: 60_000 });
  repository = await programRepository({
    "index.ts": `import * as nodecloud from "pulumi-nodecloud";\n\n${PROGRAM}\n`,
    ".gitlab-ci.yml": readFileSync(join(ROOT, "examples/ci/gitlab/.gitlab-ci.yml"), "utf8").replaceAll(
      "ACCOUNT_STACKS: prod",
      "ACCOUNT_STACKS: prod dev",
    ),
  });
  stack = await testStack(emulator, PROGRAM);
  await stack.init("prod");
  expect(await stack.up("--stack", "prod")).toMatchObject({ code: 0 });
  await stack.init("dev");
  stack.program(PROGRAM.replace("example.org", "dev.example"));
  expect(await stack.up("--stack", "dev")).toMatchObject({ code: 0 });
  emulator.reset("requests");
});

afterEach(async () => {
  stack.remove();
  repository.remove();
  await emulator.stop();
});

interface Proposal {
  readonly title: string;
  readonly body: string;
}

/** A host whose workflow has run. */
interface Host {
  /** Runs the workflow, and says whether it passed. */
  run(): Promise<{ readonly passed: boolean; readonly output: string }>;
  /** The proposals of the workflow's branch. */
  proposals(): readonly Proposal[];
  writes(): string[];
  stop(): Promise<void>;
}

function settings() {
  const { NODECLOUD_TOKEN = "", NODECLOUD_BASE_URL = "", ...env } = stack.env;
  return { NODECLOUD_TOKEN, NODECLOUD_BASE_URL, env };
}

async function onGitHub(): Promise<Host> {
  const host = await startGitHub(repository.folder);
  // A fork can have a branch of the same name.
  const head = { ref: BRANCH, label: `eve:${BRANCH}` };
  const fork = { number: 3, user: { login: "eve" }, head, base: { ref: "main" }, state: "open" };
  host.pulls.push({ ...fork, title: "x", body: "x" });
  return {
    run: async () => {
      const { NODECLOUD_TOKEN, NODECLOUD_BASE_URL, env } = settings();
      const more = { secrets: { NODECLOUD_TOKEN }, vars: { NODECLOUD_BASE_URL } };
      const { jobs, output } = await runWorkflow("adopt.yml", {
        repository,
        host,
        env,
        ref: "main",
        edited: { STACKS: "prod dev" },
        ...more,
      });
      return { passed: jobs["adopt"] === "success", output };
    },
    proposals: () => host.pulls.filter(({ number }) => number !== fork.number),
    writes: () => host.writes().map((write) => write.replace(`/repos/${REPOSITORY}/`, "")),
    stop: () => host.stop(),
  };
}

async function onGitLab(): Promise<Host> {
  const host = await startGitLab();
  const fork = { iid: 3, source_branch: BRANCH, source_project_id: PROJECT + 1, target_branch: "main" };
  host.mergeRequests.push({ ...fork, title: "x", description: "x", state: "opened" });
  return {
    run: async () => {
      const { env, ...variables } = settings();
      const schedule = { CI_PIPELINE_SOURCE: "schedule", NODECLOUD: "adopt", ...variables };
      const { code, output } = await runPipeline({
        repository,
        host,
        env,
        branch: "main",
        variables: schedule,
      });
      return { passed: code === 0, output };
    },
    proposals: () =>
      host.mergeRequests
        .filter(({ iid }) => iid !== fork.iid)
        .map(({ title, description }) => ({ title, body: description })),
    writes: () => host.writes(),
    stop: () => host.stop(),
  };
}

async function expectPassed({ run }: Host): Promise<void> {
  const { passed, output } = await run();
  if (!passed) throw new Error(output);
}

const create = async (domain: string) => {
  const body = { domain, type: "master", soa_email: "dns@example.org" };
  expect((await emulator.call("POST", "/domains", { body })).status).toBe(200);
};

test("the workflow that adopts has a file on each host", () => {
  for (const file of ["github/adopt.yml", "gitlab/.gitlab-ci.yml"]) {
    expect(readFileSync(join(ROOT, "examples/ci", file), "utf8")).toContain("nodecloud import .");
  }
});

// Registered only if the programs of the runners are installed.
const hosts = [
  ["GitHub", ["gh", "jq"], onGitHub],
  ["GitLab", ["jq", "curl", "rsync"], onGitLab],
] as const;
for (const [name, , start] of hosts.filter(([, needed]) => !needed.map(findTool).includes(undefined))) {
  test(`on ${name}, what no stack manages becomes one proposal, which the next run updates, and nobody's commits are lost`, async () => {
    const host = await start();
    try {
      await expectPassed(host);
      expect(host.writes()).toEqual([]);

      await create("first.example");
      await expectPassed(host);
      expect(host.proposals()).toMatchObject([
        {
          title: "Adopt what no stack manages",
          body: expect.stringMatching(/\n {4}Wrote a program for 1 object/),
        },
      ]);
      const changed = () => repository.git("diff", "--name-only", "main", BRANCH);
      expect(changed()).toMatch(/^imported\/[^]*index\.ts$/m);
      expect(changed()).not.toMatch(/node_modules|nodecloud-ci|gitlab-ci-local/);

      const before = repository.git("rev-parse", BRANCH);
      await expectPassed(host);
      expect(repository.git("rev-parse", BRANCH)).toBe(before);

      await create("second.example");
      await expectPassed(host);
      expect(host.proposals()).toMatchObject([{ body: expect.stringContaining("for 2 objects") }]);
      expect(repository.git("diff", "main", BRANCH)).toContain("second.example");
      expect(repository.git("rev-list", "--count", `main..${BRANCH}`)).toBe("1");

      repository.commit({ "imported/note.txt": "mine" }, BRANCH);
      const theirs = repository.git("rev-parse", BRANCH);
      await create("third.example");
      const writes = host.writes();
      expect(await host.run()).toMatchObject({
        passed: false,
        output: expect.stringContaining("Somebody has committed"),
      });
      expect(repository.git("rev-parse", BRANCH)).toBe(theirs);
      expect(host.writes()).toEqual(writes);
      expect((await emulator.writes()).filter((write) => !write.startsWith("POST /v4/domains"))).toEqual([]);
    } finally {
      await host.stop();
    }
  });
}
