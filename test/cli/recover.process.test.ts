import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { nodecloud } from "../helpers/command-line";

const path = process.env["PATH"] ?? "";
let folder: string;

/** The lock of a run, as pulumi 3.230.0 prints it when it refuses to run. */
const lockOf = (pid: number, at: string) =>
  `  file:///state/.pulumi/locks/organization/infra/prod/1.json: created by ada@gone.example.org (pid ${pid}) at ${at}\n`;
const OLD = lockOf(1, "2026-11-28T03:00:00Z");
const NEW = lockOf(2, "2026-11-28T04:00:00Z");

/** A command line for a stack with the lock in a file. LOOK.N takes the place of that lock from the Nth look on. */
const COMMAND_LINE = `#!/bin/sh
cd "$(dirname "$0")"
echo "$1" >> commands
case "$*" in
  version*) echo v3.230.0 ;;
  config*) echo '{}' ;;
  "stack rename"*)
    echo look >> looks
    next="look.$(grep -c look looks)"
    [ -f "$next" ] && mv "$next" lock
    if [ -f lock ]; then echo "error: the stack is currently locked by 1 lock(s)" >&2; cat lock >&2
    else echo "error: a stack named prod already exists" >&2; fi
    exit 1 ;;
  "stack export"*) echo '{"version":3,"deployment":{}}' ;;
  cancel*) rm -f lock; cp home/nodecloud/recoveries/*.json . ;;
  up*) ;;
  *) echo "unexpected: $*" >&2; exit 1 ;;
esac
`;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "nodecloud-recover-"));
  writeFileSync(join(folder, "Pulumi.yaml"), "name: infra\nruntime: nodejs\n");
  writeFileSync(join(folder, "pulumi"), COMMAND_LINE);
  chmodSync(join(folder, "pulumi"), 0o755);
  process.env["PATH"] = `${folder}${delimiter}${path}`;
  writeFileSync(join(folder, "lock"), OLD);
});

afterEach(() => {
  process.env["PATH"] = path;
  rmSync(folder, { recursive: true, force: true });
});

const recover = () =>
  nodecloud(["recover", "--stack", "prod", "--yes", "--lock-older-than", "1s"], {
    directory: folder,
    environment: {
      PATH: process.env["PATH"],
      PULUMI_HOME: join(folder, "home"),
      PULUMI_BACKEND_URL: "file:///state",
    },
  });
const ran = () =>
  readFileSync(join(folder, "commands"), "utf8")
    .trim()
    .split("\n")
    .filter((command) => ["cancel", "up"].includes(command));

test("an old lock is removed once", async () => {
  expect(await recover()).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(
      /^removed the lock of ada@gone.example.org, process 1, .*\nran `pulumi up`/,
    ),
  });
  expect(ran()).toEqual(["cancel", "up"]);
});

test("another run's lock that has taken the place of the old one is not removed", async () => {
  writeFileSync(join(folder, "look.2"), NEW);
  expect(await recover()).toMatchObject({
    code: 2,
    stdout: "did nothing else: another run has changed the lock meanwhile. Run this again after it\n",
  });
  expect(ran()).toEqual([]);
  expect(existsSync(join(folder, "lock"))).toBe(true);
});

test("nothing runs beside a run that has begun since the lock was removed", async () => {
  writeFileSync(join(folder, "look.3"), NEW);
  const { code, stdout } = await recover();
  expect(code).toBe(2);
  expect(stdout).toMatch(
    /^removed .*process 1.*\ndid nothing else: another run has begun meanwhile, with .*process 2/,
  );
  expect(ran()).toEqual(["cancel"]);
});

test("of two recoveries at once on one machine, one removes the lock", async () => {
  const codes = (await Promise.all([recover(), recover()])).map(({ code }) => code);
  expect(codes).toContain(0);
  expect(ran().filter((command) => command === "cancel")).toEqual(["cancel"]);
});

test("a recovery that goes on keeps another one on this machine away, and one that was killed does not", async () => {
  expect(await recover()).toMatchObject({ code: 0 });
  const [name = ""] = readdirSync(folder).filter((file) => /^[0-9a-f]{64}\.json$/.test(file));
  const claim = JSON.parse(readFileSync(join(folder, name), "utf8")) as object;
  const again = async (of: object) => {
    writeFileSync(join(folder, "lock"), OLD);
    writeFileSync(join(folder, "home/nodecloud/recoveries", name), JSON.stringify(of));
    return recover();
  };
  expect(await again(claim)).toMatchObject({
    code: 2,
    stdout:
      "did nothing else: another `nodecloud recover` of this stack runs on this machine. Run this again after it\n",
  });
  expect(await again({ ...claim, started: "before the last start of this machine" })).toMatchObject({
    code: 0,
  });
});
