import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { nodecloud } from "../helpers/command-line";

const path = process.env["PATH"] ?? "";
let folder: string;

/** A command line for the projects `shop` and `dns`. A file named as a stack has its lock, and `pulumi up` of the stack `broken` fails. */
const COMMAND_LINE = `#!/bin/sh
project=$(sed -n 's/^name: //p' Pulumi.yaml)
cd "$(dirname "$0")"
for last; do [ "$before" = --stack ] && stack=$last; before=$last; done
case "$*" in
  version*) echo v3.230.0 ;;
  "stack ls"*) cat $project.stacks ;;
  config*) echo '{}' ;;
  "stack rename"*)
    if [ -f "$project-$stack" ]; then echo "error: the stack is currently locked by 1 lock(s)" >&2; cat "$project-$stack" >&2
    else echo "error: a stack named $stack already exists" >&2; fi
    exit 1 ;;
  "stack export"*) echo '{"version":3,"deployment":{}}' ;;
  cancel*) rm "$project-$stack" ;;
  up*) echo "$project $stack" >> ups; [ "$stack" != broken ] || { echo "error: the program is broken" >&2; exit 255; } ;;
  *) echo "unexpected: $*" >&2; exit 1 ;;
esac
`;
const write = (file: string, text: string) => writeFileSync(join(folder, file), text);
const lock = (project: string, stack: string, age: number) => {
  const at = new Date(Date.now() - age).toISOString();
  write(`${project}-${stack}`, `  s3://b/locks/1.json: created by ada@ci-7 (pid 4711) at ${at}\n`);
};
const HOUR = 3_600_000;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "nodecloud-recover-all-"));
  for (const [project, stacks] of Object.entries({ shop: ["broken", "dev", "prod"], dns: ["prod"] })) {
    mkdirSync(join(folder, project));
    write(`${project}/Pulumi.yaml`, `name: ${project}\nruntime: nodejs\n`);
    write(`${project}.stacks`, JSON.stringify(stacks.map((name) => ({ name, current: false }))));
  }
  write("pulumi", COMMAND_LINE);
  chmodSync(join(folder, "pulumi"), 0o755);
  process.env["PATH"] = `${folder}${delimiter}${path}`;
});
afterEach(() => {
  process.env["PATH"] = path;
  rmSync(folder, { recursive: true, force: true });
});

const recover = (...args: string[]) =>
  nodecloud(["recover", "--all", ...args], {
    directory: folder,
    environment: {
      PATH: process.env["PATH"],
      PULUMI_HOME: join(folder, "home"),
      PULUMI_BACKEND_URL: "s3://bucket",
    },
  });
const OLDER = ["--lock-older-than", "2h"];
const LOCK = "the lock of ada@ci-7, process 4711, 3 h old: it is older than 2 h";

test("without anything to recover, all stacks are one line", async () => {
  expect(await recover("--dry-run")).toEqual({
    code: 0,
    stdout: "4 of 4 stacks had nothing to recover\n",
    stderr: "",
  });
});

test("a dry run says for each stack what would be done, and changes nothing", async () => {
  lock("shop", "prod", 3 * HOUR);
  lock("dns", "prod", 0);
  const { code, stdout } = await recover("--dry-run", ...OLDER);
  expect(code).toBe(2);
  expect(stdout.trimEnd().split("\n")).toEqual([
    expect.stringMatching(/^stack prod of dns: kept the lock of ada@ci-7, /),
    "stack prod of dns: did nothing else: wait for that run, or set --lock-older-than to a time that no run takes",
    `stack prod of shop: would remove ${LOCK}`,
    "stack prod of shop: would run `pulumi up` of prod with NODECLOUD_RESUME=true",
    "2 of 4 stacks had nothing to recover",
  ]);
  expect([existsSync(join(folder, "shop-prod")), existsSync(join(folder, "ups"))]).toEqual([true, false]);
});

test("stacks of a project name that two folders have are left as they are", async () => {
  mkdirSync(join(folder, "copy"));
  write("copy/Pulumi.yaml", "name: shop\nruntime: nodejs\n");
  for (const project of ["shop", "dns"]) lock(project, "prod", 3 * HOUR);
  const { code, stdout, stderr } = await recover("--yes", ...OLDER);
  expect(code).toBe(1);
  expect(stdout).not.toContain("shop");
  expect(stderr).toMatch(
    /^error: stack prod of shop: copy has the project name shop too, .* in the right folder \[NC/m,
  );
  expect(stderr).toMatch(/^error: stack prod of copy: shop has the project name shop too, /m);
  expect(existsSync(join(folder, "shop-prod"))).toBe(true);
  expect(readFileSync(join(folder, "ups"), "utf8")).toBe("dns prod\n");
});

test("an error of one stack is told, and the others are recovered", async () => {
  for (const stack of ["broken", "prod"]) lock("shop", stack, 3 * HOUR);
  const { code, stdout, stderr } = await recover("--yes", ...OLDER);
  expect({ code, stdout }).toEqual({
    code: 1,
    stdout: [
      `stack broken of shop: removed ${LOCK}`,
      `stack prod of shop: removed ${LOCK}`,
      "stack prod of shop: ran `pulumi up` of prod with NODECLOUD_RESUME=true",
      "2 of 4 stacks had nothing to recover",
      "",
    ].join("\n"),
  });
  expect(stderr).toMatch(/^error: stack broken of shop: `pulumi up` failed: .* \[NC\d+\]$/m);
  expect(readFileSync(join(folder, "ups"), "utf8")).toBe("shop broken\nshop prod\n");
});

test("stacks that cannot be listed are an error, and those of other projects are recovered", async () => {
  write("shop.stacks", "no JSON");
  lock("dns", "prod", 3 * HOUR);
  const { code, stdout, stderr } = await recover("--yes", ...OLDER);
  expect(code).toBe(1);
  expect(stdout).toMatch(/^stack prod of dns: removed .*\nstack prod of dns: ran .*\n$/);
  expect(stderr).toMatch(/^error: the stacks of shop[^\n]* \[NC\d+\]$/m);
});

test("all stacks at once are recovered without questions only", async () => {
  expect(await recover()).toMatchObject({
    code: 1,
    stderr: "error: --all asks no questions: set --yes, or --dry-run to see what it would do [NC2002]\n",
  });
});
