import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, lstatSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { delimiter, join } from "node:path";
import { declaredBy, filesIn } from "../../helpers/adopting-program";
import { nodecloud, type Printed } from "../../helpers/command-line";
import { startTestEmulator, type TestEmulator } from "../../helpers/emulator";
import { programFolder, type ProgramFolder, ROOT } from "../../helpers/programs";

const PREFIX = "pulumi-nodejs:dynamic/nodecloud:";
const PROJECT = "name: infra\nruntime: nodejs\n";

let emulator: TestEmulator;
let folder: ProgramFolder;
const path = process.env["PATH"] ?? "";

beforeEach(async () => {
  emulator = await startTestEmulator();
});
afterEach(async () => {
  process.env["PATH"] = path;
  folder.remove();
  await emulator.stop();
});

/** A project whose stack `test` has these resources, and a command line that prints its state. */
function project(
  files: Readonly<Record<string, string>>,
  resources: readonly object[] = [],
  configuration: object = {},
): void {
  folder = programFolder(files, ROOT);
  folder.write("node_modules/.state.json", JSON.stringify({ version: 3, deployment: { resources } }));
  folder.write("node_modules/.config.json", JSON.stringify(configuration));
  folder.write(
    "node_modules/.commands/pulumi",
    `#!/bin/sh
case "$*" in
  version*) echo v3.230.0 ;;
  "stack ls"*) echo '[{"name":"test","current":true}]' ;;
  "stack export"*) cat "${folder.path}/node_modules/.state.json" ;;
  config*) cat "${folder.path}/node_modules/.config.json" ;;
  *) echo "unexpected: $*" >&2; exit 1 ;;
esac
`,
  );
  chmodSync(join(folder.path, "node_modules/.commands/pulumi"), 0o755);
  process.env["PATH"] = join(folder.path, "node_modules/.commands") + delimiter + path;
}

const inState = (type: string, name: string, id: string, outputs: object, prefix = PREFIX) => ({
  urn: `urn:pulumi:test::infra::${prefix}${type}::${name}`,
  ...{ custom: true, id, type: `${prefix}${type}`, inputs: outputs, outputs },
});

const run = (...args: string[]): Promise<Printed> =>
  nodecloud(["import", ...args], {
    directory: folder.path,
    environment: {
      PATH: process.env["PATH"],
      NODECLOUD_TOKEN: emulator.token,
      NODECLOUD_BASE_URL: emulator.url,
    },
  });

async function create(at: string, body: object): Promise<string> {
  const answer = await emulator.call("POST", at, { body });
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  return String(answer.body["id"]);
}
const domain = (name = "example.org") =>
  create("/domains", { domain: name, type: "master", soa_email: "dns@example.org" });
const record = (zone: string, name: string) =>
  create(`/domains/${zone}/records`, { type: "A", name, target: "192.0.2.1" });

describe("the new files are beside the entry, and the program reads its zones, with", () => {
  const programs: Record<string, readonly [files: Record<string, string>, entry: string, runsIn: string]> = {
    "index.ts": [{ "index.ts": "export {};\n" }, "index.ts", "."],
    "an entry that package.json names": [
      { "src/start.ts": "export {};\n", "package.json": '{"main":"src/start.ts"}' },
      "src/start.ts",
      ".",
    ],
    "an entry that package.json names without its extension": [
      { "src/start.ts": "export {};\n", "package.json": '{"main":"src/start"}' },
      "src/start.ts",
      ".",
    ],
    "a folder that package.json names": [
      { "src/index.ts": "export {};\n", "package.json": '{"main":"./src"}' },
      "src/index.ts",
      ".",
    ],
    "compiled files in package.json": [
      { "index.ts": "export {};\n", "package.json": '{"main":"bin/index.js"}' },
      "index.ts",
      ".",
    ],
    "a folder as main of the project": [
      { "app/index.ts": "export {};\n", "Pulumi.yaml": `${PROJECT}main: app\n` },
      "app/index.ts",
      "app",
    ],
    "a file as main of the project": [
      { "app/run.ts": "export {};\n", "Pulumi.yaml": `${PROJECT}main: app/run.ts\n` },
      "app/run.ts",
      "app",
    ],
    "ES modules": [
      { "src/index.ts": "export {};\n", "package.json": '{"type":"module","main":"src/index.ts"}' },
      "src/index.ts",
      ".",
    ],
  };
  test.each(Object.entries(programs))("%s", async (name, [files, entry, runsIn]) => {
    const zone = await domain();
    await record(zone, "www");
    project({ "Pulumi.yaml": PROJECT, ...files });
    expect(await run()).toMatchObject({ code: 0, stderr: "" });
    const text = readFileSync(join(folder.path, entry), "utf8");
    expect(text).toBe(`export {};\nimport "./imported${name === "ES modules" ? "/index.ts" : ""}";\n`);
    const at = join(folder.path, runsIn);
    const start = join(folder.path, entry).slice(at.length + 1);
    expect(declaredBy(at, start)).toEqual([
      expect.objectContaining({ type: "Domain", options: {}, imports: zone }),
      expect.objectContaining({
        type: "DomainRecordSet",
        args: { domainId: `Domain ${zone}`, zoneFile: "$ORIGIN example.org.\nwww A 192.0.2.1\n" },
      }),
    ]);
  });
});

test.each([
  ["as the program does", `import "./other.js";\n`, PROJECT, "/index.js"],
  ["as the program does", `import { a } from "../other.ts";\n`, PROJECT, "/index.ts"],
  [
    "as the program does, whatever it reads or says",
    `// import "./old.ts"\nimport data from "./data.json" with { type: "json" };\nimport { a } from "./other.mjs";\n`,
    PROJECT,
    "/index.js",
  ],
  ["as a loader needs it", "", `${PROJECT}  options:\n    nodeargs: --import tsx\n`, "/index.js"],
  ["as Node needs it", `import * as fs from "node:fs";\n`, PROJECT, "/index.ts"],
])("an ES module imports the new files %s", async (_, before, settings, ending) => {
  await domain();
  const runtime = settings.replace("runtime: nodejs\n  options", "runtime:\n  name: nodejs\n  options");
  project({ "Pulumi.yaml": runtime, "package.json": '{"type":"module"}', "index.ts": before });
  expect(await run()).toMatchObject({ code: 0, stderr: "" });
  const text = readFileSync(join(folder.path, "index.ts"), "utf8");
  expect(text).toBe(`${before}import "./imported${ending}";\n`);
});

test("a new program names the projects whose stacks it has not read", async () => {
  await domain();
  project({ "infra/Pulumi.yaml": PROJECT });
  const { stdout } = await nodecloud(["import", "--out", "other"], {
    directory: folder.path,
    environment: { NODECLOUD_TOKEN: emulator.token, NODECLOUD_BASE_URL: emulator.url },
  });
  expect(stdout).toContain(
    "warning: the stacks of infra were not read, so the program may have objects that they manage: name the folders, as in nodecloud import infra --out other",
  );
  const named = await run("infra", "--out", "another");
  expect(named).toMatchObject({ code: 0, stderr: "" });
  expect(named.stdout).not.toContain("were not read");
});

if (process.platform === "linux") {
  test("a new program is written where projects cannot be looked for, and that is said", async () => {
    await domain();
    project({});
    // Even the superuser cannot read a folder with too long a path.
    const tooLong = `for i in $(seq 25); do mkdir ${"a".repeat(200)}; cd -P ${"a".repeat(200)}; done 2> /dev/null`;
    execFileSync("sh", ["-c", tooLong], { cwd: folder.path });
    try {
      const { code, stdout } = await nodecloud(["import", "--out", "other"], {
        directory: folder.path,
        environment: { NODECLOUD_TOKEN: emulator.token, NODECLOUD_BASE_URL: emulator.url },
      });
      expect(code).toBe(0);
      expect(stdout).toMatch(/warning: the projects here could not be looked for, .*: ENAMETOOLONG/);
      expect(existsSync(join(folder.path, "other/index.ts"))).toBe(true);
    } finally {
      execFileSync("rm", ["-rf", join(folder.path, "a".repeat(200))]);
    }
  });
}

test.each([
  ["without an end of line", "export {};", 'export {};\nimport "./imported-2";\n'],
  ["with the line ends of Windows", "export {};\r\n", 'export {};\r\nimport "./imported-2";\r\n'],
  ["that is empty", "", 'import "./imported-2";\n'],
])("an entry %s gets one line more, beside a folder that is there", async (_, before, after) => {
  await domain();
  project({ "Pulumi.yaml": PROJECT, "imported/index.ts": "export {};\n", "program.ts": before });
  const entry = join(folder.path, "program.ts");
  chmodSync(entry, 0o640);
  symlinkSync(entry, join(folder.path, "index.ts"));
  expect(await run()).toMatchObject({ code: 0, stderr: "" });
  expect(readFileSync(entry, "utf8")).toBe(after);
  expect(statSync(entry).mode & 0o777).toBe(0o640);
  expect(lstatSync(join(folder.path, "index.ts")).isSymbolicLink()).toBe(true);
});

test("an entry that is not UTF-8 leaves the folder as it was", async () => {
  await domain();
  project({ "Pulumi.yaml": PROJECT });
  folder.write("index.ts", Buffer.from([0x2f, 0x2f, 0xff, 0x0a]));
  const before = filesIn(folder.path);
  const { code, stdout, stderr } = await run();
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toMatch(
    /^error: cannot write the program, nothing was changed: \S+index\.ts is not UTF-8.*\n$/,
  );
  expect(filesIn(folder.path)).toEqual(before);
});

test.each([
  [
    "python",
    { "Pulumi.yaml": "name: a\nruntime: python\n" },
    /^error: the program in \. is not written in TypeScript: /,
  ],
  ["JavaScript", { "Pulumi.yaml": PROJECT, "index.js": "" }, /^error: the program in \. has no index\.ts: /],
  [
    "a broken manifest",
    { "Pulumi.yaml": PROJECT, "index.ts": "", "package.json": "{" },
    /^error: cannot read \S+package\.json: /,
  ],
  [
    "other files",
    { "notes.txt": "" },
    /^error: this folder is neither empty nor the folder of a Pulumi project: /,
  ],
])("a folder with %s is an error in one line, and nothing is written", async (_, files, message) => {
  await domain();
  project(files);
  const before = filesIn(folder.path);
  const { code, stdout, stderr } = await run();
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toMatch(message);
  expect(stderr.trimEnd().split("\n")).toHaveLength(1);
  expect(filesIn(folder.path)).toEqual(before);
});

describe("of a program with resources of the full plugin", () => {
  const imports = {
    'import * as nodecloud from "pulumi-nodecloud/plugin";': [],
    'import nodecloud = require("pulumi-nodecloud/plugin");': [],
    'import * as nodecloud from "pulumi-nodecloud";': ["--plugin"],
  };
  test.each(Object.entries(imports))("%s: the new files use its classes", async (line, args) => {
    const zone = await domain();
    const other = await domain("other.example");
    const state = [inState("Domain", "zone", zone, { domain: "example.org" }, "nodecloud:index:")];
    project({ "Pulumi.yaml": PROJECT, "index.ts": `import "./zones";\n`, "zones.ts": `${line}\n` }, state);
    const { code, stdout } = await run(...args);
    expect(code).toBe(0);
    expect(stdout).toContain("then delete imported/adopt.ts and its line in imported/index.ts: ");
    const written = filesIn(join(folder.path, "imported"));
    expect(Object.keys(written).sort()).toEqual(["adopt.ts", "domains/other-example.ts", "index.ts"]);
    for (const file of ["adopt.ts", "domains/other-example.ts"])
      expect(written[file]).toContain('import * as nodecloud from "pulumi-nodecloud/plugin";\n');
    expect(written["adopt.ts"]).toContain(`nodecloud.adopt({ "Domain other.example": "${other}" });\n`);
  });

  test.each([
    ["by an option", `import { Domain } from "pulumi-nodecloud/plugin";`, "", '{ import: "ID" }'],
    [
      "in a component",
      `import nodecloud = require("pulumi-nodecloud/plugin");`,
      'nodecloud.adopt({ "my:Site$Domain zone": "ID" });',
      "{}",
    ],
  ])(
    "what it imports %s is not written again, and what another package imports is",
    async (_, line, call, options) => {
      const zone = await domain();
      await domain("other.example");
      const foreign = `import * as aws from "@pulumi/aws";\nnew aws.Domain("other", {}, { import: "2" });\n`;
      const created = `new Domain("zone", { domain: "example.org", type: "master" }, ${options});`;
      const program = [line, call, created].join("\n").replace("ID", zone);
      project({ "Pulumi.yaml": PROJECT, "index.ts": program, "aws.ts": foreign });
      expect((await run()).stdout).toContain(
        "Domain example.org (1): the program imports it already: run `pulumi up`",
      );
      expect(declaredBy(folder.path, "imported/index.ts").map(({ imports: id }) => id)).toEqual(["2"]);
    },
  );
});

describe("of a domain that a stack manages", () => {
  const state = (zone: string, exclusive: boolean, held: string) => {
    const line = "www A 192.0.2.1";
    return [
      inState("Domain", "zone", zone, { domain: "example.org" }),
      inState("DomainRecordSet", "set", zone, {
        domainId: zone,
        records: line,
        exclusive,
        __ids: held,
        subdomain: exclusive ? "dev" : undefined,
      }),
    ];
  };

  test("an exclusive set owns what it covers, and other records are adopted below the literal id", async () => {
    const zone = await domain();
    await record(zone, "a.dev");
    const other = await record(zone, "www");
    project({ "Pulumi.yaml": PROJECT, "index.ts": "" }, state(zone, true, ""));
    const { code, stdout } = await run("--style", "single");
    expect(code).toBe(0);
    expect(stdout).toContain("the exclusive set set owns it, and the next `pulumi up` deletes it");
    expect(declaredBy(folder.path)).toEqual([
      {
        type: "DomainRecord",
        name: "www.example.org-A",
        args: { domainId: zone, type: "A", name: "www", target: "192.0.2.1" },
        options: {},
        imports: `${zone}/${other}`,
      },
    ]);
  });

  test("what the program imports is not written again until it is adopted, and no name is used twice", async () => {
    const zone = await domain();
    const one = await record(zone, "www");
    const resources = [inState("Domain", "zone", zone, { domain: "example.org" })];
    const single = `new nodecloud.DomainRecord("www.example.org-A", args, { import: "${zone}/${one}" });\n`;
    const start = 'import * as nodecloud from "pulumi-nodecloud";\nconst args = {} as never;\n';
    project({ "Pulumi.yaml": PROJECT, "index.ts": start + single }, resources);
    const nothing = await run("--style", "single");
    expect(nothing.stdout).toContain(
      `DomainRecord A www (${zone}/${one}): the program imports it already: run \`pulumi up\``,
    );
    expect(existsSync(join(folder.path, "imported"))).toBe(false);
    const two = await record(zone, "www");
    expect(await run("--style", "single")).toMatchObject({ code: 0, stderr: "" });
    expect(declaredBy(folder.path).map(({ name, imports: id }) => [name, id])).toEqual([
      ["www.example.org-A", `${zone}/${one}`],
      ["www.example.org-A-2", `${zone}/${two}`],
    ]);
    const again = await run("--style", "single");
    expect(again.stdout).toContain("Nothing was written: there is nothing to adopt.");
    for (const id of [one, two]) {
      expect(again.stdout).toMatch(
        new RegExp(`DomainRecord .*A www \\(${zone}/${id}\\).*: the program imports it already`),
      );
    }
  });

  test("an adopted set with its option import does not hide later records", async () => {
    const zone = await domain();
    await record(zone, "later");
    const set = `new nodecloud.DomainRecordSet("set", {} as never, { import: "${zone}" });\n`;
    const files = {
      "Pulumi.yaml": PROJECT,
      "index.ts": `import * as nodecloud from "pulumi-nodecloud";\n${set}`,
    };
    project(files, [inState("Domain", "zone", zone, { domain: "example.org" })]);
    expect((await run()).stdout).toContain("the program imports it already: run `pulumi up`");
    folder.remove();
    project(files, state(zone, false, ""));
    expect(await run()).toMatchObject({ code: 0, stderr: "" });
    expect(declaredBy(folder.path).map(({ type, name }) => [type, name])).toEqual([
      ["DomainRecordSet", "set"],
      ["DomainRecordSet", "example.org"],
    ]);
  });
});

test("what a Terraform state has is added to a program that is there", async () => {
  const id = await domain();
  project({ "Pulumi.yaml": PROJECT, "index.ts": "export {};\n" });
  const attributes = { id, domain: "example.org" };
  const resources = [{ mode: "managed", type: "linode_domain", name: "zone", instances: [{ attributes }] }];
  folder.write("own.json", JSON.stringify({ version: 4, resources }));
  expect(await run("--from-terraform", "own.json")).toMatchObject({ code: 0, stderr: "" });
  expect(declaredBy(folder.path)).toMatchObject([{ type: "Domain", name: "zone", imports: id }]);
});

test.each([
  ["that its stack has", true],
  ["that it does not have deployed yet", false],
])("a second Terraform state takes no name, component or key of the program %s", async (_, isDeployed) => {
  const zones = [await domain("one.example"), await domain("two.example")] as const;
  const nodes = await Promise.all(
    ["first", "second"].map((label) =>
      create("/node/instances", { region: "us-east", type: "g6-nanode-1", label }),
    ),
  );
  const node = inState("Node", "site-web", nodes[0] ?? "", { label: "first" });
  const inSite = { ...node, urn: node.urn.replace("::pulumi-", "::terraform:modules:Site$pulumi-") };
  const stack = [inState("Domain", "zone", zones[0], { domain: "one.example" }), inSite];
  const configuration = { "infra:siteWebRootPass": { value: "kept", secret: true } };
  const files = { "Pulumi.yaml": PROJECT, "index.ts": "export {};\n" };
  project(files, isDeployed ? stack : [], isDeployed ? configuration : {});
  const resource = (type: string, name: string, attributes: object, module?: string) => ({
    ...{ mode: "managed", type, name, module, instances: [{ attributes }] },
  });
  const stateOf = (at: number, label: string, name: string) => ({
    version: 4,
    resources: [
      resource("linode_domain", "zone", { id: zones[at], domain: name }),
      resource("linode_instance", "web", { id: nodes[at], label, root_pass: label }, "module.site"),
    ],
  });
  folder.write("first.json", JSON.stringify(stateOf(0, "first", "one.example")));
  folder.write("second.json", JSON.stringify(stateOf(1, "second", "two.example")));
  if (!isDeployed) expect(await run("--from-terraform", "first.json")).toMatchObject({ code: 0 });
  const { stdout } = await run("--from-terraform", "second.json");
  expect(stdout).toContain(
    "linode_domain.zone: its name in the program is zone-2, because another Domain is called zone",
  );
  expect(stdout).toContain("siteWebRootPass2 (rootPass of module.site.linode_instance.web)");
  expect(declaredBy(folder.path).map(({ type, name, imports }) => [type, name, imports])).toEqual([
    ...(isDeployed
      ? []
      : [
          ["Domain", "zone", zones[0]],
          ["Node", "site-web", nodes[0]],
        ]),
    ["Domain", "zone-2", zones[1]],
    ["Node", "site-web", nodes[1]],
  ]);
  const written = filesIn(join(folder.path, isDeployed ? "imported" : "imported-2"));
  expect(written["adopt.ts"]).toContain('"Domain zone-2": ');
  expect(written["adopt.ts"]).toContain('"terraform:modules:Site2$Node site-web": ');
  expect(written["modules/site2.ts"]).toContain('super("terraform:modules:Site2"');
  expect(written["modules/site2.ts"]).toContain('getSecret("siteWebRootPass2")');
});
