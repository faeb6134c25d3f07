import { chmodSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { startTestEmulator, type TestEmulator } from "../helpers/emulator";
import { npmInstall, pack, packThis, type Project, SDK_RANGE, SDKS, userProject } from "../helpers/packed";
import { ROOT } from "../helpers/programs";
import { testStack, type TestStack } from "../helpers/stack";
import { KINDS } from "../matrix/every-kind";
import { unsampled } from "../matrix/pairs";

/** A component with two resources of each kind. */
const source = `import * as pulumi from "@pulumi/pulumi";
import * as nodecloud from "pulumi-nodecloud";

export interface SiteArgs {
  domain: pulumi.Input<string>;
  tag: pulumi.Input<string>;
}

export class Site extends pulumi.ComponentResource {
  public readonly address: pulumi.Output<string>;

  constructor(name: string, args: SiteArgs, opts?: pulumi.ComponentResourceOptions) {
    super("acme:index:Site", name, args, opts);
    const at = { region: "us-east" };
    const own = { parent: this };
    const addresses = ["a", "b"].map((part) => {
      const named = (kind: string) => \`\${name}-\${kind}-\${part}\`;
      const node = new nodecloud.Node(named("node"), { ...at, type: "g6-nanode-1", image: "node/debian12", tags: [args.tag] }, own);
      new nodecloud.NodeBackupSnapshot(named("snapshot"), { nodeId: node.id, label: "first" }, own);
      const database = { ...at, type: "g6-standard-1" };
      const mysql = new nodecloud.MysqlDatabase(named("mysql"), { ...database, engine: "mysql/8.0.30" }, own);
      const postgresql = new nodecloud.PostgresqlDatabase(named("postgresql"), { ...database, engine: "postgresql/14.6" }, own);
      new nodecloud.MysqlDatabaseBackup(named("mysql-backup"), { databaseId: mysql.id }, own);
      new nodecloud.PostgresqlDatabaseBackup(named("postgresql-backup"), { databaseId: postgresql.id }, own);
      const domain = pulumi.interpolate\`\${part}.\${args.domain}\`;
      const zone = new nodecloud.Domain(named("zone"), { domain, type: "master", soaEmail: "dns@example.org" }, own);
      const address = node.ipv4.apply(([first]) => first ?? "");
      new nodecloud.DomainRecord(named("www"), { domainId: zone.id, type: "A", name: "www", target: address }, own);
      new nodecloud.DomainRecordSet(named("set"), { domainId: zone.id, records: [{ type: "A", name: "set", target: address }] }, own);
      new nodecloud.Image(named("image"), { ...at, source: "disk.img" }, own);
      const objects = { Node: node, MysqlDatabase: mysql, PostgresqlDatabase: postgresql, Domain: zone };
      ${unsampled((kind, args) => `new nodecloud.${kind}(named("${kind}"), ${args}, own);`)}
      return address;
    });
    this.address = pulumi.all(addresses).apply((all) => all.join());
    this.registerOutputs({ address: this.address });
  }
}
`;
const all = 2 * KINDS.length;

const nodecloudOf = (archive: string) => ({ "pulumi-nodecloud": `file:${archive}` });
const manifest = {
  name: "@acme/site",
  version: "1.0.0",
  main: "bin/index.js",
  types: "bin/index.d.ts",
  files: ["bin"],
};
const sdkOf = (version: string) => ({ "@pulumi/pulumi": version });

let emulator: TestEmulator;
let store: Project;
let archives: {
  readonly own: string;
  /** The component package with this package as a peer dependency. */
  readonly peer: string;
  /** The component package with this package as a dependency. */
  readonly direct: string;
};
const removals: (() => void)[] = [];

beforeAll(async () => {
  emulator = await startTestEmulator({ speed: 60_000 });
  store = userProject();
  const own = await packThis(store.path);
  const peerDependencies = { ...sdkOf(SDK_RANGE), "pulumi-nodecloud": "*" };
  const devDependencies = { ...nodecloudOf(own), ...sdkOf(SDKS.newest) };
  store.write("peer/package.json", { ...manifest, peerDependencies, devDependencies });
  store.write("peer/index.ts", source);
  const compilerOptions = { module: "node16", declaration: true, outDir: "bin", strict: true, types: [] };
  store.write("peer/tsconfig.json", { compilerOptions, files: ["index.ts"] });
  await npmInstall(store, "--prefix", "peer");
  await store.run(process.execPath, [join(ROOT, "node_modules/typescript/bin/tsc")], { folder: "peer" });
  store.write("direct/package.json", {
    ...manifest,
    dependencies: nodecloudOf(own),
    peerDependencies: sdkOf(SDK_RANGE),
  });
  store.write("direct/bin/index.js", readFileSync(join(store.path, "peer/bin/index.js"), "utf8"));
  archives = {
    own,
    peer: await pack(join(store.path, "peer"), store.path + "/packed-peer"),
    direct: await pack(join(store.path, "direct"), store.path + "/packed-direct"),
  };
});

afterEach(() => {
  for (const remove of removals.splice(0)) remove();
});

afterAll(async () => {
  store?.remove();
  await emulator?.stop();
});

const program = (tag: string) =>
  `const { Site } = require("@acme/site");
   exports.address = new Site("site", { domain: "example.org", tag: "${tag}" }).address;`;

/** A stack of a program with these dependencies. */
async function stackWith(dependencies: object, ...args: string[]): Promise<TestStack> {
  const installed = userProject();
  removals.push(() => installed.remove());
  const own = { name: "program", main: "index.js", dependencies };
  installed.write("package.json", own);
  await npmInstall(installed, "--prefer-offline=false", ...args);
  const stack = await testStack(emulator, "", installed.path);
  removals.push(() => stack.remove());
  stack.folder.write("package.json", JSON.stringify(own));
  stack.folder.write("disk.img", "a disk");
  return stack;
}

/** Previews and deploys the program, changes one input of the component, and destroys the stack. */
async function live(stack: TestStack, write: (tag: string) => string): Promise<void> {
  stack.folder.write("index.js", write("one"));
  expect(await stack.preview()).toMatchObject({ code: 0, steps: { create: all }, messages: [] });
  expect(await stack.up()).toMatchObject({ code: 0, steps: { create: all } });
  expect(await stack.preview("--expect-no-changes")).toMatchObject({ code: 0, steps: { same: all } });
  expect(await stack.drift()).toMatchObject({ code: 0 });

  stack.folder.write("index.js", write("two"));
  const steps = { update: 2, same: all - 2 };
  expect(await stack.preview()).toMatchObject({ code: 0, steps, messages: [] });
  expect(await stack.up()).toMatchObject({ code: 0, steps });
  expect(await stack.preview("--expect-no-changes")).toMatchObject({ code: 0 });

  expect(await stack.destroy()).toMatchObject({ code: 0 });
  for (const path of ["/node/instances", "/domains", "/databases/instances"]) {
    expect((await emulator.call("GET", path)).body).toMatchObject({ results: 0 });
  }
}

describe("a component package with the provider package as a peer dependency", () => {
  test.each([
    ["the oldest SDK that is allowed", SDKS.oldest],
    ["the newest SDK of the registry", SDK_RANGE],
  ])("works with %s (%s)", async (_, sdk) => {
    const dependencies = {
      "@acme/site": `file:${archives.peer}`,
      ...nodecloudOf(archives.own),
      ...sdkOf(sdk),
    };
    await live(await stackWith(dependencies), program);
  });
});

test("a component package with a nested provider package works", async () => {
  const dependencies = { "@acme/site": `file:${archives.direct}`, ...sdkOf(SDKS.newest) };
  await live(await stackWith(dependencies, "--install-strategy=nested"), program);
});

test("a linked component package with its own SDK and provider package works", async () => {
  const dependencies = {
    "@acme/site": `file:${join(store.path, "peer")}`,
    ...nodecloudOf(archives.own),
    ...sdkOf(SDKS.newest),
  };
  await live(await stackWith(dependencies), program);
});

describe("a component in its own plugin", () => {
  const remote = (tag: string) => `const pulumi = require("@pulumi/pulumi");
    class Site extends pulumi.ComponentResource {
      constructor(name, args) { super("acme:index:Site", name, { address: undefined, ...args }, {}, true); }
    }
    exports.address = new Site("site", { domain: "example.org", tag: "${tag}" }).address;`;

  beforeAll(() => {
    store.write(
      "peer/pulumi-resource-acme",
      `#!/usr/bin/env node
       require("@pulumi/pulumi/provider/experimental").componentProviderHost({
         name: "acme", dirname: __dirname, components: [require("./bin").Site],
       });`,
    );
    chmodSync(join(store.path, "peer/pulumi-resource-acme"), 0o755);
  });

  const stackOf = async (dependencies: object, name = "acme") => {
    const stack = await stackWith(dependencies);
    const plugin = (of: string, path: string) =>
      `    - name: ${of}\n      path: ${JSON.stringify(join(store.path, path))}\n`;
    const plugins = `plugins:\n  providers:\n${plugin(name, "peer")}${plugin("nodecloud", "peer/node_modules/.bin")}`;
    stack.folder.write("Pulumi.yaml", `name: program\nruntime: nodejs\n${plugins}`);
    return stack;
  };

  const docs = readFileSync(join(ROOT, "docs/installing.md"), "utf8");

  test("works in a program that has the provider package among its dependencies", async () => {
    await live(await stackOf({ ...nodecloudOf(archives.own), ...sdkOf(SDKS.newest) }), remote);
  });

  test("reads the account of the provider that the program gives it", async () => {
    const other = await startTestEmulator();
    try {
      await other.call("POST", "/domains", {
        body: { domain: "other.example", type: "slave", master_ips: ["192.0.2.1"] },
      });
      store.write(
        "peer/pulumi-resource-reader",
        `#!/usr/bin/env node
         const pulumi = require("@pulumi/pulumi");
         class Reader extends pulumi.ComponentResource {
           constructor(name, { entry }, opts) {
             super("reader:index:Reader", name, {}, opts);
             const own = { parent: this };
             this.names = require(entry).getDomainsOutput({}, own).domains
               .apply((all) => all.map(({ domain }) => domain).join());
           }
         }
         const construct = async (name, type, inputs, opts) => {
           const reader = new Reader(name, inputs, opts);
           return { urn: reader.urn, state: { names: reader.names } };
         };
         const schema = JSON.stringify({ name: "reader", version: "1.0.0" });
         pulumi.provider.main({ version: "1.0.0", schema, construct }, process.argv.slice(2));`,
      );
      chmodSync(join(store.path, "peer/pulumi-resource-reader"), 0o755);
      const stack = await stackOf({ ...nodecloudOf(archives.own), ...sdkOf(SDKS.newest) }, "reader");
      for (const entry of ["pulumi-nodecloud", "pulumi-nodecloud/plugin"]) {
        stack.folder.write(
          "index.js",
          `const pulumi = require("@pulumi/pulumi");
           const { Provider } = require("${entry}");
           class Reader extends pulumi.ComponentResource {
             constructor(name, opts) { super("reader:index:Reader", name, { names: undefined, entry: "${entry}" }, opts, true); }
           }
           const provider = new Provider("other", { token: "${other.token}", baseUrl: "${other.url}" });
           exports.names = new Reader("reader", { providers: [provider] }).names;`,
        );
        expect(await stack.up()).toMatchObject({ code: 0, messages: [] });
        expect((await stack.pulumi("stack", "output", "names")).printed).toContain("other.example");
      }
      expect(await stack.destroy()).toMatchObject({ code: 0 });
    } finally {
      await other.stop();
    }
  });

  test("fails in other programs with one line that says what to do", async () => {
    const stack = await stackOf(sdkOf(SDKS.newest));
    stack.folder.write("index.js", remote("one"));
    const preview = await stack.preview();
    expect(preview.code).not.toBe(0);
    expect(preview.messages).toContainEqual(
      `cannot find pulumi-nodecloud from ${stack.folder.path}: add it to the dependencies in package.json, and install it`,
    );
    expect(docs).toContain('"cannot find pulumi-nodecloud from /path"');
  });

  test("fails in a program without the SDK for Node.js as docs/installing.md says", async () => {
    const empty = userProject();
    removals.push(() => empty.remove());
    const saying = "Cannot find module '@pulumi/pulumi/cmd/dynamic-provider'";
    expect(docs).toContain(saying);
    const launched = await empty.run("sh", ["-c", "pulumi-resource-pulumi-nodejs 2>&1"]);
    expect(launched).toContain(saying);
  });
});
