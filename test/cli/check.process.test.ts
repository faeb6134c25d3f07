import { execFile } from "node:child_process";
import { chmodSync, readFileSync, realpathSync } from "node:fs";
import { basename, delimiter, join } from "node:path";
import { tmpdir } from "node:os";
import { promisify } from "node:util";
import { type Log } from "sarif";
import { type ProgramProblem } from "../../src/cli/check/problems";
import { nodecloud } from "../helpers/command-line";
import { READER, startTestEmulator, type TestEmulator, withReader } from "../helpers/emulator";
import { programFolder, type ProgramFolder, ROOT } from "../helpers/programs";

const PACKAGE = JSON.stringify({ name: "infra", main: "index.js" });
/** A program that needs no compiler. */
const PLAIN = "name: infra\nruntime:\n  name: nodejs\n  options:\n    typescript: false\n";

let emulator: TestEmulator;
let folder: ProgramFolder;

beforeEach(async () => {
  emulator = await startTestEmulator({ accounts: withReader() });
});
afterEach(async () => {
  folder.remove();
  await emulator.stop();
});

interface Circumstances {
  /** The state of the stack `test`, which a command line prints. Without it, there is no command line. */
  readonly resources?: readonly object[];
  /** Without a token, the account cannot be read. */
  readonly isOffline?: boolean;
  readonly environment?: Readonly<Record<string, string>>;
}

/** Makes a project of these files, and returns how to check it. */
function project(
  files: Readonly<Record<string, string>>,
  { resources, isOffline = false, environment = {} }: Circumstances = {},
) {
  folder = programFolder({ "Pulumi.yaml": PLAIN, "package.json": PACKAGE, ...files }, ROOT);
  if (resources !== undefined) {
    folder.write(".bin/state.json", JSON.stringify({ version: 3, deployment: { resources } }));
    folder.write(
      ".bin/pulumi",
      `#!/bin/sh
case "$*" in
  version*) echo v3.230.0 ;;
  "stack ls"*) echo '[{"name":"test","current":true}]' ;;
  "stack export"*) cat "${folder.path}/.bin/state.json" ;;
  *) echo "error: unexpected: $*" >&2; exit 1 ;;
esac
`,
    );
    chmodSync(join(folder.path, ".bin/pulumi"), 0o755);
  }
  const account = { NODECLOUD_TOKEN: emulator.token, NODECLOUD_BASE_URL: emulator.url };
  return (...args: string[]) =>
    nodecloud(["check", ...args], {
      directory: folder.path,
      environment: {
        PATH: [join(folder.path, ".bin"), "/usr/bin", "/bin"].join(delimiter),
        PULUMI_HOME: join(folder.path, ".home"),
        ...(isOffline ? {} : account),
        ...environment,
      },
    });
}

/** A program with the classes of both entries. */
const program = (...lines: string[]) => ({
  "index.js": [
    'const pulumi = require("@pulumi/pulumi"), nodecloud = require("pulumi-nodecloud"), plugin = require("pulumi-nodecloud/plugin");',
    ...lines,
  ].join("\n"),
});

const ZONE = `const zone = new nodecloud.Domain("zone", { domain: "example.org", type: "master", soaEmail: "dns@example.org" });`;

const linesOf = (text: string) => text.split("\n").filter((line) => line !== "");

async function problemsOf(check: ReturnType<typeof project>, ...args: string[]): Promise<ProgramProblem[]> {
  const { stdout } = await check("--format", "json", ...args);
  return (JSON.parse(stdout) as { problems: ProgramProblem[] }).problems;
}

test("does not let a program of the Automation API deploy", async () => {
  const check = project({
    "index.js": `
const { LocalWorkspace } = require("@pulumi/pulumi/automation");
(async () => {
  const stack = await LocalWorkspace.createOrSelectStack({ stackName: "dev", projectName: "app", program: async () => {} });
  await stack.up();
})();`,
    ".bin/pulumi": '#!/bin/sh\necho "$@" >> "$(dirname "$0")/started"\necho v3.230.0\n',
  });
  chmodSync(join(folder.path, ".bin/pulumi"), 0o755);
  const { code, stdout } = await check();
  expect(stdout).toContain("this program starts `pulumi`, as programs of the Automation API do");
  expect(code).toBe(2);
  // The command itself asks for the stacks.
  const started = readFileSync(join(folder.path, ".bin/started"), "utf8");
  expect(started).not.toMatch(/\b(?:up|init|select)\b/);
});

test("lists fifty mistakes of a program in TypeScript in fifty lines, and sends nothing but reads", async () => {
  const records = Array.from(
    { length: 50 },
    (_, index) =>
      `new nodecloud.DomainRecord("r${index}", { domainId: zone.id, type: "A", name: "h${index}", target: "bad" });`,
  );
  const check = project({
    "Pulumi.yaml": "name: infra\nruntime: nodejs\nmain: src\n",
    "src/package.json": JSON.stringify({ name: "infra", main: "index.ts" }),
    "src/index.ts": [
      'import * as nodecloud from "pulumi-nodecloud";',
      "interface Types { readonly are: string }",
      ZONE,
      ...records,
    ].join("\n"),
  });
  const { code, stdout, stderr } = await check();
  expect(linesOf(stdout)).toHaveLength(50);
  expect(stdout).toContain(
    'src/index.ts:4:1: error: DomainRecord r0: target must be an IPv4 address in a record of type A, not "bad" [NC1101]',
  );
  expect(stderr).toContain("51 resources checked: 50 errors, 0 warnings");
  expect(code).toBe(2);
  expect(await emulator.writes()).toEqual([]);
});

test("finds what is wrong across resources, in components and after transforms, at the lines of the program", async () => {
  const check = project(
    program(
      ZONE,
      'new nodecloud.DomainRecord("one", { domainId: zone.id, type: "A", name: "www", target: "192.0.2.1" });',
      'new nodecloud.DomainRecord("two", { domainId: zone.id, type: "A", name: "www", target: "192.0.2.1" });',
      "class Site extends pulumi.ComponentResource {",
      '  constructor(name, opts) { super("my:Site", name, {}, opts);',
      '    new nodecloud.DomainRecordSet(`${name}-records`, { domainId: zone.id, subdomain: name, records: [{ type: "A", name, target: "192.0.2.1" }] }, { parent: this }); } }',
      'new Site("plain");',
      'const spoil = ({ type, props, opts }) => type.endsWith("RecordSet") ? { props: { ...props, subdomain: "a..b" }, opts } : undefined;',
      'new Site("spoilt", { transforms: [spoil] });',
      'new nodecloud.DomainRecord("unknown", { domainId: zone.id, type: "A", name: zone.id, target: "192.0.2.1" });',
    ),
  );
  expect(await problemsOf(check)).toEqual([
    {
      severity: "error",
      type: "DomainRecord",
      name: "two",
      message: expect.stringContaining("DomainRecord one in this program declares the same object") as string,
      code: "NC1104",
      source: { file: "index.js", line: 4, column: 1 },
    },
    expect.objectContaining({
      type: "DomainRecordSet",
      name: "spoilt-records",
      property: "subdomain",
      source: { file: "index.js", line: 7, column: 5 },
    }),
  ]);
});

test("compares the resources of both entries with the accounts of their providers", async () => {
  const check = project(
    program(
      'const node = { region: "nowhere", type: "g6-nanode-1", image: "node/debian12", rootPass: "correct horse" };',
      'new nodecloud.Node("dynamic", node);',
      'new plugin.Node("full", node);',
      'const closed = { token: pulumi.secret("wrong"), baseUrl: "http://127.0.0.1:9/v4", validate: false };',
      'new nodecloud.Node("elsewhere", node, { provider: new nodecloud.Provider("other", closed) });',
      'new plugin.Node("far", { ...node, region: 3 }, { provider: new plugin.Provider("another", closed) });',
    ),
  );
  const { stdout, stderr } = await check();
  expect(linesOf(stdout)).toEqual([
    expect.stringMatching(/^index\.js:3:1: error: Node dynamic: region .*nowhere/),
    expect.stringMatching(/^index\.js:4:1: error: Node full: region .*nowhere/),
    expect.stringMatching(/^index\.js:7:1: error: Node far: region must be /),
  ]);
  expect(stderr).toContain(
    "provider other: nothing was compared with the account, because nodecloud:validate is false",
  );
  expect(await emulator.writes()).toEqual([]);
});

test("takes the stack's own objects for its own, and those of others for taken", async () => {
  const { body } = await emulator.call("POST", "/domains", {
    body: { domain: "example.org", type: "master", soa_email: "dns@example.org" },
  });
  const type = "pulumi-nodejs:dynamic/nodecloud:Domain";
  const inputs = { domain: "example.org", type: "master", soaEmail: "dns@example.org" };
  const zone = {
    urn: `urn:pulumi:test::infra::${type}::zone`,
    ...{ custom: true, id: String(body["id"]), type, inputs },
    outputs: { ...inputs, __set: Object.keys(inputs).join(",") },
  };
  const source = program(
    ZONE,
    'new nodecloud.DomainRecord("www", { domainId: zone.id, type: "A", name: "www", target: "192.0.2.1" });',
  );
  expect(await problemsOf(project(source, { resources: [zone] }))).toEqual([]);
  folder.remove();
  expect(await problemsOf(project(source, { resources: [] }))).toEqual([
    expect.objectContaining({
      severity: "error",
      name: "zone",
      message: expect.stringContaining("taken") as string,
    }),
  ]);
});

test("ignores an id to adopt if the stack has the resource, also with another object", async () => {
  const inputs = { domain: "example.org", type: "master", soaEmail: "dns@example.org" };
  const { body } = await emulator.call("POST", "/domains", {
    body: { domain: "example.org", type: "master", soa_email: "dns@example.org" },
  });
  const zone = (type: string, name: string) => ({
    urn: `urn:pulumi:test::infra::${type}::${name}`,
    ...{ custom: true, id: String(body["id"]), type, inputs },
    outputs: { ...inputs, __set: Object.keys(inputs).join(",") },
  });
  const source = (entry: string) =>
    program(
      'nodecloud.adopt({ "Domain zone": "77" });',
      `new ${entry}.Domain("zone", ${JSON.stringify(inputs)});`,
      // Other packages answer with their arguments.
      'module.exports = async () => { const { like } = await pulumi.runtime.invoke("aws:index:getAmi", { like: "bad" });',
      '  new nodecloud.DomainRecord("www", { domainId: "12", type: "A", name: "www", target: like }); };',
    );
  const types = { nodecloud: "pulumi-nodejs:dynamic/nodecloud:Domain", plugin: "nodecloud:index:Domain" };
  for (const [entry, type] of Object.entries(types)) {
    const check = project(source(entry), { resources: [zone(type, "zone")] });
    expect(await problemsOf(check)).toEqual([expect.objectContaining({ name: "www", property: "target" })]);
    folder.remove();
  }
});

test("knows a resource by its former name, and takes ignored inputs from the state", async () => {
  const type = "nodecloud:index:DomainRecord";
  const inputs = { domainId: "12", type: "A", name: "www", target: "192.0.2.1" };
  const record = (name: string) => ({
    urn: `urn:pulumi:test::infra::my:Site$${type}::${name}`,
    ...{
      custom: true,
      id: "12/1",
      type,
      inputs,
      outputs: { ...inputs, __set: Object.keys(inputs).join(",") },
    },
  });
  const check = project(
    program(
      'const site = new pulumi.ComponentResource("my:Site", "site");',
      'const wrong = { domainId: "12", type: "A", name: "www", target: "bad" };',
      'new plugin.DomainRecord("new", wrong, { parent: site, aliases: [{ name: "old" }], ignoreChanges: ["target"] });',
      'new plugin.DomainRecord("other", { ...wrong, name: "x" }, { parent: site, ignoreChanges: ["target"] });',
    ),
    { resources: [record("old")], environment: { NODECLOUD_VALIDATE: "false" } },
  );
  expect(await problemsOf(check)).toEqual([expect.objectContaining({ name: "other", property: "target" })]);
});

test("finds nothing wrong with backups that a read_only token cannot compare with the account", async () => {
  const body = { label: "shop", region: "us-east", type: "g6-standard-1", engine: "mysql/8.0.30" };
  const database = await emulator.call("POST", "/databases/mysql/instances", { body });
  emulator.clock.advance(3600);
  const source = program(
    `new nodecloud.MysqlDatabaseBackup("one", { databaseId: "${String(database.body["id"])}", label: "one" });`,
    `new plugin.MysqlDatabaseBackup("two", { databaseId: "${String(database.body["id"])}", label: "two" });`,
  );
  const environment = { NODECLOUD_TOKEN: READER };
  const { code, stdout } = await project(source, { resources: [], environment })("--format", "json");
  const { problems, notes } = JSON.parse(stdout) as { problems: ProgramProblem[]; notes: string[] };
  expect({ code, problems }).toEqual({ code: 0, problems: [] });
  expect(notes).toEqual([
    "the token may not read what needs the scope databases:read_write: the resources that need it are not compared with the account " +
      "(Your token lacks the scope databases:read_write. (403))",
  ]);
});

test("reads no account without a token, and leaves unknown what data functions would read", async () => {
  const check = project(
    program(
      'const found = nodecloud.getDomainOutput({ domain: "example.org" });',
      'new nodecloud.DomainRecord("right", { domainId: found.id, type: "A", name: "www", target: "192.0.2.1" });',
      'new nodecloud.DomainRecord("wrong", { domainId: found.id, type: "A", name: "www2", target: "bad" });',
      'new nodecloud.Domain("adopted", { domain: "example.org", type: "master", soaEmail: "dns@example.org" }, { import: "12" });',
      'module.exports = async () => { const { id } = await nodecloud.getDomain({ domain: "example.com" });',
      '  new nodecloud.DomainRecord("later", { domainId: id, type: "A", name: "www", target: "bad" }); };',
    ),
    { isOffline: true, environment: { NODECLOUD_BASE_URL: emulator.url } },
  );
  const { stdout, stderr } = await check();
  expect(linesOf(stdout)).toEqual([
    expect.stringMatching(/^index\.js:4:1: error: DomainRecord wrong: target /),
    expect.stringMatching(/^index\.js:7:3: error: DomainRecord later: target /),
  ]);
  expect(stderr).toContain("note: nothing was compared with the account: nodecloud:token is not set");
  expect(stderr).toContain("note: Domain adopted: its import is not compared with the account");
  expect(await emulator.counts()).toEqual({});
});

test("gives the program the configuration of the stack, in which a secret that cannot be decrypted is unknown", async () => {
  const check = project(
    {
      ...program(
        "const config = new pulumi.Config();",
        'new nodecloud.DomainRecord("www", { domainId: 12, type: "A", name: config.require("host"), target: config.require("target") });',
        'new nodecloud.DomainRecord("hidden", { domainId: 12, type: "A", name: "b", target: config.requireSecret("hidden"), ttlSec: config.requireNumber("ttl") });',
      ),
      "Pulumi.yaml": `${PLAIN}config:\n  host: { type: string, default: a }\n  ttl: -1\n`,
      "Pulumi.prod.yaml": "config:\n  infra:target: bad\n  infra:hidden:\n    secure: AAAB\n",
    },
    { isOffline: true },
  );
  const { stdout, stderr } = await check("--stack", "prod");
  expect(linesOf(stdout)).toEqual([
    expect.stringMatching(/^index\.js:3:1: error: DomainRecord www: target .* not "bad" \[NC1101\]$/),
    expect.stringMatching(/^index\.js:4:1: error: DomainRecord hidden: ttlSec must be at least 0/),
  ]);
  expect(stderr).toContain("note: these settings are secret and unknown to the program: infra:hidden");
});

test("reports an exception of the program at its line, beside what was found before", async () => {
  const check = project(
    program(
      'new nodecloud.DomainRecord("www", { domainId: 12, type: "A", name: "www", target: "bad" });',
      "function fails() {",
      '  throw new TypeError("no such thing");',
      "}",
      "fails();",
    ),
    { isOffline: true },
  );
  expect((await problemsOf(check)).map(({ message, source }) => [source?.line, message])).toEqual([
    [2, expect.stringContaining("must be an IPv4 address")],
    [4, "TypeError: no such thing"],
  ]);
  folder.write(
    "index.js",
    'const nodecloud = require("pulumi-nodecloud");\nnew nodecloud.Provider("p", { tokn: "x" });\n',
  );
  expect(await problemsOf(check)).toEqual([
    {
      severity: "error",
      message: expect.stringContaining("Provider p: tokn is not a setting of the provider") as string,
      code: "NC1602",
      source: { file: "index.js", line: 2, column: 1 },
    },
  ]);
  folder.write("index.js", "const broken = ;\n");
  expect(await problemsOf(check)).toEqual([
    {
      severity: "error",
      message: "SyntaxError: Unexpected token ';'",
      source: { file: "index.js", line: 1 },
    },
  ]);
});

test("goes on after what the constructors refuse, and reports each refusal at its line", async () => {
  const check = project(
    {
      ...program(
        'nodecloud.adopt({ Domain: "12", "Domain x": 12 });',
        'const own = new nodecloud.Provider("own", { tokn: "x", retries: 3, validate: false });',
        'const record = { domainId: 12, type: "A", name: "www", target: "bad" };',
        'new plugin.DomainRecord("other", record, { provider: own });',
        "class Site extends pulumi.ComponentResource {",
        '  constructor(name, opts) { super("my:Site", name, {}, opts);',
        '    new plugin.DomainRecord("inherits", { ...record, name: "b" }, { parent: this }); } }',
        'new Site("site", { providers: [own] });',
        'const records = [{ type: "A", name: "c", target: "bad" }];',
        'new nodecloud.DomainRecordSet("set", { domainId: 12, records }, { ignoreChanges: ["records[0].target", "records[0].ttlSec"] });',
        'const { label } = new nodecloud.Image("text", { region: "us-east", source: new pulumi.asset.StringAsset("x") });',
        'new plugin.Image("archive", { label: "a", region: "us-east", source: new pulumi.asset.FileArchive(".") });',
        'new nodecloud.DomainRecord("after", { ...record, name: label });',
      ),
      "Pulumi.prod.yaml": "config:\n  nodecloud:tokn: x\n  nodecloud:baseurl: x\n",
    },
    { isOffline: true },
  );
  const { stdout } = await check("--stack", "prod");
  const refused = [
    /^index\.js:2:11: error: adopt: "Domain": a key is the class/,
    /^index\.js:2:11: error: adopt: "Domain x": the id must be a text/,
    /^index\.js:3:13: error: Provider own: tokn is not a setting of the provider/,
    /^index\.js:3:13: error: Provider own: retries is not a setting of the provider/,
    /^index\.js:5:1: error: the configuration of the stack: nodecloud:tokn is not a setting/,
    /^index\.js:5:1: error: the configuration of the stack: nodecloud:baseurl is not a setting/,
    /^index\.js:5:1: error: DomainRecord other: its provider own is from "pulumi-nodecloud", but/,
    /^index\.js:8:5: error: DomainRecord inherits: its parent my:Site site has the provider own/,
    /^index\.js:11:1: error: DomainRecordSet set: ignoreChanges cannot name records\[0\]\.target/,
    /^index\.js:11:1: error: DomainRecordSet set: ignoreChanges cannot name records\[0\]\.ttlSec/,
    /^index\.js:12:19: error: Image text: source must be a path or a pulumi\.asset\.FileAsset/,
    /^index\.js:13:1: error: Image archive: source must be a path or a pulumi\.asset\.FileAsset/,
  ];
  const wrong = [
    /^index\.js:5:1: error: DomainRecord other: target must be/,
    /^index\.js:8:5: error: DomainRecord inherits: target must be/,
    /^index\.js:11:1: error: DomainRecordSet set: records\[0\]\.target must be/,
    /^index\.js:14:1: error: DomainRecord after: target must be/,
  ];
  const expected = [...refused, ...wrong].map((line) => expect.stringMatching(line) as string);
  expect(linesOf(stdout)).toHaveLength(expected.length);
  expect(linesOf(stdout)).toEqual(expect.arrayContaining(expected));
});

test("reports each wrong setting of an explicit provider at its line, and checks the resources without it", async () => {
  const check = project(
    program(
      'const wrong = { baseUrl: "example", maxConcurrency: 1000 };',
      'const one = new nodecloud.Provider("one", wrong);',
      'const two = new plugin.Provider("two", wrong);',
      'const node = { region: "nowhere", type: "g6-nanode-1", image: "node/debian12", rootPass: "correct horse" };',
      'new nodecloud.Node("a", { ...node, rootPass: "short" }, { provider: one });',
      'new plugin.Node("b", { ...node, rootPass: "short" }, { provider: two });',
      'new nodecloud.Node("c", node, { provider: new nodecloud.Provider("three", { resume: "maybe" }) });',
    ),
    { environment: { NODECLOUD_OWNER_TAGS: "maybe" } },
  );
  const { stdout } = await check();
  expect(linesOf(stdout)).toEqual([
    expect.stringMatching(/^index\.js:3:13: error: Provider one: nodecloud:baseUrl: must be/),
    expect.stringMatching(/^index\.js:3:13: error: Provider one: nodecloud:maxConcurrency: must be/),
    expect.stringMatching(/^index\.js:4:13: error: Provider two: nodecloud:baseUrl: must be/),
    expect.stringMatching(/^index\.js:4:13: error: Provider two: nodecloud:maxConcurrency: must be/),
    expect.stringMatching(/^index\.js:6:1: error: Node a: rootPass must be/),
    expect.stringMatching(/^index\.js:7:1: error: Node b: rootPass must be/),
    expect.stringMatching(/^index\.js:8:43: error: Provider three: nodecloud:resume: must be/),
    expect.stringMatching(/^index\.js:8:1: error: Node c: region .*nowhere/),
    'error: NODECLOUD_OWNER_TAGS: must be true or false, not "maybe" [NC1602]',
  ]);
});

/** `pulumi new typescript` installs no ts-node, so that the SDK takes its own copy. */
const WITHOUT_TS_NODE = `const modules = require("node:module");
const find = modules._resolveFilename;
modules._resolveFilename = (name, ...more) => {
  if (name === "ts-node") throw Object.assign(new Error("no ts-node"), { code: "MODULE_NOT_FOUND" });
  return find(name, ...more);
};`;

test.each([
  ["", "runtime: nodejs"],
  [", without ts-node", 'runtime:\n  name: nodejs\n  options:\n    nodeargs: "--require ./without.cjs"'],
])(
  "reports each mistake that the compiler finds in any file, and checks the resources all the same%s",
  async (_, runtime) => {
    const check = project(
      {
        "Pulumi.yaml": `name: infra\n${runtime}\n`,
        "without.cjs": WITHOUT_TS_NODE,
        "package.json": JSON.stringify({ name: "infra", main: "index.ts" }),
        "index.ts": [
          'import * as nodecloud from "pulumi-nodecloud";',
          'import { target } from "./target";',
          'export const one: number = "1";',
          'new nodecloud.DomainRecord("www", { domainId: 12, type: "A", name: "www", target });',
          "export const two: string = 2;",
        ].join("\n"),
        "target.ts": 'export const target: string = "bad";\nexport const three: string = 3;\n',
      },
      { isOffline: true },
    );
    expect((await problemsOf(check)).map(({ message, source }) => [source, message])).toEqual([
      [{ file: "index.ts", line: 3, column: 14 }, expect.stringMatching(/^TS2322: /)],
      [{ file: "index.ts", line: 4, column: 1 }, expect.stringContaining("must be an IPv4 address")],
      [{ file: "index.ts", line: 5, column: 14 }, expect.stringMatching(/^TS2322: /)],
      [{ file: "target.ts", line: 2, column: 14 }, expect.stringMatching(/^TS2322: /)],
    ]);
  },
);

test("reports each mistake that the compiler finds in an ES module, and checks the resources all the same", async () => {
  const check = project(
    {
      "Pulumi.yaml": "name: infra\nruntime: nodejs\n",
      "package.json": JSON.stringify({ name: "infra", main: "index.ts", type: "module" }),
      "index.ts": [
        'import * as nodecloud from "pulumi-nodecloud";',
        'export const one: number = "1";',
        "export const two: string = 2;",
        'new nodecloud.DomainRecord("www", { domainId: 12, type: "A", name: "www", target: "bad" });',
      ].join("\n"),
    },
    { isOffline: true },
  );
  expect((await problemsOf(check)).map(({ message, source }) => [source, message])).toEqual([
    [{ file: "index.ts", line: 2, column: 14 }, expect.stringMatching(/^TS2322: /)],
    [{ file: "index.ts", line: 3, column: 14 }, expect.stringMatching(/^TS2322: /)],
    [{ file: "index.ts", line: 4, column: 1 }, expect.stringContaining("must be an IPv4 address")],
  ]);
});

test("prints commands of workflows with the paths of the repository, and SARIF with those of the working directory", async () => {
  const check = project(
    program('new nodecloud.DomainRecord("a,b", { domainId: 12, type: "A", name: "www", target: "100%" });'),
    // GitHub names files from the root of the repository, in whichever folder the command runs.
    { isOffline: true, environment: { GITHUB_WORKSPACE: realpathSync(tmpdir()) } },
  );
  const file = join(basename(folder.path), "index.js");
  expect((await check("--format", "annotations")).stdout).toBe(
    `::error file=${file},line=2,col=1,title=DomainRecord a%2Cb::DomainRecord a,b: target must be an IPv4 address in a record of type A, not "100%25" [NC1101]\n`,
  );
  const { runs } = JSON.parse((await check("--format", "sarif")).stdout) as Log;
  expect(runs[0]?.results).toEqual([
    expect.objectContaining({
      level: "error",
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: "index.js", uriBaseId: "%SRCROOT%" },
            region: { startLine: 2, startColumn: 1 },
          },
        },
      ],
    }),
  ]);
});

test("keeps a mistake out of a commit as the hook of docs/check.md", async () => {
  const [, hook = ""] =
    /`\.git\/hooks\/pre-commit`[^]*?```sh\n([^]*?)```/.exec(
      readFileSync(join(ROOT, "docs/check.md"), "utf8"),
    ) ?? [];
  const record = (target: string) =>
    program(
      `new nodecloud.DomainRecord("www", { domainId: 12, type: "A", name: "www", target: "${target}" });`,
    );
  project({ ...record("web"), ".gitignore": "node_modules\n" });
  const git = async (...args: string[]) => {
    const author = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"];
    const started = promisify(execFile)("git", [...author, ...args], {
      cwd: folder.path,
      env: { PATH: process.env["PATH"], HOME: folder.path },
    });
    return started.then(
      ({ stdout }) => stdout,
      ({ stdout, stderr }: { stdout: string; stderr: string }) => `refused: ${stdout}${stderr}`,
    );
  };
  await git("init", "--quiet", "--initial-branch", "main");
  folder.write(".git/hooks/pre-commit", hook);
  chmodSync(join(folder.path, ".git/hooks/pre-commit"), 0o755);
  await git("add", ".");
  expect(await git("commit", "--message", "add www")).toMatch(
    /^refused: index\.js:2:1: error: DomainRecord www: target must be an IPv4 address/,
  );
  for (const [file, text] of Object.entries(record("192.0.2.1"))) folder.write(file, text);
  await git("add", ".");
  await git("commit", "--quiet", "--message", "add www");
  expect(await git("log", "--format=%s")).toBe("add www\n");
});

test.each(["python", "go"])("says which programs it reads, and fails for the runtime %s", async (runtime) => {
  const check = project({ "Pulumi.yaml": `name: infra\nruntime: ${runtime}\n` });
  expect(await check()).toEqual({
    code: 1,
    stdout: "",
    stderr: `error: nodecloud check reads programs in TypeScript and JavaScript only, and the one in . is for the runtime ${runtime} [NC2012]\n`,
  });
});

test.each([
  ["nothing is wrong", [], "1 resource checked: 0 errors, 0 warnings"],
  [
    "there are only warnings",
    [
      'new nodecloud.DomainRecordSet("set", { domainId: 12, exclusive: true, records: [{ type: "A", name: "www", target: "192.0.2.1" }] });',
    ],
    "2 resources checked: 0 errors, 1 warning",
  ],
])("succeeds if %s", async (_, lines, counts) => {
  const { code, stderr } = await project(program(ZONE, ...lines), { isOffline: true })();
  expect(stderr).toContain(counts);
  expect(code).toBe(0);
});
