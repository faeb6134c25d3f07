import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parse } from "yaml";
import { FLEET, textOf, WEB_TIER, workflowOf, WORKFLOWS } from "../helpers/ci/workflow";
import { ROOT } from "../helpers/programs";

const ALL = [...WORKFLOWS, FLEET, ...WEB_TIER];

describe.each(ALL)("examples/ci/github/%s", (name) => {
  const workflow = workflowOf(name);
  const jobs = Object.values(workflow.jobs);
  const steps = jobs.flatMap((job) => job.steps);

  it("follows the host's own schema", async () => {
    const { NoOperationTraceWriter, parseWorkflow } = await import("@actions/workflow-parser");
    const { context } = parseWorkflow({ name, content: textOf(name) }, new NoOperationTraceWriter());
    expect(context.errors.getErrors()).toEqual([]);
  });

  it("gives each job only the permissions that it names, and the workflow none", () => {
    expect(workflow.permissions).toEqual({});
    for (const { permissions = {} } of jobs) expect(Object.keys(permissions)).not.toEqual([]);
  });

  it("pins actions to a commit with its version, and keeps no credentials in the checkout", () => {
    expect(steps.flatMap((step) => step.uses ?? [])).not.toEqual([]);
    const uses = [...textOf(name).matchAll(/uses: (.*)/g)].map(([, used]) => used);
    expect(uses.filter((used) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(used ?? ""))).toEqual(
      [],
    );
    for (const step of steps.filter((one) => one.uses?.startsWith("actions/checkout@"))) {
      expect(step.with).toMatchObject({ "persist-credentials": false });
    }
  });

  it("has no expression in a script, because a value could become code", () => {
    expect(steps.filter(({ run = "" }) => run.includes("${{"))).toEqual([]);
  });

  it("gives secrets only to the steps that need them, and the host's token to no step that runs installed code", () => {
    expect(JSON.stringify([workflow.env, jobs.map(({ steps: _steps, ...job }) => job)])).not.toMatch(
      /secrets[.[]|github\.token/,
    );
    for (const { run = "", env = {} } of steps) {
      const values = Object.values(env).join(" ");
      if (/\bsecrets[.[]/.test(values))
        expect(run).toMatch(
          /\b(aws s3 sync|pulumi (preview|up)|nodecloud (check|report|drift|import|recover))\b/,
        );
      if (/\bgithub\.token\b/.test(values)) expect(run).not.toMatch(/^\s*(npm|npx|pulumi|node)\b/m);
    }
  });

  it("runs only commands of installed packages, and never one of the same name from the registry", () => {
    for (const { run = "" } of steps) expect(run.replaceAll("npx --no -- ", "")).not.toMatch(/\bnpx\b/);
  });

  it("stops when a command in a pipe fails", () => {
    for (const job of jobs) {
      for (const { run, shell = job.defaults?.run.shell } of job.steps) {
        if (run !== undefined) expect(shell).toBe("bash");
      }
    }
  });
});

test("only the job that writes the comment of a preview can write, and it runs no code of the pull request", () => {
  const { preview, comment } = workflowOf("preview.yml").jobs;
  expect(Object.values(preview?.permissions ?? {})).toEqual(["read", "read"]);
  expect(comment?.permissions).toEqual({ "pull-requests": "write" });
  expect(comment?.steps.filter(({ uses }) => uses !== undefined)).toEqual([]);
});

test("the job that deploys waits for its environment, is the only one of its stack and is not cancelled, and refuses what the guard denies", () => {
  const { jobs, env } = workflowOf("deploy.yml");
  expect(jobs["deploy"]).toMatchObject({
    needs: "plan",
    environment: "${{ matrix.environment }}",
    concurrency: { group: "nodecloud-deploy-${{ matrix.stack }}", "cancel-in-progress": false },
  });
  expect(jobs["plan"]?.environment).toBeUndefined();
  expect(jobs["plan"]?.strategy).toEqual(jobs["deploy"]?.strategy);
  expect(env).toMatchObject({ NODECLOUD_DENY: "data-loss,shared" });
});

test("a lock counts as one of a killed job only after the longest time that a job may take", () => {
  const { jobs, env } = workflowOf("deploy.yml");
  const minutes = Number(/^(\d+)m$/.exec(env?.["LOCK_LIMIT"] ?? "")?.[1]);
  expect(minutes).toBeGreaterThan(jobs["deploy"]?.["timeout-minutes"] ?? Infinity);
});

test("every pinned action has one commit in all workflows", () => {
  const uses = ALL.flatMap((name) => [...textOf(name).matchAll(/uses: (.*)@(.*)/g)]);
  const pins = Map.groupBy(uses, ([, action]) => action);
  for (const [, pinned] of pins) expect(new Set(pinned.map(([, , pin]) => pin)).size).toBe(1);
});

/** The commands that look, and those that change stacks. */
const LOOKS = /\b(pulumi preview|nodecloud (drift|import|check|report))\b/;
const CHANGES = /pulumi up --|nodecloud recover/;

test("the jobs of GitHub that only look send only reads", () => {
  const jobs = ALL.map((name) => ({ name, workflow: workflowOf(name) })).flatMap(({ name, workflow }) =>
    Object.entries(workflow.jobs).flatMap(([job, { env, steps }]) =>
      steps.some(({ run = "" }) => CHANGES.test(run))
        ? []
        : steps
            .filter(
              (step) =>
                LOOKS.test(step.run ?? "") && JSON.stringify(step.env ?? {}).includes("NODECLOUD_TOKEN"),
            )
            .map((step) => ({
              step: `${name} ${job} ${step.name}`,
              isReading: { ...workflow.env, ...env, ...step.env }["NODECLOUD_READ_ONLY"],
            })),
    ),
  );
  expect(jobs.length).toBeGreaterThan(4);
  expect(jobs.filter(({ isReading }) => isReading !== "true")).toEqual([]);
});

test.each([
  ["ci", ["nodecloud-preview", "nodecloud-plan", "nodecloud-drift", "nodecloud-adopt"]],
  ["fleet", ["nodecloud-fleet-compare", "nodecloud-fleet-report"]],
])("the jobs of GitLab in examples/%s that only look send only reads", (folder, looking) => {
  interface Job {
    readonly extends?: string;
    readonly script?: string[];
    readonly variables?: Readonly<Record<string, string>>;
  }
  const file = readFileSync(join(ROOT, "examples", folder, "gitlab/.gitlab-ci.yml"), "utf8");
  const all = parse(file) as Readonly<Record<string, Job>>;
  const jobs = Object.entries(all).filter(([name, { script = [] }]) => {
    const text = script.join("\n");
    return !name.startsWith(".") && LOOKS.test(text) && !CHANGES.test(text);
  });
  expect(jobs.map(([name]) => name)).toEqual(looking);
  for (const [name, { extends: from = "", variables }] of jobs)
    expect([name, { ...all[from]?.variables, ...variables }]).toEqual([
      name,
      expect.objectContaining({ NODECLOUD_READ_ONLY: "true" }),
    ]);
});

test("Dependabot updates the actions in every folder of workflows", () => {
  const { updates } = parse(readFileSync(join(ROOT, ".github/dependabot.yml"), "utf8")) as {
    updates: { "package-ecosystem": string; directories?: string[] }[];
  };
  const [actions] = updates.filter((one) => one["package-ecosystem"] === "github-actions");
  const folders = ALL.map((name) => `/${join("examples/ci/github", dirname(name))}`);
  expect(actions?.directories).toEqual(["/", ...new Set(folders)]);
});
