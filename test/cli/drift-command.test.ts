import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { driftCommand } from "../../src/cli/drift/command";
import { type Drift } from "../../src/cli/drift/findings";
import { type Uses } from "../../src/cli/drift/run";
import { clean, drift, shared } from "../helpers/drift";
import { nodecloud } from "../helpers/command-line";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "drift-command-"));
});
afterEach(() => rmSync(directory, { recursive: true }));

/** Runs the command with a comparison that has found this, in an empty folder. */
function run(args: readonly string[], found: Drift = clean, options: Parameters<typeof nodecloud>[1] = {}) {
  const selected: Parameters<Uses["collect"]>[2][] = [];
  const command = driftCommand({
    collect: (_, __, selection) => {
      selected.push(selection);
      return Promise.resolve(found);
    },
    now: () => new Date("2026-11-23T12:00:00Z"),
  });
  return nodecloud(["drift", ...args], { commands: [command], directory, ...options }).then((printed) => ({
    ...printed,
    selected,
  }));
}

const complete: Drift = { ...drift, gaps: [], notes: [] };
const having = (kind: string): Drift => ({
  ...complete,
  findings: drift.findings.filter((finding) => finding.kind === kind),
});

test.each([
  ["there are no findings", [], clean, 0],
  ["there are findings", [], complete, 2],
  ["there are unmanaged objects", [], having("unmanaged"), 2],
  [
    "a finding is of another kind than those that fail",
    ["--fail-on", "changed,deleted"],
    having("unmanaged"),
    0,
  ],
  ["a finding is of one of the kinds that fail", ["--fail-on", "deleted, unmanaged"], having("deleted"), 2],
  [
    "a finding is of one of several options for the kinds that fail",
    ["--fail-on", "changed", "--fail-on", "deleted,unmanaged"],
    having("changed"),
    2,
  ],
  ["two stacks manage one object", [], shared, 2],
  ["two stacks manage one object, and only that fails", ["--fail-on", "shared"], shared, 2],
  ["two stacks manage one object, and that does not fail", ["--fail-on", "changed"], shared, 0],
  ["something could not be looked at", [], { ...clean, gaps: drift.gaps }, 1],
  [
    "something could not be looked at, and findings do not fail",
    ["--fail-on", "deleted"],
    { ...having("changed"), gaps: drift.gaps },
    1,
  ],
  ["something could not be looked at, and there are findings", [], drift, 2],
])("the exit code says whether %s", async (_, args, found, code) => {
  expect((await run(args, found)).code).toBe(code);
});

test("gaps and notes are on stderr too, unless the report is in the terminal", async () => {
  const { stdout, stderr } = await run(["--format", "json"], drift);
  expect(JSON.parse(stdout)).toMatchObject({ complete: false });
  expect(stderr).toBe(
    "warning: could not look at the images of https://api.example/v4: the token lacks the scope images:read_only [NC2013]\n" +
      "note: 2 resources of other providers were left out\n",
  );
  const terminal = await run([], drift, { columns: 80, environment: { CI: "1", NO_COLOR: "1" } });
  expect(terminal.stderr).toBe("");
  expect(terminal.stdout).toContain("images:read_only");
  expect(terminal.stdout).not.toContain("\u001b");
});

test("a report in a file has no colours and no wrapped lines", async () => {
  const { code, stdout } = await run(["--out", "drift.txt"], drift, {
    columns: 40,
    environment: { CI: "1", FORCE_COLOR: "1" },
  });
  const text = readFileSync(join(directory, "drift.txt"), "utf8");
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(text).not.toContain("\u001b");
  expect(text).toMatch(/ {2}changed .* alerts\.cpu .* urn:pulumi:prod::shop::.*::web\n/);
});

test.each([
  [[], { directories: ["."], stacks: [], all: false }],
  [["infra", "dns", "--all"], { directories: ["infra", "dns"], stacks: [], all: true }],
  [
    ["--stack", "a,b", "infra", "--stack", "c"],
    { directories: ["infra"], stacks: ["a", "b", "c"], all: false },
  ],
])("the arguments %j select stacks", async (args, selection) => {
  expect((await run(args)).selected).toEqual([selection]);
});

test.each([
  [
    ["--format", "yaml"],
    /'yaml' is invalid\. Allowed choices are table, markdown, html, json, sarif, junit\. \[NC2002\]$/,
  ],
  [
    ["--only", "Domain", "DomainRecord"],
    /^error: --only: separate kinds with commas: --only Domain,DomainRecord \[NC2002\]$/,
  ],
  [["--only", "Domian"], /^error: --only: unknown kind "Domian"; did you mean Domain\? \[NC2002\]$/],
  [["--fail-on", "delete"], /^error: --fail-on: unknown kind "delete"; did you mean deleted\? \[NC2002\]$/],
  [
    ["--fail-on", "changed,"],
    /^error: --fail-on: "changed," has an empty value: separate values with one comma \[NC2002\]$/,
  ],
  [
    ["--fail-on", "changed", "--fail-on", "everything"],
    /^error: --fail-on: unknown kind "everything"; the kinds are changed, deleted, shared, unmanaged \[NC2002\]$/,
  ],
  [
    ["--merge", "--only", "Node", "part-1"],
    /'--merge' cannot be used with option '--only|'--only <kinds>' cannot/,
  ],
  [["--all", "--stack", "prod"], /'--all' cannot be used with option '--stack/],
  [["--ignore-file", "none.yaml"], /^error: cannot read the ignore file none\.yaml: ENOENT/],
])("the arguments %j are an error in one line, before anything is read", async (args, message) => {
  const { code, stdout, stderr, selected } = await run(args, drift);
  expect({ code, stdout, selected }).toEqual({ code: 1, stdout: "", selected: [] });
  expect(stderr.trimEnd()).toMatch(message);
  expect(stderr.trimEnd().split("\n")).toHaveLength(1);
});

test("the ignore file of the working directory hides unmanaged objects, and its ended entries are a note", async () => {
  writeFileSync(
    join(directory, ".nodecloudignore"),
    "- { id: '10', reason: of another team }\n- { id: '9', reason: old, until: 2026-11-22 }\n",
  );
  const { code, stdout, stderr } = await run(["--format", "json"], having("unmanaged"));
  expect(code).toBe(2);
  expect(JSON.parse(stdout)).toMatchObject({
    counts: { unmanaged: 1, ignored: 1 },
    findings: [{ id: "9" }],
    ignored: [{ id: "10", reason: "of another team" }],
  });
  expect(stderr).toMatch(
    /^note: \.nodecloudignore:2:3: the entry ended on 2026-11-22 .*; it matches 1 object\n$/,
  );
});

test("a broken ignore file is an error with its line and column", async () => {
  writeFileSync(join(directory, "known.yaml"), "- id: '10'\n  reason: r\n  until: soon\n");
  const { code, stderr, selected } = await run(["--ignore-file", "known.yaml"], drift);
  expect({ code, selected }).toEqual({ code: 1, selected: [] });
  expect(stderr).toBe(
    'error: known.yaml:3:10: until must be a date such as 2027-01-31, not "soon" [NC2009]\n',
  );
});

test("an interrupted comparison writes no report", async () => {
  const stopping = new AbortController();
  stopping.abort(new Error("stopped by SIGINT"));
  const { code, stdout, stderr } = await run(["--out", "drift.json"], drift, { signal: stopping.signal });
  expect({ code, stdout, stderr }).toEqual({
    code: 130,
    stdout: "",
    stderr: "interrupted; nothing was changed\n",
  });
  expect(readdirSync(directory)).toEqual([]);
});

test("the help has examples and the exit codes", async () => {
  const { code, stdout } = await run(["--help"]);
  expect(code).toBe(0);
  expect(stdout).toContain("nodecloud drift infra dns --all");
  expect(stdout).toContain("Exit codes: 0 no findings, 2 findings, 1 an error");
});
