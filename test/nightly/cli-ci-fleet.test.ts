import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type GitHub, startGitHub } from "../helpers/ci/github";
import { type GitLab, startGitLab } from "../helpers/ci/gitlab";
import { programRepository, type Repository } from "../helpers/ci/repository";
import { type PipelineOutcome, runPipeline } from "../helpers/ci/run-pipeline";
import { runForStack } from "../helpers/ci/run-workflow";
import { FLEET } from "../helpers/ci/workflow";
import { findTool } from "../helpers/debian-tools";
import { startTestEmulator, type TestEmulator } from "../helpers/emulator";
import { ROOT } from "../helpers/programs";
import { testStack, type TestStack } from "../helpers/stack";

const STACKS = ["one", "two", "three", "four", "five", "six"];
const PROGRAM = `const name = pulumi.getStack();
if (name !== "test") {
  const zone = new nodecloud.Domain("zone", { domain: name + ".example", type: "master", soaEmail: "dns@example.org" });
  new nodecloud.DomainRecord("www", { domainId: zone.id, type: "A", name: "www", target: "192.0.2.10" });
}`;

let emulator: TestEmulator;
let stack: TestStack;
let repository: Repository;
let next: string;

beforeAll(async () => {
  emulator = await startTestEmulator({ speed: 60_000 });
  stack = await testStack(emulator, PROGRAM);
  for (const name of STACKS) {
    await stack.init(name);
    expect(await stack.up("--stack", name)).toMatchObject({ code: 0 });
  }
  repository = await programRepository({
    "index.js": "",
    ".gitlab-ci.yml": readFileSync(join(ROOT, "examples/fleet/gitlab/.gitlab-ci.yml"), "utf8"),
  });
  // There is no `aws` here: this one copies from the folder of the stacks. After the first copy, a file in `next` takes the place of a state, as if a run had ended.
  const states = join(stack.folder.path, ".state/.pulumi");
  next = join(repository.folder, "next");
  mkdirSync(next);
  const copy = `#!/bin/sh
[ "$1 $2 $3 $4" = "s3 sync --only-show-errors --delete" ] || exit 1
from="${states}/\${5#s3://states/.pulumi/}"
rm -rf "$6" && mkdir -p "$6"
[ ! -d "$from" ] || cp -r "$from/." "$6"
case "$6" in */stacks) mkdir -p "$6.copied"; [ ! -f "$6.copied/once" ] || cp -r ${next}/. "$6"; touch "$6.copied/once" ;; esac
`;
  writeFileSync(join(repository.folder, "bin/aws"), copy, { mode: 0o755 });
});

afterAll(async () => {
  stack?.remove();
  repository?.remove();
  await emulator?.stop();
});

type List = { data: { id: number; domain: string; type: string }[] };

const idOf = async (name: string) =>
  (await emulator.call<List>("GET", "/domains")).body.data.find(({ domain }) => domain === `${name}.example`)
    ?.id;

async function changeRecord(name: string, target: string): Promise<void> {
  const domain = await idOf(name);
  const records = (await emulator.call<List>("GET", `/domains/${domain}/records`)).body.data;
  const path = `/domains/${domain}/records/${records.find(({ type }) => type === "A")?.id}`;
  expect((await emulator.call("PUT", path, { body: { target } })).status).toBe(200);
}

/** Lets a deployment end after the first copy of the states. Returns what leaves no trace of it. */
function deployedMeanwhile(): () => void {
  const three = join(stack.folder.path, ".state/.pulumi/stacks/program/three.json");
  const now = readFileSync(three, "utf8");
  mkdirSync(join(next, "program"));
  writeFileSync(join(next, "program/three.json"), now);
  writeFileSync(three, now.replaceAll("192.0.2.10", "192.0.2.7"));
  return () => {
    rmSync(join(next, "program"), { recursive: true });
    writeFileSync(three, now);
  };
}

async function makeDrift(): Promise<void> {
  for (const name of ["two", "five"]) await changeRecord(name, "198.51.100.7");
  const body = { domain: "hand.example", type: "slave", master_ips: ["192.0.2.1"] };
  await emulator.call("POST", "/domains", { body });
}

/** Repairs the drift. */
async function repair(): Promise<void> {
  for (const name of ["two", "five"]) await changeRecord(name, "192.0.2.10");
  await emulator.call("DELETE", `/domains/${await idOf("hand")}`);
}

/** Expects the report of the drift. */
function expectReport(text: string | null | undefined): void {
  expect(text).toMatch(/2 changed/);
  for (const name of ["two", "five", "hand.example"]) expect(text).toContain(`<code>${name}</code>`);
  expect(text).not.toContain("<code>six</code>");
}

const refused = { method: "GET", path: "/v4/domains", effect: { status: 401 } };

// Registered only if the programs of the host's runners are installed.
if (!["gh", "jq"].map(findTool).includes(undefined))
  describe("on GitHub", () => {
    let host: GitHub;
    beforeEach(async () => {
      host = await startGitHub(repository.folder);
    });
    afterEach(() => host.stop());

    function drift() {
      rmSync(join(repository.folder, "artifacts"), { recursive: true, force: true });
      return runForStack(stack, FLEET, { repository, host, vars: { STATES_BUCKET: "states" } });
    }
    const passed = { jobs: { compare: "success", report: "success" } };

    test("four parts of a fleet become one issue, which a missing part leaves alone, and which closes without drift", async () => {
      expect(await drift()).toMatchObject(passed);
      const forget = deployedMeanwhile();
      expect(await drift()).toMatchObject(passed);
      expect(host.writes()).toEqual([]);
      forget();

      await makeDrift();
      const found = await drift();
      expect(found).toMatchObject(passed);
      expect(found.steps.filter((step) => step === "Compare")).toHaveLength(4);
      const [issue] = host.issues;
      expect(issue).toMatchObject({ title: "Drift of production", state: "open" });
      expectReport(issue?.body);

      await repair();
      await emulator.control("POST", "/faults", refused);
      const lacking = await drift();
      // A part leaves the judgement to the job that merges.
      expect(lacking.jobs).toEqual({ compare: "success", report: "failure" });
      expect(lacking.summary).toContain("Not looked at");
      expect(host.writes()).toEqual(["POST /issues"]);

      emulator.reset("faults");
      expect(await drift()).toMatchObject(passed);
      expect(issue?.state).toBe("closed");
    });
  });

if (!["jq", "curl", "rsync"].map(findTool).includes(undefined))
  describe("on GitLab", () => {
    let host: GitLab;
    beforeEach(async () => {
      host = await startGitLab();
    });
    afterEach(() => host.stop());

    function drift(more: Readonly<Record<string, string>> = {}) {
      const { NODECLOUD_TOKEN = "", NODECLOUD_BASE_URL = "", ...env } = stack.env;
      const settings = { NODECLOUD_TOKEN, NODECLOUD_BASE_URL, STATES_BUCKET: "states" };
      const variables = { ...settings, CI_PIPELINE_SOURCE: "schedule", NODECLOUD: "fleet", ...more };
      return runPipeline({ repository, host, env, branch: "main", variables, isolated: true });
    }
    const expectPassed = ({ code, jobs, output }: PipelineOutcome) => {
      if (code !== 0) throw new Error(output);
      const compared = Array.from({ length: 4 }, () => "nodecloud-fleet-compare");
      expect(jobs).toEqual([...compared, "nodecloud-fleet-report"]);
    };

    test("four parts of a fleet become one issue, which a missing part leaves alone, and which closes without drift", async () => {
      expectPassed(await drift());
      const forget = deployedMeanwhile();
      expectPassed(await drift());
      expect(host.writes()).toEqual([]);
      forget();

      await makeDrift();
      expectPassed(await drift());
      const [issue] = host.issues;
      expect(issue).toMatchObject({ title: "Drift of production", state: "opened" });
      expectReport(issue?.description);
      expectPassed(await drift());

      await repair();
      await emulator.control("POST", "/faults", refused);
      const lacking = await drift();
      expect(lacking.code).not.toBe(0);
      expect(lacking.output).toContain("Not looked at");
      emulator.reset("faults");
      expect(host.writes()).toEqual(["POST issues", `PUT issues/${issue?.iid}`]);

      expectPassed(await drift());
      expect(issue?.state).toBe("closed");
    });

    test("no other schedule compares the fleet", async () => {
      expect((await drift({ NODECLOUD: "drift" })).jobs).toEqual([]);
    });
  });
