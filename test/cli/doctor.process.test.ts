import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Check } from "../../src/cli/doctor/check";
import { checkNode, checkPackages } from "../../src/cli/doctor/machine";
import { checkService } from "../../src/cli/doctor/service";
import { sayingOf, withoutCredentials } from "../../src/cli/stacks/workspaces";
import { creations } from "../../src/provider/notes/journal";
import { Notes } from "../../src/provider/notes/notes";
import { type Run } from "../../src/provider/base/runs";
import { contextIn, nodecloud } from "../helpers/command-line";
import { READER, startTestEmulator, type TestEmulator, withReader } from "../helpers/emulator";
import { ROOT } from "../helpers/programs";

const TOKEN = "a-token-for-domains-only";
const EVERYTHING = "a-token-for-everything";

let emulator: TestEmulator;
let folder: string;
let environment: Record<string, string>;

beforeAll(async () => {
  const tokens = [
    { token: TOKEN, scopes: ["domains:read_only"] },
    { token: EVERYTHING, scopes: "*" as const },
    ...(withReader().users[0]?.tokens ?? []),
  ];
  const users = [{ username: "ada", tokens }];
  emulator = await startTestEmulator({ accounts: { users } });
});
afterAll(() => emulator.stop());

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "nodecloud-doctor-"));
  environment = { PULUMI_HOME: folder, NODECLOUD_TOKEN: TOKEN, NODECLOUD_BASE_URL: emulator.url };
});
afterEach(() => rmSync(folder, { recursive: true }));

/** The checks by name, and the exit code. */
async function examine(directory = folder) {
  const { code, stdout, stderr } = await nodecloud(["doctor", "--format", "json"], {
    environment,
    directory,
  });
  expect(stderr).toBe("");
  expect(stdout).not.toContain(environment["NODECLOUD_TOKEN"] ?? TOKEN);
  const { checks } = JSON.parse(stdout) as { checks: Check[] };
  return { code, checks: Object.fromEntries(checks.map(({ name, ...check }) => [name, check])) };
}

test("has no problem with a token that only reads", async () => {
  Object.assign(environment, { NODECLOUD_TOKEN: READER });
  const { checks } = await examine();
  expect(
    Object.entries(checks).filter(
      ([name, { status }]) => / read |^read|token/.test(name) && status === "problem",
    ),
  ).toEqual([]);
  expect(checks["write"]?.finding).toContain("the backups of databases");
});

test("says which scope the token lacks, for each kind that it cannot read", async () => {
  const { code, checks } = await examine();
  expect(code).toBe(2);
  expect(checks).toMatchObject({
    endpoint: { status: "ok", finding: `${emulator.url} answers` },
    token: { status: "ok", finding: "accepted" },
    "read domains": { status: "ok" },
    "read nodes": {
      status: "problem",
      advice: "give the token the scope nodes:read_only, and its user access to the nodes",
    },
    "read MySQL databases": {
      status: "problem",
      advice: "give the token the scope databases:read_only, and its user access to the MySQL databases",
    },
    write: { status: "unknown" },
  });
});

test("says that the service refuses the token", async () => {
  environment["NODECLOUD_TOKEN"] = "no-such-token";
  const { code, checks } = await examine();
  expect(code).toBe(2);
  expect(checks["token"]).toMatchObject({
    status: "problem",
    finding: "the service refuses the token (401)",
  });
  expect(checks["read domains"]).toBeUndefined();
});

test("says that nothing answers at the base URL", async () => {
  environment["NODECLOUD_BASE_URL"] = "http://127.0.0.1:1/v4";
  const { code, checks } = await examine();
  expect(code).toBe(2);
  expect(checks["endpoint"]).toMatchObject({
    status: "problem",
    advice: "is the base URL right, and the service running?",
  });
  expect(checks["endpoint"]?.finding).toMatch(/could not connect to 127\.0\.0\.1:1 \([^;]*\)$/);
});

test("says which setting is missing, and asks no service", async () => {
  delete environment["NODECLOUD_BASE_URL"];
  emulator.reset("requests");
  const { code, checks } = await examine();
  expect(code).toBe(2);
  expect(checks["settings"]).toMatchObject({ status: "problem", finding: "nodecloud:baseUrl is not set" });
  expect(checks["settings"]?.advice).toMatch(/^run `pulumi config set nodecloud:baseUrl/);
  expect(await emulator.counts()).toEqual({});
});

/** A `pulumi` that prints one line, whatever it is asked. */
function oldEngine(printed: string): void {
  const bin = join(folder, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "pulumi"), `#!/bin/sh\necho ${printed}\n`, { mode: 0o755 });
  writeFileSync(join(folder, "Pulumi.yaml"), "name: shop\nruntime: python\n");
  environment["PATH"] = `${bin}:/usr/bin:/bin`;
}

test("does not ask an engine that is missing or too old about the stack", async () => {
  oldEngine("v3.100.0");
  expect((await examine()).checks).toMatchObject({
    engine: { status: "problem", finding: "pulumi v3.100.0 is too old" },
    stack: { status: "unknown", finding: "not read, because the Pulumi CLI cannot be used" },
  });
  environment["PATH"] = "/nowhere";
  expect((await examine()).checks).toMatchObject({
    engine: { status: "problem", finding: "no pulumi on the PATH" },
    stack: { status: "unknown" },
  });
});

test.each([
  [
    ["east", "west"],
    "unknown",
    "no token of the stack: all its resources (2) have the providers east and west",
  ],
  [["east", "default"], "problem", "nodecloud:token is not set"],
] as const)(
  "the token of the stack is missed only if a resource needs it: %p",
  async (names, status, finding) => {
    const provider = (name: string) => `urn:pulumi:test::shop::pulumi:providers:nodecloud::${name}::1`;
    const type = "nodecloud:index:Domain";
    const resources = names.map((name) => ({
      ...{ urn: `urn:pulumi:test::shop::${type}::${name}`, type, custom: true, id: "1" },
      provider: provider(name),
    }));
    oldEngine("");
    writeFileSync(join(folder, "state.json"), JSON.stringify({ version: 3, deployment: { resources } }));
    writeFileSync(
      join(folder, "bin/pulumi"),
      `#!/bin/sh
case "$*" in
  version*) echo v3.230.0 ;;
  "stack ls"*) echo '[{"name":"test","current":true}]' ;;
  "stack export"*) cat "${folder}/state.json" ;;
  config*) echo '{}' ;;
  *) exit 1 ;;
esac
`,
    );
    delete environment["NODECLOUD_TOKEN"];
    const { checks } = await examine();
    expect(checks["settings"]).toMatchObject({ status, finding });
    if (status === "unknown") expect(checks["settings"]?.advice).toContain("`nodecloud drift`");
  },
);

test.each([
  [
    new Error(
      "code: -2\n stdout: \n stderr: Command failed with EACCES: pulumi stack ls\nspawn pulumi EACCES\n",
    ),
    "the command pulumi cannot be started (EACCES)",
  ],
  [
    new SyntaxError("Unexpected token 'v', \"v3.100.0\" is not valid JSON"),
    "the command pulumi does not print JSON: check that `pulumi version` is 3.216.0 or newer",
  ],
])("an error of the command line is said in words that help: %s", (error, words) => {
  expect(sayingOf(error)).toBe(words);
});

test("hides credentials in the URL of a backend", () => {
  expect(withoutCredentials("s3://ada:pw@bucket?region=eu&accessKey=AK&secret_token=x")).toBe(
    "s3://[secret]@bucket?region=eu&accessKey=[secret]&secret_token=[secret]",
  );
});

test("changes nothing in the account", async () => {
  emulator.reset("requests");
  await examine();
  expect(Object.keys(await emulator.counts())).not.toEqual([]);
  expect(await emulator.writes()).toEqual([]);
});

test("compares the clock of this machine with the service's", async () => {
  const context = {
    ...{ stdin: process.stdin, stdout: process.stdout, stderr: process.stderr },
    ...{ environment, directory: folder, signal: new AbortController().signal },
  };
  const configuration = {
    token: TOKEN,
    baseUrl: emulator.url,
    validate: true,
    resume: false,
    sameAccount: false,
    ownerTags: false,
    readOnly: false,
    deny: [],
    allow: [],
  };
  const clock = async (now: () => number) =>
    (await checkService(context, configuration, now)).find(({ name }) => name === "clock");
  expect(await clock(emulator.clock.now)).toMatchObject({ status: "unknown" });
  emulator.clock.setSpeed(1);
  expect(await clock(emulator.clock.now)).toMatchObject({ status: "ok" });
  const fast = await clock(() => emulator.clock.now() + 3_600_000);
  expect(fast).toMatchObject({ status: "warning" });
  expect(fast?.finding).toMatch(/^this machine is 3(599|600|601) s ahead of the service$/);
});

test("says what interrupted runs were creating, and whether the object exists", async () => {
  const zone = { domain: "left.example", type: "master", soa_email: "dns@left.example" };
  const { body } = await emulator.call("POST", "/domains", { token: EVERYTHING, body: zone });
  const over: Run = { pid: 1, started: "never", host: "elsewhere" };
  const notes = new Notes({ PULUMI_HOME: folder }, creations, () => over);
  const hoursAgo = Date.now() - 3 * 3_600_000;
  notes.note(
    "a",
    { type: "Domain", called: "Domain zone", of: "shop/prod", id: String(body["id"]) },
    hoursAgo,
  );
  notes.note("b", { type: "Domain", called: "Domain gone", id: "999999" }, hoursAgo);
  notes.note("c", { type: "Node", called: "Node web", before: [], accepted: false }, hoursAgo);
  const { stdout } = await nodecloud(["doctor"], { environment, directory: folder });
  expect(stdout).toContain(`Domain zone, 3 h ago: ${String(body["id"])} exists in this account`);
  expect(stdout).toContain("Domain gone, 3 h ago: this account has no 999999");
  expect(stdout).toContain("Node web, 3 h ago: it asked for the object, and the answer was lost");
  expect(stdout).toContain("run `pulumi up` of the stack shop/prod, which resumes");
  expect(stdout).toContain("run `pulumi up` of its stack, which resumes");
});

test("reports a version of Node.js that is too old", () => {
  expect(checkNode("20.20.2")).toMatchObject({ status: "problem", finding: "Node.js 20.20.2" });
  expect(checkNode("22.0.0")).toMatchObject({ status: "ok" });
});

test("reports that the PATH has no engine", async () => {
  const { checks } = await examine();
  expect(checks["engine"]).toMatchObject({ status: "problem", finding: "no pulumi on the PATH" });
});

/** Installs packages in the folder of the program: a version for each path. */
function install(versions: Readonly<Record<string, string>>): void {
  for (const [path, version] of Object.entries(versions)) {
    mkdirSync(join(folder, "node_modules", path), { recursive: true });
    writeFileSync(join(folder, "node_modules", path, "package.json"), JSON.stringify({ version }));
  }
}

test("reports a second copy of the SDK, with which resources of the package are not those of the program", async () => {
  install({
    "@pulumi/pulumi": "3.250.0",
    "pulumi-nodecloud": "0.1.0",
    "pulumi-nodecloud/node_modules/@pulumi/pulumi": "3.216.0",
  });
  expect((await examine()).checks["packages"]).toMatchObject({
    status: "problem",
    finding:
      "the program loads @pulumi/pulumi 3.250.0, and pulumi-nodecloud loads a copy of its own, 3.216.0",
  });
});

test("warns of an SDK that is newer than the engine", () => {
  install({ "@pulumi/pulumi": "3.250.0", "pulumi-nodecloud": "0.1.0" });
  const packages = (engine: string) =>
    checkPackages(contextIn({ directory: folder, environment }), {
      ...{ name: "engine", status: "ok", finding: `pulumi ${engine}` },
    });
  expect(packages("v3.249.9")).toMatchObject([
    {
      status: "warning",
      finding: "pulumi-nodecloud 0.1.0 and @pulumi/pulumi 3.250.0, which is newer than pulumi v3.249.9",
    },
  ]);
  expect(packages("v3.250.0")).toMatchObject([{ status: "ok" }]);
});

test("reports that a project has the package without the SDK", async () => {
  install({ "pulumi-nodecloud": "0.1.0" });
  expect((await examine()).checks["packages"]).toMatchObject({
    status: "problem",
    finding: "programs in this folder find no @pulumi/pulumi",
  });
});

test("finds the package and the SDK of a project", async () => {
  const { checks } = await examine(join(ROOT, "test"));
  expect(checks["packages"]?.finding).toMatch(/^pulumi-nodecloud \d+\.\d+\.\d+ and @pulumi\/pulumi 3\./);
});

test("reports a file of issuers that holds no certificate", async () => {
  const file = join(folder, "issuers.pem");
  writeFileSync(file, "not a certificate");
  environment["NODE_EXTRA_CA_CERTS"] = file;
  expect((await examine()).checks["certificates"]).toMatchObject({
    status: "problem",
    finding: `${file} has no certificate`,
  });
});
