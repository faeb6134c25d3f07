import { spawn, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { basename, join, matchesGlob, resolve } from "node:path";
import { type TestStack } from "../stack";
import { type GitHub, REPOSITORY } from "./github";
import { contentOf, type Repository } from "./repository";
import {
  combinationsOf,
  type Contexts,
  isDue,
  type Job,
  loadExpressions,
  resolved,
  resolvedAll,
  type Step,
  workflowOf,
} from "./workflow";

export interface Run {
  readonly repository: Repository;
  readonly host: GitHub;
  /** What the runner's own environment has, such as the engine's settings. */
  readonly env: NodeJS.ProcessEnv;
  /** The branch or reference that is checked out. */
  readonly ref: string;
  readonly secrets?: Readonly<Record<string, string>>;
  /** The secrets of an environment, which override those of the repository. */
  readonly environments?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly vars?: Readonly<Record<string, string>>;
  /** The context `github`, besides what every run has. */
  readonly github?: Readonly<Record<string, unknown>>;
  /** Values of the workflow's own `env` and of its matrix, as a user edits them. */
  readonly edited?: Readonly<Record<string, string>>;
}

export interface RunOutcome {
  /** `success`, `failure` or `skipped` of each job. */
  readonly jobs: Readonly<Record<string, string>>;
  readonly output: string;
  readonly summary: string;
  /** The names of the steps that ran. */
  readonly steps: readonly string[];
}

interface JobRun {
  readonly run: Run;
  readonly job: Job;
  readonly contexts: Contexts;
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Runs a workflow of the main branch with the account and the backend of a stack. */
export function runForStack(
  { env: environment }: Pick<TestStack, "env">,
  name: string,
  { vars = {}, ...run }: Pick<Run, "repository" | "host"> & Partial<Run>,
): Promise<RunOutcome> {
  const { NODECLOUD_TOKEN: token = "", NODECLOUD_BASE_URL: url = "", ...env } = environment;
  const account = { secrets: { NODECLOUD_TOKEN: token }, vars: { NODECLOUD_BASE_URL: url, ...vars } };
  return runWorkflow(name, { env, ref: "main", ...account, ...run });
}

/** Runs a workflow's jobs with all their steps as a runner does. Only the actions are replaced: everything that they install is there. */
export async function runWorkflow(name: string, run: Run): Promise<RunOutcome> {
  await loadExpressions();
  const workflow = workflowOf(name);
  const needs: Record<string, { result: string; outputs: Record<string, string> }> = {};
  const done: { output: string; summary: string; steps: string[] } = { output: "", summary: "", steps: [] };
  const github = {
    repository: REPOSITORY,
    workflow: name,
    token: run.host.token,
    actor: "ada",
    ref_name: run.ref,
    ...run.github,
  };
  for (const [id, job] of Object.entries(workflow.jobs)) {
    const base = { github, secrets: run.secrets ?? {}, vars: run.vars ?? {}, needs };
    const env = { ...resolvedAll(workflow.env, base), ...run.edited };
    const hasFailed = job.needs !== undefined && needs[job.needs]?.result !== "success";
    if (!isDue(job.if, base, hasFailed)) {
      needs[id] = { result: "skipped", outputs: {} };
      continue;
    }
    for (const entry of combinationsOf(job)) {
      const matrix = { ...entry, ...run.edited };
      const folder = mkdtempSync(join(run.repository.folder, "run-"));
      const secrets = {
        ...base.secrets,
        ...run.environments?.[resolved(job.environment ?? "", { ...base, matrix })],
      };
      const ended = await runJob({
        run,
        job,
        contexts: { ...base, secrets, matrix, env, runner: { temp: join(folder, "temp") } },
        folder,
        env: { ...env, ...resolvedAll(job.env, { ...base, secrets, matrix, env }) },
      });
      const hasFailedBefore = needs[id]?.result === "failure";
      needs[id] = { result: ended.failed || hasFailedBefore ? "failure" : "success", outputs: ended.outputs };
      done.output += ended.output;
      done.summary += ended.summary;
      done.steps.push(...ended.steps);
    }
  }
  return { ...done, jobs: Object.fromEntries(Object.entries(needs).map(([id, { result }]) => [id, result])) };
}

async function runJob({ run, job, contexts, folder, env }: JobRun) {
  const workspace = join(folder, "workspace");
  const summary = join(folder, "summary");
  const temp = join(folder, "temp");
  for (const made of [workspace, temp]) mkdirSync(made);
  const steps: Record<string, { outputs: Record<string, string> }> = {};
  const ran: string[] = [];
  let written: Record<string, string> = {};
  let failed = false;
  let output = "";
  for (const [index, step] of job.steps.entries()) {
    const now: Contexts = { ...contexts, steps, env: { ...env, ...written } };
    if (!isDue(step.if, now, failed)) continue;
    if (step.uses?.startsWith("actions/checkout@")) checkout(run, step, workspace);
    if (step.uses?.includes("-artifact@"))
      moveArtifact(run, resolvedAll(step.with as Texts, now), workspace, step.uses);
    if (step.run === undefined) continue;
    const files = {
      GITHUB_ENV: join(folder, `env-${index}`),
      GITHUB_OUTPUT: join(folder, `output-${index}`),
    };
    const script = join(folder, `step-${index}.sh`);
    writeFileSync(script, resolved(step.run, now));
    const ended = await bash(shellOf(job, step), script, join(workspace, placeOf(job)), {
      ...run.env,
      ...run.host.env,
      ...run.repository.npm,
      ...runnerVariables(run, temp),
      ...env,
      ...written,
      ...resolvedAll(step.env, now),
      ...files,
      GITHUB_STEP_SUMMARY: summary,
    });
    written = { ...written, ...pairsIn(contentOf(files.GITHUB_ENV)) };
    if (step.id !== undefined) steps[step.id] = { outputs: pairsIn(contentOf(files.GITHUB_OUTPUT)) };
    ran.push(step.name ?? step.run);
    output += ended.output;
    failed ||= ended.code !== 0;
  }
  const outputs = resolvedAll(job.outputs, { ...contexts, steps });
  return { failed, output, outputs, summary: contentOf(summary), steps: ran };
}

const placeOf = ({ defaults }: Job): string => defaults?.run["working-directory"] ?? ".";

/** How a runner starts the script of a step. Only an explicit `bash` stops when a command in a pipe fails. */
const shellOf = ({ defaults }: Job, { shell = defaults?.run.shell }: Step): string[] =>
  shell === "bash" ? ["--noprofile", "--norc", "-eo", "pipefail"] : ["-e"];

const runnerVariables = ({ ref }: Run, temp: string): NodeJS.ProcessEnv => ({
  CI: "true",
  RUNNER_TEMP: temp,
  GITHUB_ACTIONS: "true",
  GITHUB_SERVER_URL: "https://github.com",
  GITHUB_REPOSITORY: REPOSITORY,
  GITHUB_REPOSITORY_OWNER: REPOSITORY.split("/")[0],
  GITHUB_REF_NAME: ref,
  GITHUB_RUN_ID: "42",
});

type Texts = Readonly<Record<string, string>>;

/** Uploads a file or a folder for later jobs of the run, or downloads one artefact, or all that match a pattern. */
function moveArtifact({ repository }: Run, options: Texts, workspace: string, action: string): void {
  const { name = "", path = ".", pattern } = options;
  const all = join(repository.folder, "artifacts");
  const here = resolve(workspace, path);
  if (action.includes("/upload-")) {
    const isFile = statSync(here).isFile();
    cpSync(here, join(all, name, isFile ? basename(here) : ""), { recursive: true });
    return;
  }
  const names =
    pattern === undefined
      ? [name]
      : (existsSync(all) ? readdirSync(all) : []).filter((one) => matchesGlob(one, pattern));
  for (const one of names) cpSync(join(all, one), here, { recursive: true });
}

function checkout({ repository, ref }: Run, { with: options = {} }: Step, workspace: string): void {
  const git = (...args: string[]) => {
    const { status, stderr } = spawnSync("git", args, { cwd: workspace, encoding: "utf8" });
    if (status !== 0) throw new Error(`git ${args.join(" ")} failed: ${stderr}`);
  };
  const depth = `--depth=${String(options["fetch-depth"] ?? 1)}`;
  git("init", "--quiet");
  git("remote", "add", "origin", repository.origin);
  git("fetch", "--quiet", depth, "origin", ref);
  git("checkout", "--quiet", ...(ref.startsWith("refs/") ? ["--detach"] : ["-B", ref]), "FETCH_HEAD");
}

function bash(options: string[], script: string, cwd: string, env: NodeJS.ProcessEnv) {
  return new Promise<{ code: number; output: string }>((resolve, reject) => {
    const child = spawn("bash", [...options, script], {
      cwd,
      env,
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => (output += text));
    }
    child.on("error", reject);
    child.on("exit", () => {
      // A runner ends what a job leaves running.
      if (child.pid !== undefined) endGroup(child.pid);
    });
    child.on("close", (code) => {
      resolve({ code: code ?? 1, output });
    });
  });
}

function endGroup(leader: number): void {
  try {
    process.kill(-leader, "SIGKILL");
  } catch {
    // Nothing was left running.
  }
}

/** The values in a file of outputs or variables: `name=value`, or `name<<END`, lines, and `END`. */
export function pairsIn(text: string): Record<string, string> {
  const pairs: Record<string, string> = {};
  const lines = text.split("\n");
  while (lines.length > 0) {
    const line = lines.shift() ?? "";
    const [, name = "", end = ""] = /^(\w+)<<(.+)$/.exec(line) ?? [];
    if (name !== "") {
      const last = lines.indexOf(end);
      if (last < 0) throw new Error(`${name} has no end`);
      pairs[name] = lines
        .splice(0, last + 1)
        .slice(0, -1)
        .join("\n");
    } else if (line !== "") pairs[line.slice(0, line.indexOf("="))] = line.slice(line.indexOf("=") + 1);
  }
  return pairs;
}
