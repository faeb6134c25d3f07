import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { ROOT } from "./programs";

export interface Comment {
  readonly id: number;
  readonly user: { readonly login: string } | null;
  readonly body: string;
}

/** A pull request behind a stand-in for `gh`, and the folder of a job with `report.mjs` where the workflows expect it. */
export interface PullRequest {
  /** The variables of the runner and of the step that comments. */
  readonly env: NodeJS.ProcessEnv;
  /** All comments, the oldest first. */
  comments(): readonly Comment[];
  /** The comments that were written since the start. */
  written(): readonly Comment[];
  /** The requests to the host, such as `POST repos/…`. */
  requests(): readonly string[];
  /** Makes the host refuse all requests from now on. */
  refuse(reason: string): void;
  /** The job's summary page. */
  summary(): string;
  /** Empties the summary page for the next run. */
  nextRun(): void;
}

const BOT = { login: "github-actions[bot]" };

/** Comments that exist before the run: of people, of other workflows and stacks, and one that quotes ours. */
export const OTHERS: readonly Comment[] = [
  { id: 1, user: { login: "ada" }, body: "Looks good." },
  { id: 2, user: BOT, body: "Coverage is 90 %." },
  { id: 3, user: { login: "ada" }, body: "<!-- pulumi-report: pulumi%20preview . test -->\nas I said" },
  { id: 4, user: BOT, body: "<!-- pulumi-report: pulumi%20preview . test2 -->\n\nanother stack" },
  { id: 5, user: BOT, body: "Quoting <!-- pulumi-report: pulumi%20preview . test -->" },
  { id: 6, user: null, body: "<!-- pulumi-report: pulumi%20preview . test -->\nof a deleted user" },
];

/** Sets up the job in this folder. */
export function pullRequestIn(folder: string, before: readonly Comment[] = OTHERS): PullRequest {
  const state = join(folder, "gh.json");
  const summary = join(folder, "summary.md");
  const read = () =>
    JSON.parse(readFileSync(state, "utf8")) as {
      readonly comments: readonly Comment[];
      readonly requests?: readonly string[];
    };
  for (const name of ["bin", ".github/workflows"]) mkdirSync(join(folder, name), { recursive: true });
  const gh = join(folder, "bin/gh");
  writeFileSync(gh, `#!/bin/sh\nexec "${process.execPath}" "${join(__dirname, "gh-stand-in.mjs")}" "$@"\n`);
  chmodSync(gh, 0o755);
  writeFileSync(
    join(folder, ".github/workflows/report.mjs"),
    readFileSync(join(ROOT, "examples/ci/report.mjs"), "utf8"),
  );
  writeFileSync(state, JSON.stringify({ comments: before }));
  return {
    env: {
      PATH: [join(folder, "bin"), process.env["PATH"]].join(delimiter),
      GITHUB_STEP_SUMMARY: summary,
      GITHUB_WORKSPACE: folder,
      GITHUB_SERVER_URL: "https://example.org",
      GITHUB_REPOSITORY: "ada/shop",
      GITHUB_RUN_ID: "42",
      GH_STATE: state,
    },
    comments: () => read().comments,
    written: () => read().comments.filter(({ id }) => !before.some((other) => other.id === id)),
    requests: () => read().requests ?? [],
    refuse: (reason) => {
      writeFileSync(state, JSON.stringify({ ...read(), refuse: reason }));
    },
    summary: () => (existsSync(summary) ? readFileSync(summary, "utf8") : ""),
    nextRun: () => {
      rmSync(summary, { force: true });
    },
  };
}
