import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import Ajv from "ajv";
import type { Log } from "sarif";
import { startTestEmulator, type TestEmulator } from "../helpers/emulator";
import { programFolder, type ProgramFolder } from "../helpers/programs";
import { type Commands, commandsIn } from "../helpers/stack";

let emulator: TestEmulator;
let folder: ProgramFolder;
let infra: Commands;

interface Printed {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The parts of the JSON report that programs read first. */
interface Report {
  readonly version: number;
  readonly complete: boolean;
  readonly counts: Readonly<Record<string, number>>;
  readonly coverage: { readonly percent: number };
  readonly stacks: readonly { readonly name: string; readonly directory: string }[];
  readonly findings: readonly { readonly kind: string; readonly label?: string }[];
  readonly gaps: readonly { readonly what: string; readonly reason: string }[];
  readonly notes: readonly string[];
}

/** Runs the installed command in a process of its own, in the folder above the projects. */
const nodecloud = (...args: string[]): Promise<Printed> =>
  new Promise((resolve) => {
    const program = join(folder.path, "node_modules/pulumi-nodecloud/dist/bin/nodecloud.js");
    const options = { cwd: folder.path, env: infra.env };
    execFile(process.execPath, [program, ...args], options, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });

const report = ({ stdout }: Printed) => JSON.parse(stdout) as Report;

const PROGRAM = `
const pulumi = require("@pulumi/pulumi");
const nodecloud = require("pulumi-nodecloud");
if (pulumi.getStack() !== "empty") {
  const domain = pulumi.getProject() + "-" + pulumi.getStack() + ".example";
  const ignoreChanges = pulumi.getStack() === "staging" ? ["soaEmail"] : [];
  new nodecloud.Domain("zone", { domain, type: "master", soaEmail: "dns@example.org" }, { ignoreChanges });
}`;

const validSarif = (() => {
  const file = require.resolve("@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json");
  // The schema uses draft 4 of JSON Schema, and only what the later drafts understand in the same way.
  const schema = JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>;
  delete schema["id"];
  delete schema["$schema"];
  return new Ajv({ strict: false, validateFormats: false, unicodeRegExp: false }).compile(schema);
})();

beforeAll(async () => {
  emulator = await startTestEmulator({ speed: 60_000 });
  const projects = { infra: ["staging", "prod"], dns: ["main", "empty"] };
  folder = programFolder();
  for (const [name, stacks] of Object.entries(projects)) {
    folder.write(`${name}/Pulumi.yaml`, `name: ${name}\nruntime: nodejs\n`);
    folder.write(`${name}/package.json`, JSON.stringify({ name, main: "index.js" }));
    folder.write(`${name}/index.js`, PROGRAM);
    const commands = commandsIn(join(folder.path, name), emulator);
    if (name === "infra") infra = commands;
    commands.env["PULUMI_BACKEND_URL"] = infra.env["PULUMI_BACKEND_URL"];
    for (const stack of stacks) {
      await commands.init(stack);
      expect(await commands.up("--stack", stack)).toMatchObject({ code: 0 });
    }
  }
});

afterAll(async () => {
  folder.remove();
  await emulator.stop();
});

test("all stacks of two projects: exit code 0, though an ignored input changed, and a note about a stack without resources of this package", async () => {
  const { body } = await emulator.call("GET", "/domains");
  const staging = (body["data"] as { id: number; domain: string }[]).find(
    ({ domain }) => domain === "infra-staging.example",
  );
  const change = { body: { soa_email: "ignored@example.org" } };
  expect((await emulator.call("PUT", `/domains/${staging?.id}`, change)).status).toBe(200);
  const printed = await nodecloud("drift", "infra", "dns", "--all", "--format", "json");
  expect(printed).toMatchObject({
    code: 0,
    stderr: "note: stack empty of dns has no resources of pulumi-nodecloud\n",
  });
  expect(report(printed)).toMatchObject({
    version: 1,
    complete: true,
    counts: { changed: 0, deleted: 0, shared: 0, unmanaged: 0, ignored: 0, gaps: 0 },
    coverage: { percent: 100 },
    findings: [],
  });
  const names = report(printed).stacks.map(({ name, directory }) => `${directory}/${name}`);
  expect(names.sort()).toEqual(["dns/empty", "dns/main", "infra/prod", "infra/staging"]);
});

test("stacks of two projects by name: exit code 2, as the object of the other stack is unmanaged", async () => {
  const printed = await nodecloud("drift", "infra", "dns", "--stack", "staging,main", "--format", "json");
  expect(printed).toMatchObject({ code: 2, stderr: "" });
  expect(report(printed)).toMatchObject({
    complete: true,
    counts: { changed: 0, deleted: 0, shared: 0, unmanaged: 1 },
    stacks: [{ name: "main" }, { name: "staging" }],
    findings: [{ kind: "unmanaged", label: "infra-prod.example" }],
  });
  const known = await nodecloud("drift", "infra", "dns", "--stack", "staging,main", "--fail-on", "deleted");
  expect(known.code).toBe(0);
  expect(known.stdout).toContain("infra-prod.example");
});

test("a stack without resources of this package: exit code 2, as nothing manages what the account of NODECLOUD_TOKEN has", async () => {
  const printed = await nodecloud("drift", "dns", "--stack", "empty", "--format", "json");
  expect(printed).toMatchObject({
    code: 2,
    stderr: "note: stack empty of dns has no resources of pulumi-nodecloud\n",
  });
  const { complete, counts } = report(printed);
  expect({ complete, unmanaged: counts["unmanaged"] }).toEqual({ complete: true, unmanaged: 3 });
});

test("a change outside Pulumi: exit code 2, and a valid SARIF file with the line of the program", async () => {
  const { body } = await emulator.call<{ data: { id: number; domain: string }[] }>("GET", "/domains");
  const prod = body.data.find(({ domain }) => domain === "infra-prod.example");
  await emulator.call("PUT", `/domains/${prod?.id}`, { body: { soa_email: "else@example.org" } });
  const printed = await nodecloud("drift", "--all", "--format", "sarif", "--out", "drift.sarif");
  expect(printed).toMatchObject({ code: 2, stdout: "" });
  const log = JSON.parse(readFileSync(join(folder.path, "drift.sarif"), "utf8")) as Log;
  validSarif(log);
  expect(validSarif.errors).toBeNull();
  expect(log.runs[0]?.results).toMatchObject([
    {
      ruleId: "nodecloud/changed",
      locations: [
        { physicalLocation: { artifactLocation: { uri: "infra/index.js" }, region: { startLine: 7 } } },
      ],
    },
  ]);
});

test("a stack that does not exist: exit code 1, one line on standard error, and no report", async () => {
  const printed = await nodecloud("drift", "infra", "--stack", "missing", "--format", "json");
  expect(printed).toMatchObject({ code: 1, stdout: "" });
  expect(printed.stderr).toMatch(
    /^error: cannot read stack missing of infra: .*no stack named 'missing' found; the stacks are prod, staging \[NC2006\]\n$/,
  );
  const near = await nodecloud("drift", "infra", "--stack", "prod,stagin");
  expect(near.stderr).toMatch(/no stack named 'stagin' found; did you mean staging\? \[NC2006\]\n$/);
  const several = await nodecloud("drift", "infra", "dns", "--stack", "stagin");
  expect(several.stderr).toBe(
    "error: there is no stack stagin in infra, dns; did you mean staging? [NC2005]\n",
  );
});
