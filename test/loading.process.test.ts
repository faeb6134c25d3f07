import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, sep } from "node:path";
import { cleanEnvironment } from "../scripts/environment.cjs";
import { descriptions } from "../src/resources";
import { HIDDEN } from "../src/provider/state/hidden-names";
import { UNKNOWN } from "../src/provider/base/values";
import { providerText } from "../src/provider/program/provider-text";
import { type Plugin, startPlugin } from "./helpers/plugin";
import { programFolder, ROOT } from "./helpers/programs";

/** The files that a process has loaded. */
interface Loaded {
  /** Files of this package, relative to `dist`. */
  readonly own: readonly string[];
  /** The dependencies of this package, without the SDK. */
  readonly packages: ReadonlySet<string>;
  /** Files of the SDK. */
  readonly sdk: readonly string[];
}

const OURS = Object.keys(
  (JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { dependencies: object }).dependencies,
);

function loadedFrom(files: readonly string[]): Loaded {
  const below = (folder: string) =>
    files
      .map((file) => relative(join(ROOT, folder), file).split(sep).join("/"))
      .filter((file) => !file.startsWith(".."));
  const modules = below("node_modules");
  return {
    own: below("dist").sort(),
    sdk: below("node_modules/@pulumi/pulumi"),
    packages: new Set(OURS.filter((name) => modules.some((file) => file.startsWith(`${name}/`)))),
  };
}

const node = (...args: string[]) =>
  loadedFrom(
    JSON.parse(
      execFileSync(process.execPath, args, { cwd: ROOT, env: cleanEnvironment(), encoding: "utf8" }),
    ) as string[],
  );

/** The files that a program has loaded at its end. */
const loadedBy = (program: string) =>
  node("-e", `(async () => {${program}; console.log(JSON.stringify(Object.keys(require.cache)));})()`);

const within = (folder: string, { own }: Loaded) =>
  own
    .filter((file) => file.startsWith(`${folder}/`))
    .map((file) => file.slice(folder.length + 1))
    .filter((file) => !file.includes("/"));

const stemOf = (type: string) => type.replace(/(?<!^)[A-Z]/g, "-$&").toLowerCase();

describe("a program that imports the package", () => {
  const programs = {
    "with require": () => loadedBy(`require("pulumi-nodecloud")`),
    "as an ES module": () =>
      node(
        "--input-type=module",
        "-e",
        `import { createRequire } from "node:module";
         import { DomainRecord, getDomains } from "pulumi-nodecloud";
         if (!DomainRecord || !getDomains) throw new Error("not exported");
         console.log(JSON.stringify(Object.keys(createRequire(import.meta.url).cache)));`,
      ),
    "and creates a resource": () =>
      loadedBy(`
        const pulumi = require("@pulumi/pulumi");
        const newResource = ({ inputs }) => ({ id: "1", state: inputs });
        await pulumi.runtime.setMocks({ newResource, call: ({ inputs }) => inputs });
        const { DomainRecord } = require("pulumi-nodecloud");
        const record = new DomainRecord("www", { domainId: 1, type: "A" });
        await new Promise((resolve) => record.id.apply(resolve));`),
  };

  test.each(Object.entries(programs))(
    "%s loads no code that validates inputs or sends requests",
    (_, run) => {
      const loaded = run();
      expect([...loaded.packages]).toEqual([]);
      expect(loaded.own).toContain("sdk/domain-record.js");
      expect(within("resources", loaded)).toEqual(["index.js"]);
      // These distinguish errors for their messages, check settings, and keep values.
      expect(within("api", loaded)).toEqual([
        "answer-limits.js",
        "cached.js",
        "endpoint.js",
        "errors.js",
        "quietly.js",
        "redact.js",
        "secrets.js",
        "text.js",
      ]);
      for (const file of [
        "functions/promise-or-output.js",
        "provider/hooks/lifecycle.js",
        "provider/run/session.js",
      ]) {
        expect(loaded.own).not.toContain(file);
      }
    },
  );

  const ofTheSdk = ({ sdk }: Loaded) =>
    sdk.filter((file) => file === "index.js" || /^(automation|runtime\/closure)\//.test(file));

  test.each(["with require", "as an ES module"] as const)(
    "%s loads only the parts of the SDK that the language host has already loaded",
    (way) => {
      const loaded = programs[way]();
      expect(loaded.sdk).toContain("resource.js");
      expect(ofTheSdk(loaded)).toEqual([]);
    },
  );

  test("loads the code of a data function when it calls one", () => {
    const loaded = loadedBy(`
      process.env.NODECLOUD_TOKEN = "token";
      process.env.NODECLOUD_BASE_URL = "https://api.invalid/v4";
      await require("pulumi-nodecloud").getDomains({ filter: { no: "such field" } }).catch(() => undefined)`);
    expect(within("api", loaded)).toContain("domains.js");
    expect(within("api", loaded)).not.toContain("nodes.js");
    expect(within("resources", loaded)).toEqual(["index.js"]);
    expect(ofTheSdk(loaded)).toEqual([]);
  });
});

test("a data function in a unit test with mocks loads no code that validates inputs or sends requests", () => {
  const loaded = loadedBy(`
    const pulumi = require("@pulumi/pulumi");
    await pulumi.runtime.setMocks({ newResource: ({ inputs }) => ({ id: "1", state: inputs }), call: () => ({ label: "web" }) });
    const { label } = await require("pulumi-nodecloud").getNode({ id: 1 });
    if (label !== "web") throw new Error(label)`);
  expect([...loaded.packages]).toEqual([]);
  expect(within("api", loaded)).not.toContain("client.js");
});

/** What `check` needs of its room. */
const CHECK = ["automatic-name.js", "check.js", "validate.js"];

describe("the provider text in the state", () => {
  test.each(Object.keys(descriptions))("of a %s loads only its own description", (type) => {
    const loaded = loadedBy(`${providerText(type)}; if (!exports.handler().check) throw new Error("none")`);
    // A set has the description of its members too.
    const members = type === "DomainRecordSet" ? ["domain-record.js"] : [];
    expect(within("resources", loaded)).toEqual([`${stemOf(type)}.js`, "index.js", ...members].sort());
    expect(within("sdk", loaded)).toEqual(["outlines.js"]);
    expect(within("functions", loaded)).toEqual([]);
    expect([...loaded.packages]).toEqual(["zod"]);
  });

  test("of a DomainRecordSet loads no code that sends requests or changes objects if the records are unchanged", () => {
    const loaded = loadedBy(`
        process.env.NODECLOUD_TOKEN = "token";
        process.env.NODECLOUD_BASE_URL = "https://api.invalid/v4";
        ${providerText("DomainRecordSet")};
        const { pack, hashOf } = require("./dist/provider/state/packed-members");
        const packed = pack(JSON.stringify({ records: [{ type: "A", target: "192.0.2.1" }] }));
        const set = exports.handler();
        const olds = { domainId: "12", records: "@ A 192.0.2.1\\n", __given: hashOf(packed) };
        const { inputs } = await set.check(olds, { domainId: 12, records: packed });
        const { changes } = await set.diff("12", { ...olds, __ids: "1", __set: "domainId,records" }, inputs);
        if (changes) throw new Error("changed")`);
    expect([...loaded.packages]).toEqual(["zod"]);
    expect(within("api", loaded)).not.toContain("client.js");
    expect(within("provider/collection/hooks", loaded)).toEqual(["check.js", "diff.js"]);
    expect(within("provider/hooks", loaded)).toEqual(
      ["after-cut-off.js", "chain.js", "repeats.js", ...CHECK].sort(),
    );
  });

  test("of a DomainRecord loads no schemas of other kinds", () => {
    const loaded = loadedBy(`${providerText("DomainRecord")}; exports.handler()`);
    const kinds = ["backups", "databases", "domains", "images", "nodes", "records", "regions"];
    expect(within("api", loaded).filter((file) => kinds.includes(file.replace(".js", "")))).toEqual([
      "records.js",
    ]);
  });
});

test("a client loads only the schemas of the operations that it uses", () => {
  const loaded = loadedBy(`
    const { createClient } = require("./dist/api/client");
    void createClient({ baseUrl: "https://api.invalid/v4" }).records.get`);
  expect(within("api", loaded)).toEqual(expect.arrayContaining(["records.js", "transport.js"]));
  expect(within("api", loaded)).not.toContain("nodes.js");
});

describe("the plugin's process", () => {
  let notes: string;
  let plugin: Plugin;

  /** Stops the plugin, and returns the files that it had loaded. */
  async function loadedByPlugin(): Promise<Loaded> {
    await plugin.stop();
    const text = readFileSync(join(notes, "loaded.json"), "utf8");
    return loadedFrom(JSON.parse(text) as string[]);
  }

  async function start(settings: Readonly<Record<string, string>> = {}): Promise<void> {
    notes = mkdtempSync(join(tmpdir(), "nodecloud-loading-"));
    const noting = `
      process.on("SIGTERM", () => {
        require("node:fs").writeFileSync(${JSON.stringify(join(notes, "loaded.json"))}, JSON.stringify(Object.keys(require.cache)));
        process.exit();
      });`;
    const folder = programFolder({ "noting.cjs": noting });
    plugin = await startPlugin(
      { "nodecloud:token": "token", "nodecloud:baseUrl": "https://api.invalid/v4", ...settings },
      {
        folder,
        environment: { NODE_OPTIONS: `--require=${join(folder.path, "noting.cjs")}` },
        way: "dynamic",
      },
    );
  }
  afterEach(() => rmSync(notes, { recursive: true, force: true }));

  const record = { domainId: "1", type: "A", name: "www", target: "192.0.2.1" };
  const inputs = { ...record, [HIDDEN.provider]: providerText("DomainRecord") };

  test("loads no code that sends requests for a preview of a new record in a new domain without lookups", async () => {
    await start({ "nodecloud:validate": "false" });
    expect((await plugin.check({ urn: "" }, { ...inputs, domainId: UNKNOWN })).failures).toEqual([]);
    const { packages, own } = await loadedByPlugin();
    expect([...packages]).toEqual(["zod"]);
    expect(own).not.toContain("api/client.js");
  });

  test("loads no code that sends requests or changes objects for a preview of an unchanged record", async () => {
    await start();
    const outputs = { ...inputs, __set: "domainId,type,name,target" };
    expect((await plugin.check({ urn: "", inputs }, inputs)).failures).toEqual([]);
    expect(await plugin.diff({ urn: "", id: "1/2", inputs, outputs }, inputs)).toMatchObject({
      changes: false,
    });
    const loaded = await loadedByPlugin();
    expect([...loaded.packages]).toEqual(["zod"]);
    expect(loaded.own).not.toContain("api/client.js");
    const hooks = ["after-cut-off.js", "chain.js", "diff.js", "lifecycle.js", "repeats.js", ...CHECK];
    expect(within("provider/hooks", loaded)).toEqual(hooks.sort());
  });

  test("loads no code that sends requests to name a new node without lookups", async () => {
    await start({ "nodecloud:validate": "false" });
    const node = { region: "us-east", type: "g6-nanode-1", image: "node/debian12", __resourceName: "web" };
    const checked = await plugin.check({ urn: "" }, { ...node, [HIDDEN.provider]: providerText("Node") });
    expect(checked).toMatchObject({
      failures: [],
      inputs: { label: expect.stringMatching(/^web-/) as string },
    });
    const { packages, own } = await loadedByPlugin();
    expect([...packages]).toEqual(["zod"]);
    expect(own).not.toContain("api/client.js");
  });
});

describe("the command nodecloud", () => {
  test.each([
    ["prints its help", []],
    ["prints the help of a command", ["doctor"]],
  ])("%s without the libraries of its commands", (_, words) => {
    const loaded = loadedBy(`
      const { PassThrough } = require("node:stream");
      const stream = () => new PassThrough().resume();
      const { main } = require("./dist/cli/main");
      const context = { stdin: stream(), stdout: stream(), stderr: stream(), environment: {}, directory: "." };
      const code = await main(${JSON.stringify([...words, "--help"])}, { ...context, signal: new AbortController().signal });
      if (code !== 0) throw new Error("exit code " + code)`);
    expect([...loaded.packages].sort()).toEqual(["commander", "picocolors"]);
    expect(loaded.sdk).toEqual([]);
    expect(loaded.own.filter((file) => !file.startsWith("cli/"))).toEqual([
      "provider/base/codes.js",
      "provider/base/nearest-name.js",
      "provider/base/package-version.js",
      "sdk/outlines.js",
    ]);
  });
});
