import { chmodSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { type Compiler, compilerOf } from "../../src/cli/settle/compiler";
import { programFiles } from "../../src/cli/settle/program-files";
import { replaceFiles } from "../../src/cli/settle/replace-files";
import { settleFile } from "../../src/cli/settle/settle-file";
import { type StateResource } from "../../src/cli/stacks/state";
import { programFolder, type ProgramFolder, ROOT } from "../helpers/programs";

const inState = (type: string, name: string, id: string, more: object = {}): StateResource => ({
  urn: `urn:pulumi:test::program::pulumi-nodejs:dynamic/nodecloud:${type}::${name}`,
  ...{ type, id, inputs: {}, outputs: {}, secrets: [], settings: {}, isLeaving: false },
  ...more,
});

const adopted = [
  inState("Node", "web", "12"),
  inState("Domain", "zone", "7"),
  inState("DomainRecordSet", "dev", "7/dev"),
  inState("Node", "inside", "13", {
    urn: "urn:pulumi:test::program::my:Site$pulumi-nodejs:dynamic/nodecloud:Node::inside",
  }),
];

const compiler = compilerOf(ROOT);
const ours = `import * as nodecloud from "pulumi-nodecloud";\n`;
const settle = (text: string, file = "index.ts", by = compiler) => settleFile(by, file, text, adopted);

describe("removes the option from", () => {
  const changes: Record<string, readonly [string, string]> = {
    "options with nothing else": [
      `new nodecloud.Node("web", { region: "us-east" }, { import: "12" });`,
      `new nodecloud.Node("web", { region: "us-east" });`,
    ],
    "options after an object of several lines": [
      `new nodecloud.Node("web", {\n  region: "us-east",\n}, { import: "12" });`,
      `new nodecloud.Node("web", {\n  region: "us-east",\n});`,
    ],
    "an argument on its own lines": [
      `new nodecloud.Node(\n  "web",\n  { region: "us-east" },\n  {\n    import: "12", // the old machine\n  },\n);`,
      `new nodecloud.Node(\n  "web",\n  { region: "us-east" },\n);`,
    ],
    "an argument after a comment": [
      `new nodecloud.Node("web", args, // as it is\n  { import: "12" });`,
      `new nodecloud.Node("web", args // as it is\n);`,
    ],
    "the start of a line": [
      `new nodecloud.Node("web", args, { import: "12", protect: true });`,
      `new nodecloud.Node("web", args, { protect: true });`,
    ],
    "the end of a line": [
      `new nodecloud.Node("web", args, { protect: true, import: "12" });`,
      `new nodecloud.Node("web", args, { protect: true });`,
    ],
    "the end of a line with a last comma": [
      `new nodecloud.Node("web", args, { protect: true, import: "12", });`,
      `new nodecloud.Node("web", args, { protect: true, });`,
    ],
    "the middle of a line": [
      `new nodecloud.Node("web", args, { protect: true, import: "12", retainOnDelete: true });`,
      `new nodecloud.Node("web", args, { protect: true, retainOnDelete: true });`,
    ],
    "options without spaces": [
      `new nodecloud.Node("web",args,{import:"12",protect:true})`,
      `new nodecloud.Node("web",args,{protect:true})`,
    ],
    "options after a spread": [
      `new nodecloud.Node("web", args, { ...opts, import: "12" });`,
      `new nodecloud.Node("web", args, { ...opts });`,
    ],
    "a line of its own": [
      `new nodecloud.Node("web", args, {\n  // Keep it.\n  protect: true,\n  // Adopted in May.\n  import: "12", // from the old team\n  retainOnDelete: true,\n});`,
      `new nodecloud.Node("web", args, {\n  // Keep it.\n  protect: true,\n  // Adopted in May.\n  retainOnDelete: true,\n});`,
    ],
    "the last line, which has no comma": [
      `new nodecloud.Node("web", args, {\n  protect: true, // keep it\n  import: "12"\n});`,
      `new nodecloud.Node("web", args, {\n  protect: true // keep it\n});`,
    ],
    "the last line, which closes the object": [
      `new nodecloud.Node("web", args, {\n  protect: true, // keep it\n  import: "12" });`,
      `new nodecloud.Node("web", args, {\n  protect: true // keep it\n });`,
    ],
    "the start of one of several lines": [
      `new nodecloud.Node("web", args, {\n  import: "12", protect: true,\n  retainOnDelete: true,\n});`,
      `new nodecloud.Node("web", args, {\n  protect: true,\n  retainOnDelete: true,\n});`,
    ],
    "the end of one of several lines": [
      `new nodecloud.Node("web", args, { import: "12",\n  protect: true });`,
      `new nodecloud.Node("web", args, {\n  protect: true });`,
    ],
    "options with a comment on another line, which stays": [
      `new nodecloud.Node("web", args, {\n  // The machine of the shop.\n  import: "12",\n});`,
      `new nodecloud.Node("web", args, {\n  // The machine of the shop.\n});`,
    ],
    "options with comments in the line": [
      `new nodecloud.Node("web", args, { /* the shop */ import: "12" /* from May */, /* keep */ protect: true });`,
      `new nodecloud.Node("web", args, { /* keep */ protect: true });`,
    ],
    "lines that end as on Windows, after a byte order mark": [
      `\uFEFFnew nodecloud.Node("web", args, {\r\n  import: "12",\r\n  protect: true,\r\n});\r\n`,
      `\uFEFFnew nodecloud.Node("web", args, {\r\n  protect: true,\r\n});\r\n`,
    ],
    "options in parentheses with a type": [
      `new nodecloud.Node("web", args, ({ import: "12" } as pulumi.CustomResourceOptions));`,
      `new nodecloud.Node("web", args);`,
    ],
    "an option in quotes, with other quotes": [
      `new nodecloud.Node('web', args, { "import": \`12\` });`,
      `new nodecloud.Node('web', args);`,
    ],
    "a set of a subdomain": [
      `new nodecloud.DomainRecordSet("dev", { domainId: 7, subdomain: "dev", records }, { import: "7/dev" });`,
      `new nodecloud.DomainRecordSet("dev", { domainId: 7, subdomain: "dev", records });`,
    ],
    "a resource in a component": [
      `class Site { constructor() { new nodecloud.Node("inside", {}, { parent: this, import: "13" }); } }`,
      `class Site { constructor() { new nodecloud.Node("inside", {}, { parent: this }); } }`,
    ],
    "several resources in one expression": [
      `export const all = [new nodecloud.Node("web", {}, { import: "12" }), new nodecloud.Domain("zone", {}, { import: "7" })];`,
      `export const all = [new nodecloud.Node("web", {}), new nodecloud.Domain("zone", {})];`,
    ],
  };

  let ofPulumi: Compiler;
  beforeAll(() => {
    const project = programFolder();
    ofPulumi = compilerOf(project.path);
    project.remove();
  });

  test.each(Object.entries(changes))("%s", (_, [before, after]) => {
    for (const by of [compiler, ofPulumi]) {
      // A byte order mark is only one at the start.
      const text = before.startsWith("\uFEFF") ? before.replace("\uFEFF", `\uFEFF${ours}`) : ours + before;
      const settled = settle(text, "index.ts", by);
      expect(settled.text.replace(ours, "")).toBe(after);
      expect(settled.stays).toEqual([]);
      expect(settled.removed.length).toBeGreaterThan(0);
      expect(settle(settled.text, "index.ts", by)).toEqual({ text: settled.text, removed: [], stays: [] });
    }
  });
});

test.each([
  [`import { Node } from "pulumi-nodecloud";`, "Node", "index.ts"],
  [`import { Node as Machine } from "pulumi-nodecloud";`, "Machine", "index.mts"],
  [`import cloud from "pulumi-nodecloud";`, "cloud.Node", "index.tsx"],
  [`import cloud = require("pulumi-nodecloud");`, "cloud.Node", "index.cts"],
  [`const cloud = require("pulumi-nodecloud");`, "cloud.Node", "index.js"],
  [`const { Node: Machine } = require("pulumi-nodecloud");`, "Machine", "index.cjs"],
  [`const { Node } = await import("pulumi-nodecloud");`, "Node", "index.mjs"],
  [`import * as cloud from "pulumi-nodecloud"; const { Node } = cloud;`, "Node", "index.jsx"],
  [`import * as cloud from "pulumi-nodecloud"; const Machine = cloud.Node;`, "Machine", "index.ts"],
  [`import * as cloud from "pulumi-nodecloud"; class Web extends cloud.Node {}`, "Web", "index.ts"],
  [`import { Node } from "pulumi-nodecloud/plugin";`, "Node", "index.ts"],
  [`const cloud = require("pulumi-nodecloud/plugin");`, "cloud.Node", "index.js"],
])("knows a class by %s", (load, name, file) => {
  expect(settle(`${load}\nnew ${name}("web", {}, { import: "12" });`, file)).toEqual({
    text: `${load}\nnew ${name}("web", {});`,
    removed: [{ line: 2, resource: "Node web", id: "12" }],
    stays: [],
  });
});

describe("leaves the option, and says why, if", () => {
  const first = "run `pulumi up` first";
  test.each([
    ["the state has no such object", `new nodecloud.Node("web", {}, { import: "99" });`, first],
    ["the object has another class", `new nodecloud.Domain("web", {}, { import: "12" });`, first],
    ["another resource manages the object", `new nodecloud.Node("shop", {}, { import: "12" });`, first],
    [
      "the resource moves into a component",
      `new nodecloud.Node("web", {}, { parent: this, import: "12" });`,
      first,
    ],
    ["the resource leaves a component", `new nodecloud.Node("inside", {}, { import: "13" });`, first],
    [
      "the id is computed",
      `new nodecloud.Node("web", {}, { import: config.require("web") });`,
      "its value is not a literal",
    ],
    ["the id is not a text", `new nodecloud.Node("web", {}, { import: 12 });`, "its value is not a literal"],
    [
      "the id is a template",
      "new nodecloud.Node('web', {}, { import: `${id}` });",
      "its value is not a literal",
    ],
    [
      "the name is computed",
      `new nodecloud.Node(name, {}, { import: "12" });`,
      "the name of the resource is not a literal",
    ],
    [
      "the options are in a variable",
      `const opts = { import: id }; new nodecloud.Node("web", {}, opts);`,
      "by hand",
    ],
    [
      "the options are in a condition",
      `new nodecloud.Node("web", {}, isNew ? {} : { import: id });`,
      "by hand",
    ],
    ["it is given twice", `new nodecloud.Node("web", {}, { import: "11", ["import"]: "12" });`, "by hand"],
    ["a function gets an adopted id", `machine("web", { import: "12" });`, "by hand"],
    [
      "the class is from another file",
      `import { Web } from "./web"; new Web("web", {}, { import: "12" });`,
      "by hand",
    ],
  ])("%s", (_, program, reason) => {
    const { text, removed, stays } = settle(ours + program);
    expect({ text, removed }).toEqual({ text: ours + program, removed: [] });
    expect(stays.length).toBeGreaterThan(0);
    for (const one of stays) {
      expect(one.line).toBe(2);
      expect(one.reason).toContain(reason);
    }
  });

  test("the compiler cannot read the file", () => {
    const text = `${ours}new nodecloud.Node("web", {}, { import: "12" );`;
    expect(settle(text)).toEqual({
      text,
      removed: [],
      stays: [
        { line: 2, reason: expect.stringMatching(/^TypeScript 6\.\S+ cannot read the file: ',' expected/) },
      ],
    });
  });
});

test.each([
  [
    "options of other providers",
    `import * as aws from "aws"; new aws.s3.Bucket("web", {}, { import: "12" });`,
  ],
  ["objects that only have the same key", `export default { exports: { import: "./index.mjs" } };`],
  [
    "ids in texts and comments",
    `// new nodecloud.Node("web", {}, { import: "12" })\nlog('{ import: "12" }');`,
  ],
])("neither removes nor reports %s", (_, program) => {
  expect(settle(ours + program)).toEqual({ text: ours + program, removed: [], stays: [] });
});

describe("in a project", () => {
  let project: ProgramFolder;
  beforeEach(() => {
    project = programFolder({ "Pulumi.yaml": "name: program\nruntime: nodejs\n" });
  });
  afterEach(() => project.remove());

  test("reads the program, and not what others wrote", () => {
    const read = ["index.ts", "lib/web.tsx", "lib/zone.mjs", "old.cjs"];
    const left = ["bin/index.js", "dist/index.js", "lib/node_modules/a/index.js", ".cache/index.js"];
    const more = [
      "types.d.ts",
      "types.d.mts",
      "other/Pulumi.yaml",
      "other/index.ts",
      "README.md",
      "data.json",
    ];
    for (const file of [...read, ...left, ...more]) project.write(file, "");
    project.write("base.json", `{ "compilerOptions": { "outDir": "bin" } }`);
    project.write("tsconfig.json", `{ /* comment */ "extends": "./base.json", "files": ["index.ts"] }`);
    const found = programFiles(compiler, project.path).map((file) => file.slice(project.path.length + 1));
    expect(found.sort()).toEqual(read.sort());
  });

  test("uses its compiler, or that of Pulumi", () => {
    // This one is a program, and has no functions to call.
    project.write("node_modules/typescript/index.js", `exports.version = "7.0.0";`);
    expect(compilerOf(project.path).version).toBe("3.8.3");
    expect(compilerOf(ROOT).version).toMatch(/^6\./);
  });

  test("says that there is no compiler", () => {
    project.write("empty/package.json", "{}");
    const none = programFolder({}, join(project.path, "empty"));
    expect(() => compilerOf(none.path)).toThrow(
      /there is no TypeScript compiler in .*: install the packages/,
    );
    none.remove();
  });

  test("replaces all files, which keep their modes, or none", () => {
    project.write("a.ts", "old");
    project.write("lib/b.ts", "old");
    const [a, b] = [join(project.path, "a.ts"), join(project.path, "lib/b.ts")];
    chmodSync(a, 0o750);
    const files = [a, b].map((path) => ({ path, from: "old", text: "new" }));
    project.write("lib/b.ts", "newer");
    expect(() => replaceFiles(files)).toThrow(
      `cannot write the program, nothing was changed: ${b} is not UTF-8, or was changed in the meantime`,
    );
    expect(readFileSync(a, "utf8")).toBe("old");
    project.write("lib/b.ts", "old");
    replaceFiles(files);
    expect([a, b].map((path) => readFileSync(path, "utf8"))).toEqual(["new", "new"]);
    expect(statSync(a).mode & 0o777).toBe(0o750);
    expect(readdirSync(join(project.path, "lib"))).toEqual(["b.ts"]);
  });
});
