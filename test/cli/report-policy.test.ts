import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { nodecloud } from "../helpers/command-line";

const preview = join(__dirname, "fixtures/report/change.json");
const failed = join(__dirname, "fixtures/report/failed.json");

let directory: string;
beforeEach(() => (directory = mkdtempSync(join(tmpdir(), "nodecloud-report-"))));
afterEach(() => rmSync(directory, { recursive: true }));

const report = (...args: readonly string[]) => nodecloud(["report", preview, ...args], { directory });
const write = (file: string, text: string) => writeFileSync(join(directory, file), text);

const LOSSES = ["MysqlDatabase:db", "Node:old", "Node:web"];
const allowed = LOSSES.flatMap((name) => ["--allow", `data-loss:${name}`]);

test("a rule that denies a change makes the command fail, and the report says which", async () => {
  const { code, stdout, stderr } = await report("--deny", "data-loss,replacement:MysqlDatabase");
  expect({ code, stderr }).toEqual({ code: 2, stderr: "denied: 4 by --deny\n" });
  expect(stdout).toContain("- ❌ denied by --deny: `replacement` `MysqlDatabase` `db`");
  expect(stdout).toContain("- ❌ denied by --deny: `data-loss` `Node` `old`");
});

test("a rule for a type concerns only that type", async () => {
  expect((await report("--deny", "replacement:Node")).code).toBe(0);
  expect((await report("--deny", "deletion:Node")).code).toBe(2);
  expect((await report("--deny", "deletion:Domain,deletion:aws:s3/bucket:Bucket")).code).toBe(0);
  expect((await report("--deny", "deletion:Domain", "--deny", "replacement:Node,deletion:Node")).code).toBe(
    2,
  );
});

test("an interruption within a change that loses data is denied too", async () => {
  expect((await report("--deny", "interruption:Node")).code).toBe(2);
});

test("allowed changes pass, and the report names them", async () => {
  const { code, stdout } = await report("--deny", "data-loss", ...allowed);
  expect(code).toBe(0);
  expect(stdout).toContain("- ✅ allowed: `data-loss` `MysqlDatabase` `db` (by --allow)");
  expect((await report("--deny", "data-loss", ...allowed.slice(2))).code).toBe(2);
});

test("an allowance is for one rule and one resource", async () => {
  const urn = "urn:pulumi:test::program::pulumi-nodejs:dynamic/nodecloud:MysqlDatabase::db";
  const deny = ["--deny", "data-loss:MysqlDatabase"];
  expect((await report(...deny, "--allow", `data-loss:${urn}`)).code).toBe(0);
  expect((await report(...deny, "--allow", "data-loss:db")).code).toBe(0);
  expect((await report(...deny, "--allow", "data-loss:Node:db")).code).toBe(2);
  expect((await report(...deny, "--allow", "replacement:db")).code).toBe(2);
});

test("an allowance that matches no denied change is said to allow nothing", async () => {
  write("policy.yaml", "deny: [data-loss:Node]\nallow: [data-loss:Node:old, data-loss:Node:gone]\n");
  const { stderr } = await report("--policy", "policy.yaml", "--allow", "deletion:old");
  expect(stderr.split("\n").sort()).toEqual([
    "",
    "--allow: deletion:old allows nothing: no rule denies such a change",
    "denied: 1 by policy.yaml",
    "policy.yaml: data-loss:Node:gone allows nothing: no rule denies such a change",
  ]);
});

test("a policy file has rules with reasons, and allowances", async () => {
  write(
    "policy.yaml",
    "deny:\n  - rule: data-loss\n    reason: ask the owners\nallow:\n  - data-loss:Node:old\n",
  );
  const { code, stdout } = await report("--policy", "policy.yaml");
  expect(code).toBe(2);
  expect(stdout).toContain("- ❌ denied by policy.yaml: `data-loss` `Node` `web` (ask the owners)");
  expect(stdout).toContain("- ✅ allowed: `data-loss` `Node` `old` (by policy.yaml)");
});

test("lines in comments allow changes", async () => {
  const lines = LOSSES.map((name) => `/nodecloud allow data-loss ${name.replace(":", " ")}`);
  write("comments.txt", `Fine with me.\r\n${lines.join("\r\n")}\r\n`);
  expect((await report("--deny", "data-loss", "--allow-from", "comments.txt")).code).toBe(0);
  write("comments.txt", lines.map((line) => `> ${line}`).join("\n"));
  expect((await report("--deny", "data-loss", "--allow-from", "comments.txt")).code).toBe(2);
});

test("in the API's list of comments, only those of people with access count, and no report does", async () => {
  const body = "/nodecloud allow data-loss MysqlDatabase db";
  const check = (comment: object) => {
    write("comments.json", JSON.stringify([[comment]]));
    return report("--deny", "data-loss:MysqlDatabase", "--allow-from", "comments.json");
  };
  expect((await check({ body, author_association: "MEMBER" })).code).toBe(0);
  expect(await check({ body, author_association: "CONTRIBUTOR" })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("somebody without access to the repository allows nothing") as string,
  });
  const quoted = { body: `<!-- nodecloud-report: x -->\n${body}`, author_association: "OWNER" };
  expect((await check(quoted)).code).toBe(2);
});

test("rules cannot pass a preview that failed", async () => {
  const run = (...args: string[]) => nodecloud(["report", failed, ...args], { directory });
  expect((await run()).code).toBe(0);
  expect(await run("--deny", "data-loss")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("the policy cannot be checked for program/test") as string,
  });
});

test.each([
  [["--deny", "dataloss"], '--deny: "dataloss" is no class of changes; did you mean data-loss?'],
  [
    ["--deny", "deletion:MysqlDatabse"],
    '--deny: there is no type "MysqlDatabse"; did you mean MysqlDatabase?',
  ],
  [
    ["--deny", "data-loss", "--deny", "deletion,dataloss"],
    '--deny: "dataloss" is no class of changes; did you mean data-loss?',
  ],
  [["--allow", "data-loss"], '--allow: "data-loss" names no resource: write data-loss:MysqlDatabase:db'],
  [
    ["--allow", "shared:DomainRecordSet"],
    '--allow: "shared:DomainRecordSet" names a type: write shared:DomainRecordSet:* for all resources of it',
  ],
  [["--policy", "none.yaml"], "cannot read none.yaml: ENOENT"],
  [["--policy", "list.yaml"], "list.yaml needs a list `deny`"],
  [["--policy", "typo.yaml"], 'typo.yaml: "denied" is unknown: a policy has `deny` and `allow`'],
])("a mistake in the policy is one clear line: %j", async (args, line) => {
  write("list.yaml", "- data-loss\n");
  write("typo.yaml", "denied: [data-loss]\n");
  const { code, stdout, stderr } = await report(...args);
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toContain(`error: ${line}`);
  expect(stderr.split("\n")).toHaveLength(2);
});
