import { spawn } from "node:child_process";
import { chmodSync, existsSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { parse } from "yaml";
import { startTestEmulator, type TestEmulator } from "../helpers/emulator";
import { ROOT } from "../helpers/programs";
import { testStack, type TestStack } from "../helpers/stack";

interface Step {
  readonly name?: string;
  readonly run?: string;
  readonly if?: string;
  readonly env?: Readonly<Record<string, string>>;
}

interface Workflow {
  readonly env: Readonly<Record<string, string>>;
  readonly defaults: { readonly run: { readonly shell: string } };
  readonly jobs: Readonly<Record<string, { readonly steps: readonly Step[] }>>;
}

interface JobOutcome {
  /** Exit code of the first step that failed, 0 where none did. */
  readonly code: number;
  readonly output: string;
  /** What the job wrote for its summary page. */
  readonly summary: string;
}

const workflow = (file: string): Workflow => parse(readFileSync(join(ROOT, "examples/ci", file), "utf8"));
const program = `
const zone = new nodecloud.Domain("zone", { domain: "example.org", type: "master", soaEmail: "dns@example.org" });
new nodecloud.DomainRecord("www", { domainId: zone.id, type: "A", name: "www", target: "192.0.2.10" });
`;

let emulator: TestEmulator;
let stack: TestStack;

beforeEach(async () => {
  emulator = await startTestEmulator();
  stack = await testStack(emulator, program);
  // In place of GitHub's own command line.
  stack.folder.write("bin/gh", '#!/bin/sh\necho "gh $*"\n');
  chmodSync(join(stack.folder.path, "bin/gh"), 0o755);
});

afterEach(async () => {
  await emulator.stop();
  stack.remove();
});

/** What a job has from the runner, from secrets, variables and the event, and this test's stack. */
const environment = (): NodeJS.ProcessEnv => ({
  ...stack.env,
  PATH: [join(stack.folder.path, "bin"), stack.env["PATH"]].join(delimiter),
  GITHUB_STEP_SUMMARY: join(stack.folder.path, "summary.md"),
  GH_TOKEN: "none",
  PULL_REQUEST: "https://example.org/pull/1",
});

function bash(script: string, env: NodeJS.ProcessEnv): Promise<{ code: number; output: string }> {
  return new Promise((resolve, reject) => {
    // As a runner starts a step whose shell is "bash".
    const args = ["--noprofile", "--norc", "-eo", "pipefail", "-c", script];
    const child = spawn("bash", args, { cwd: stack.folder.path, env, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => (output += text));
    }
    child.on("error", reject);
    child.on("close", (code) => {
      resolve({ code: code ?? 1, output });
    });
  });
}

const isExpression = (value: string) => value.includes("${{");

/** Runs the steps of a workflow's job as a runner would, without those that install. */
async function runJob(file: string, changes: NodeJS.ProcessEnv = {}): Promise<JobOutcome> {
  const { env, jobs } = workflow(file);
  const literals = (from: Readonly<Record<string, string>> = {}) =>
    Object.fromEntries(Object.entries(from).filter(([, value]) => !isExpression(value)));
  let code = 0;
  let output = "";
  for (const step of Object.values(jobs).flatMap(({ steps }) => steps)) {
    if (step.run === undefined || step.run === "npm ci") continue;
    if (code !== 0 && step.if !== "${{ !cancelled() }}") continue;
    const ended = await bash(step.run, {
      ...environment(),
      ...literals(env),
      ...literals(step.env),
      PULUMI_STACK: "test",
      ...changes,
    });
    code ||= ended.code;
    output += ended.output;
  }
  const summary = join(stack.folder.path, "summary.md");
  return { code, output, summary: existsSync(summary) ? readFileSync(summary, "utf8") : "" };
}

async function deploy(): Promise<void> {
  expect(await stack.up()).toMatchObject({ code: 0 });
}

/** Changes the A record past Pulumi. */
async function changeRecord(): Promise<void> {
  type List = { data: { id: number; type: string }[] };
  const [domain] = (await emulator.call<List>("GET", "/domains")).body.data;
  const records = (await emulator.call<List>("GET", `/domains/${domain?.id}/records`)).body.data;
  const record = records.find(({ type }) => type === "A");
  const body = { target: "198.51.100.7" };
  expect((await emulator.call("PUT", `/domains/${domain?.id}/records/${record?.id}`, { body })).status).toBe(
    200,
  );
}

describe.each(["preview.yml", "drift.yml"])("%s", (file) => {
  it("names every secret as a secret, and runs its steps in a shell that stops when a piped command fails", () => {
    const { env, defaults } = workflow(file);
    expect(env["NODECLOUD_TOKEN"]).toBe("${{ secrets.NODECLOUD_TOKEN }}");
    expect(env["PULUMI_ACCESS_TOKEN"]).toBe("${{ secrets.PULUMI_ACCESS_TOKEN }}");
    expect(defaults.run.shell).toBe("bash");
  });
});

describe("preview.yml", () => {
  it("shows in the pull request what would be created, and creates nothing", async () => {
    const { code, output, summary } = await runJob("preview.yml");
    expect({ code, output }).toMatchObject({ code: 0 });
    expect(summary).toMatch(/\+ pulumi-nodejs:dynamic\/nodecloud:Domain: \(create\)/);
    expect(summary).toMatch(/\+ 3 to create/);
    expect(output).toMatch(/gh pr comment https:\/\/example\.org\/pull\/1 --body-file comment\.md/);
    expect((await emulator.call("GET", "/domains")).body["results"]).toBe(0);
  });

  it("fails and shows the reason when the program cannot be previewed", async () => {
    const { code, summary } = await runJob("preview.yml", { NODECLOUD_TOKEN: "" });
    expect(code).not.toBe(0);
    expect(summary).toContain("nodecloud:token is not set");
  });
});

describe("drift.yml", () => {
  it("passes while everything is as it was deployed", async () => {
    await deploy();
    const { code, output } = await runJob("drift.yml");
    expect({ code, output }).toMatchObject({ code: 0 });
  });

  it("fails when something was changed past Pulumi, and shows what", async () => {
    await deploy();
    await changeRecord();
    const { code, summary } = await runJob("drift.yml");
    expect(code).not.toBe(0);
    expect(summary).toMatch(/~ target +: "192\.0\.2\.10" => "198\.51\.100\.7"/);
    expect(summary).toMatch(/~ 1 to update/);
  });

  it("fails when it cannot look", async () => {
    await deploy();
    const { code, summary } = await runJob("drift.yml", { NODECLOUD_TOKEN: "wrong" });
    expect(code).not.toBe(0);
    expect(summary).toMatch(/401/);
  });
});
