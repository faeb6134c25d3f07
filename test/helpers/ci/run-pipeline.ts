import { spawn, spawnSync } from "node:child_process";
import { appendFileSync, mkdtempSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../programs";
import { type GitLab, PROJECT } from "./gitlab";
import { contentOf, type Repository } from "./repository";

export interface Pipeline {
  readonly repository: Repository;
  readonly host: GitLab;
  /** The environment of the runner, such as the engine's settings. */
  readonly env: NodeJS.ProcessEnv;
  /** The branch that is checked out. */
  readonly branch: string;
  /** The variables of the pipeline and of the project. */
  readonly variables: Readonly<Record<string, string>>;
  /** A job that waits for somebody, who starts it. */
  readonly manual?: string;
  /** Whether each job has a folder of its own, as those of a host have. */
  readonly isolated?: boolean;
}

export interface PipelineOutcome {
  readonly code: number;
  /** The jobs that ran. */
  readonly jobs: readonly string[];
  readonly output: string;
  /** The file of the report. */
  readonly report: string;
}

const RUNNER = join(ROOT, "node_modules/gitlab-ci-local/dist/index.js");

/** Runs the jobs that the rules of `.gitlab-ci.yml` select, with gitlab-ci-local, which also checks the file with GitLab's schema. */
export async function runPipeline({
  repository,
  host,
  env,
  branch,
  variables,
  manual,
  isolated = false,
}: Pipeline): Promise<PipelineOutcome> {
  const workspace = mkdtempSync(join(repository.folder, "run-"));
  for (const args of [
    ["clone", "--quiet", "--depth=1", `--branch=${branch}`, repository.origin, workspace],
    ["-C", workspace, "remote", "set-head", "origin", branch],
  ]) {
    const { status, stderr } = spawnSync("git", args, { encoding: "utf8" });
    if (status !== 0) throw new Error(stderr);
  }
  // The folder of the runner itself, which GitLab's own runner does not have.
  appendFileSync(join(workspace, ".git/info/exclude"), "/.gitlab-ci-local/\n");
  const predefined: Readonly<Record<string, string>> = {
    CI_API_V4_URL: host.url,
    CI_PROJECT_ID: String(PROJECT),
    CI_JOB_URL: "https://gitlab.example/ada/shop/-/jobs/42",
    CI_COMMIT_SHA: "0123abcd",
    CI_DEFAULT_BRANCH: "main",
    CI_SERVER_HOST: "gitlab.example",
    CI_PROJECT_PATH: "ada/shop",
    NODECLOUD_BOT_TOKEN: host.token,
    ...variables,
  };
  const options = Object.entries(predefined).flatMap(([name, value]) => ["--variable", `${name}=${value}`]);
  const ignored = ["--ignore-predefined-vars", Object.keys(predefined).join(",")];
  const args = [
    RUNNER,
    "--force-shell-executor",
    "--no-color",
    ...options,
    ...ignored,
    ...(manual ? ["--manual", manual] : []),
    ...(isolated ? ["--shell-isolation"] : []),
  ];
  const { code, output } = await run(workspace, args, {
    ...env,
    ...repository.npm,
    ...reaching(repository, host),
  });
  const jobs = [...output.matchAll(/^(\S+)(?:: \[.*\])? +starting shell/gm)].map(([, name = ""]) => name);
  return { code, jobs, output, report: contentOf(join(workspace, ".nodecloud-ci/comment.md")) };
}

/** Leads git from the host's address, with the token in it, to the repository on this machine. */
const reaching = ({ origin }: Repository, { token }: GitLab): NodeJS.ProcessEnv => ({
  GIT_CONFIG_COUNT: "1",
  GIT_CONFIG_KEY_0: `url.${origin}.insteadOf`,
  GIT_CONFIG_VALUE_0: `https://oauth2:${token}@gitlab.example/ada/shop.git`,
});

function run(
  cwd: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<{ code: number; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => (output += text));
    }
    child.on("error", reject);
    child.on("exit", (code) => {
      resolve({ code: code ?? 1, output });
    });
  });
}
