import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Comment, OTHERS, type PullRequest, pullRequestIn } from "../helpers/pull-request";

let folder: string;
let pull: PullRequest;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "nodecloud-report-"));
  pull = pullRequestIn(folder);
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

interface Run {
  readonly stack?: string;
  /** The project's folder, relative to the workspace. */
  readonly project?: string;
  readonly outcome?: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** Reports the output of a preview, as preview.yml does, and returns the output of the step. */
function report(
  printed: string | undefined,
  { stack = "test", project = ".", outcome = "success", env }: Run = {},
) {
  const cwd = join(folder, project);
  mkdirSync(cwd, { recursive: true });
  if (printed !== undefined) writeFileSync(join(cwd, "preview.txt"), printed);
  const script = join(folder, ".github/workflows/report.mjs");
  return execFileSync(
    process.execPath,
    [script, "preview.txt", "--title", "pulumi preview", "--outcome", outcome, "--comment"],
    {
      cwd,
      env: { ...pull.env, GH_TOKEN: "planted-token", PULL_REQUEST: "7", PULUMI_STACK: stack, ...env },
      encoding: "utf8",
    },
  );
}

/** The body of the only written comment. */
function body(): string {
  expect(pull.written()).toHaveLength(1);
  return pull.written()[0]?.body ?? "";
}

const counted = (counts: string) => `Previewing update (test):\nResources:\n    ${counts}\n`;

describe("the comment on a pull request", () => {
  it("is created by the first run and updated by the next ones, and other comments stay", () => {
    report(counted("+ 3 to create"));
    const [{ id = 0 } = {}] = pull.written();
    report(counted("3 unchanged"));
    expect(pull.written()).toEqual([expect.objectContaining({ id })]);
    expect(body()).toContain("### pulumi preview of `test`: 3 unchanged\n");
    expect(pull.comments().filter((comment) => comment.id !== id)).toEqual(OTHERS);
    expect(pull.requests().filter((request) => !request.startsWith("GET "))).toEqual([
      "POST repos/ada/shop/issues/7/comments",
      `PATCH repos/ada/shop/issues/comments/${id}`,
    ]);
  });

  it("is found among hundreds of others", () => {
    const chat = (from: number): Comment[] =>
      Array.from({ length: 150 }, (_, n) => ({ id: from + n, user: { login: "ada" }, body: "ping" }));
    report(counted("+ 3 to create"));
    const before = [...chat(10_000), ...pull.written(), ...chat(20_000)];
    pull = pullRequestIn(folder, before);
    report(counted("3 unchanged"));
    expect(pull.written()).toEqual([]);
    expect(pull.comments().filter(({ body }) => body.includes("3 unchanged"))).toEqual([
      expect.objectContaining({ id: before[150]?.id }),
    ]);
  });

  it("is separate for each stack and folder, with any characters in their names", () => {
    const places = [
      { project: "a", stack: "prod" },
      { project: "a", stack: "prod --> <script>" },
      { project: "b", stack: "prod" },
      { project: "a", stack: "prod2" },
    ];
    for (const place of [...places, ...places]) report(counted("3 unchanged"), place);
    expect(pull.written()).toHaveLength(places.length);
    for (const { body } of pull.written()) expect(body).toMatch(/^<!-- [^<>]* -->\n/);
  });

  it("is replaced by a note in the summary if the token cannot comment", () => {
    pull.refuse("Resource not accessible by integration (HTTP 403)");
    const reason = "gh: Resource not accessible by integration (HTTP 403)";
    expect(report(counted("+ 3 to create"))).toBe(
      `::warning::The comment was not written (${reason}). The report is in the summary of the run.\n`,
    );
    expect(pull.summary()).toContain("### pulumi preview of `test`: 3 to create\n");
    expect(pull.summary()).toContain(
      `The comment on the pull request was not written:\n\n\`\`\`\n${reason}\n\`\`\``,
    );
    expect(pull.comments()).toEqual(OTHERS);
  });

  it("is replaced by a note in the summary if the runner has no gh", () => {
    rmSync(join(folder, "bin/gh"));
    expect(report(counted("+ 3 to create"), { env: { PATH: join(folder, "bin") } })).toContain(
      "::warning::The comment was not written (spawnSync gh ENOENT).",
    );
    expect(pull.summary()).toContain("spawnSync gh ENOENT");
  });
});

describe("the report", () => {
  it.each([
    ["failure", "failed; 1 to create, 1 errored"],
    ["skipped", "did not run; 1 to create, 1 errored"],
    ["cancelled", "was cancelled; 1 to create, 1 errored"],
  ])("of a preview with the outcome %s says: %s", (outcome, verdict) => {
    report(counted("+ 1 to create\n    1 errored"), { outcome });
    expect(body()).toContain(`### pulumi preview of \`test\`: ${verdict}\n`);
  });

  it("needs no file if the preview did not run", () => {
    report(undefined, { outcome: "skipped" });
    expect(body()).toContain("### pulumi preview of `test`: did not run\n");
  });

  it("begins with counts, then errors, then losses of data, then other warnings, then details", () => {
    report(
      [
        "Previewing update (test):",
        "warning: something else",
        "warning: Node web: replacing it deletes the disk",
        "error: first line",
        "second line",
        "    + pulumi-nodejs:dynamic/nodecloud:Domain: (create)",
        "        domain: example.org",
        "Resources:",
        "    + 1 to create",
        "    ~ 2 to update",
      ].join("\n"),
    );
    expect(body()).toMatch(
      /: 1 to create, 2 to update\n\n```\nerror: first line\nsecond line\nwarning: Node web: [^\n]*\nwarning: something else\n```\n\n<details>[^]*\+ pulumi-nodejs:dynamic\/nodecloud:Domain[^]*<\/details>/,
    );
    expect(body()).toContain("[Log of the run](https://example.org/ada/shop/actions/runs/42)");
  });

  it("shows the first lines of a long error, and marks that more follow", () => {
    report(["error: it failed", ...Array.from({ length: 20 }, (_, n) => `    at frame${n}`)].join("\n"));
    expect(body()).toMatch(/```\nerror: it failed\n +at frame0\n[^`]*at frame10\n…\n```\n\n<details>/);
  });

  it.each([
    ["of ASCII", "x"],
    ["of characters of four bytes", "\u{1f600}"],
    ["of backticks", "`"],
  ])(
    "stays within the size limit of a comment, counts first, and names what it omits, in text %s",
    (_, char) => {
      const long = char.repeat(600);
      const details = Array.from({ length: 300 }, (_, n) => `    + detail ${n} ${long}`);
      const warnings = Array.from({ length: 100 }, (_, n) => `warning: number ${n} ${long}`);
      const errors = Array.from({ length: 20 }, (_, n) => `error: number ${n} ${long}`);
      report([...details, ...warnings, ...errors, "Resources:", "    + 302 to create"].join("\n"), {
        outcome: "failure",
      });
      expect(body().length).toBeLessThanOrEqual(65_536);
      expect(Buffer.byteLength(body())).toBeGreaterThan(40_000);
      expect(body()).toMatch(
        /: failed; 302 to create\n\n`+\nerror: number 0 [^]*\n… \d+ of 120 lines are omitted here; the log of the run has all of them …\n[^]*<details>[^]*\n… \d+ of 422 lines are omitted here; the log of the run has all of them …\n[^]*302 to create\n`+\n\n<\/details>/,
      );
      expect(body()).toBe(Buffer.from(body()).toString());
    },
  );

  it("truncates a long line between characters", () => {
    report(`warning: ${"x".repeat(990)}${"\u{1f600}".repeat(9)}`);
    expect(body()).toBe(Buffer.from(body()).toString());
    expect(body()).toContain(`x\u{1f600}…`);
  });

  it("shows fences, tags, colours and direction marks as text", () => {
    report("warning: \u001b[31mred\u001b[0m ```` \u202e</details> @ada <!-- x -->\n    description: `````\n");
    for (const mark of ["\u001b", "\u202e"]) expect(body()).not.toContain(mark);
    expect(body()).toMatch(/\n`{6}\nwarning: red ```` <\/details> @ada/);
    expect(body()).toMatch(/\n`{6}diff\n[^]*\n`{6}\n\n<\/details>/);
  });

  it("masks the values of secret variables, which the host masks only in logs", () => {
    const env = {
      NODECLOUD_TOKEN: "nodecloud-planted",
      PULUMI_ACCESS_TOKEN: "nodecloud-planted-too",
      PULUMI_CONFIG_PASSPHRASE: "correct horse",
      DEPLOY_KEY: "-----BEGIN KEY-----\nMIIEplanted\n-----END KEY-----\n",
      DEBUG_TOKENS: "true",
    };
    pull.refuse(`no access with ${env.NODECLOUD_TOKEN}`);
    const printed = report(
      [
        `error: sent ${env.PULUMI_ACCESS_TOKEN} and ${env.NODECLOUD_TOKEN}, true`,
        `    key: ${env.DEPLOY_KEY.replaceAll("\n", "\\n")}`,
        `    phrase: \u001b[31mcorrect\u001b[0m horse ${"x".repeat(900)} ${env.NODECLOUD_TOKEN.repeat(9)}`,
      ].join("\n"),
      { env },
    );
    pull = pullRequestIn(folder);
    report(undefined, { env });
    for (const text of [printed, pull.summary(), body()]) expect(text).not.toMatch(/planted|correct|MIIE/);
    expect(body()).toContain("error: sent *** and ***, true\n    key: ***\\n***\\n***\\n\n    phrase: *** x");
  });
});
