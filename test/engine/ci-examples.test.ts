import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { startTestEmulator, type TestEmulator } from "../helpers/emulator";
import { ROOT } from "../helpers/programs";
import { type PullRequest, pullRequestIn } from "../helpers/pull-request";
import { testStack, type TestStack } from "../helpers/stack";

interface Step {
  readonly id?: string;
  readonly name?: string;
  readonly uses?: string;
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
  /** The exit code of the first failed step, or 0. */
  readonly code: number;
  readonly output: string;
  /** The text that the job wrote for its summary page. */
  readonly summary: string;
}

const workflow = (file: string): Workflow => parse(readFileSync(join(ROOT, "examples/ci", file), "utf8"));
/** The values of expressions that the event and the runner set, and the outcomes of steps. */
const CONTEXT: Readonly<Record<string, string>> = {
  "github.token": "planted-token",
  "github.event.pull_request.number": "7",
  "github.event.pull_request.head.sha": "0123abcd",
};

let emulator: TestEmulator;
let stack: TestStack;
let pull: PullRequest;

async function start(source: string): Promise<void> {
  emulator = await startTestEmulator({ speed: 60_000 });
  stack = await testStack(emulator, source);
  pull = pullRequestIn(stack.folder.path);
}

async function stop(): Promise<void> {
  await emulator.stop();
  stack.remove();
}

function bash(script: string, env: NodeJS.ProcessEnv): Promise<{ code: number; output: string }> {
  return new Promise((resolve, reject) => {
    // A runner starts a step with the shell "bash" in this way.
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

/** The values of `env` with resolved expressions. The test sets the secrets and variables. */
function resolved(env: Readonly<Record<string, string>> = {}, outcomes: ReadonlyMap<string, string>) {
  const entries = Object.entries(env).flatMap(([name, value]): [string, string][] => {
    const [, expression] = /^\$\{\{ (.*) \}\}$/.exec(value) ?? [];
    if (expression === undefined) return [[name, value]];
    if (/^(secrets|vars)\./.test(expression)) return [];
    const [, step] = /^steps\.(\w+)\.outcome$/.exec(expression) ?? [];
    const found = step === undefined ? CONTEXT[expression] : outcomes.get(step);
    if (found === undefined) throw new Error(`nothing is known of ${expression}`);
    return [[name, found]];
  });
  return Object.fromEntries(entries);
}

/** Runs the steps of a workflow's job like a runner, except the installing ones. */
async function runJob(file: string, changes: NodeJS.ProcessEnv = {}): Promise<JobOutcome> {
  const { env, jobs } = workflow(file);
  const outcomes = new Map<string, string>();
  pull.nextRun();
  let code = 0;
  let output = "";
  for (const step of Object.values(jobs).flatMap(({ steps }) => steps)) {
    if (step.run === undefined || step.run === "npm ci") continue;
    if (code !== 0 && step.if !== "${{ !cancelled() }}") continue;
    const ended = await bash(step.run, {
      ...stack.env,
      ...pull.env,
      ...resolved(env, outcomes),
      ...resolved(step.env, outcomes),
      PULUMI_STACK: "test",
      ...changes,
    });
    if (step.id !== undefined) outcomes.set(step.id, ended.code === 0 ? "success" : "failure");
    code ||= ended.code;
    output += ended.output;
  }
  return { code, output, summary: pull.summary() };
}

async function deploy(): Promise<void> {
  expect(await stack.up()).toMatchObject({ code: 0 });
}

/** Changes the A record outside Pulumi. */
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
  it("uses the secrets context for every secret, and a shell that stops when a piped command fails", () => {
    const { env, defaults } = workflow(file);
    expect(env["NODECLOUD_TOKEN"]).toBe("${{ secrets.NODECLOUD_TOKEN }}");
    expect(env["PULUMI_ACCESS_TOKEN"]).toBe("${{ secrets.PULUMI_ACCESS_TOKEN }}");
    expect(defaults.run.shell).toBe("bash");
  });

  it("has no expression in a script, because a value could become code", () => {
    const scripts = Object.values(workflow(file).jobs).flatMap(({ steps }) =>
      steps.map(({ run = "" }) => run),
    );
    expect(scripts.join("\n")).not.toContain("${{");
  });
});

describe("preview.yml", () => {
  const node = (region: string) => `
    pulumi.log.warn("something else");
    new nodecloud.Node("web", { region: "${region}", type: "g6-nanode-1", image: "node/debian12", rootPass: "correct horse" });`;

  beforeEach(() => start(node("us-east")));
  afterEach(stop);

  it("creates no resource and one comment, which the next push updates: counts first, then losses of data", async () => {
    const { code, output, summary } = await runJob("preview.yml");
    expect({ code, output }).toMatchObject({ code: 0 });
    expect((await emulator.call("GET", "/node/instances")).body["results"]).toBe(0);
    const [comment] = pull.written();
    expect(comment?.body).toMatch(
      /### pulumi preview of `test`: 2 to create\n\n```\nwarning: something else\n```\n\n<details>[^]*\+ pulumi-nodejs:dynamic\/nodecloud:Node: \(create\)[^]*<\/details>\n\n\[Log of the run\]\(https:\/\/example.org\/ada\/shop\/actions\/runs\/42\) of 0123abcd$/,
    );
    expect(summary).toBe(`${comment?.body}\n`);

    await deploy();
    stack.program(node("us-west"));
    expect(await runJob("preview.yml")).toMatchObject({ code: 0 });
    expect(pull.written()).toEqual([expect.objectContaining({ id: comment?.id })]);
    expect(pull.written()[0]?.body).toMatch(
      /to replace[^]*```\nwarning: Node web: replacing it[^\n]*lost\nwarning: something else\n```\n\n<details>/,
    );
  });

  it("fails if the preview fails, and shows the reason first", async () => {
    const { code, summary } = await runJob("preview.yml", { NODECLOUD_TOKEN: "" });
    expect(code).not.toBe(0);
    for (const text of [summary, pull.written()[0]?.body])
      expect(text).toMatch(
        /^### pulumi preview of `test`: failed[^]*```\nerror: nodecloud:token is not set[^]*<details>/m,
      );
  });
});

describe("drift.yml", () => {
  beforeAll(async () => {
    await start(`
      const zone = new nodecloud.Domain("zone", { domain: "example.org", type: "master", soaEmail: "dns@example.org" });
      new nodecloud.DomainRecord("www", { domainId: zone.id, type: "A", name: "www", target: "192.0.2.10" });`);
    await deploy();
  });
  afterAll(stop);

  it("passes until something changes outside Pulumi, shows the difference, and writes no comment", async () => {
    expect(await runJob("drift.yml")).toMatchObject({ code: 0 });
    await changeRecord();
    const { code, summary } = await runJob("drift.yml");
    expect(code).not.toBe(0);
    expect(summary).toMatch(/~ target +: "192\.0\.2\.10" => "198\.51\.100\.7"/);
    expect(summary).toMatch(/^### pulumi refresh of `test`: failed; 1 to update/m);
    expect(pull.requests()).toEqual([]);
  });

  it("fails when it cannot look", async () => {
    const { code, summary } = await runJob("drift.yml", { NODECLOUD_TOKEN: "wrong" });
    expect(code).not.toBe(0);
    expect(summary).toMatch(/401/);
  });
});
