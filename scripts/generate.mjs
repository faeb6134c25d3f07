// Writes the tables of the docs and the outlines of the resources from the descriptions, the workflows of examples/web-tier from examples/ci,
// and the API reports of etc; with --check it only says what is out of date.
import { readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import * as prettier from "prettier";
import { run } from "./child.mjs";
import { reach } from "./reach.mjs";

const require = createRequire(import.meta.url);
const { z } = require("zod");
const { zodOf } = require("../dist/api/zod-of.js");
const { service } = require("../dist/api/service.js");
const { descriptions } = require("../dist/resources/index.js");
const { leavesOf } = require("../dist/provider/describe/fields.js");
const { outlineOf } = require("../dist/provider/describe/make-outline.js");
const { camelPath } = require("../dist/provider/state/values.js");
require("../dist/functions/index.js");
const { declarations } = require("../dist/functions/declare.js");
const { itemArguments, listArguments } = require("../dist/functions/look.js");
const { fieldsOf, specOf } = require("../dist/functions/read.js");

const { values } = parseArgs({ options: { check: { type: "boolean", default: false } } });

/** @param {string[][]} rows The first row is the head. */
const table = ([head = [], ...rows]) =>
  [head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");

/** @param {string} text */
const code = (text) => `\`${text.replaceAll("|", "\\|")}\``;

function operationsTable() {
  const rows = Object.entries(service).flatMap(([family, operations]) =>
    Object.entries(operations).map(([name, { method, path, summary, scopes, assumed }]) => [
      code(`client.${family}.${name}`),
      code(`${method} ${path}`),
      assumed
        ? `${summary} The reference names it without its shape: what it takes is an assumption.`
        : summary,
      scopes.map(code).join(" and ") || "none",
    ]),
  );
  return table([["Method", "Operation", "What it does", "Scopes"], ...rows]);
}

/**
 * The type and limits of an input, from its schema.
 * @param {import("zod").ZodType} schema
 */
function typeOf(schema) {
  /** @type {any} */
  const json = z.toJSONSchema(schema, { unrepresentable: "any", io: "input" });
  /** @param {any} node @returns {string} */
  const name = (node) => {
    if (node.anyOf) return [...new Set(node.anyOf.map(name))].filter(Boolean).join(" or ");
    if (node.enum) return node.enum.map((/** @type {unknown} */ value) => code(String(value))).join(", ");
    if (node.const !== undefined) return code(String(node.const));
    if (node.type === "array") return `list of ${name(node.items)}`;
    return [node.type ?? "any"]
      .flat()
      .filter((part) => part !== "null")
      .join(" or ");
  };
  const { minLength, maxLength, minimum, maximum, maxItems } = json.anyOf?.[0] ?? json;
  const whole = json.type === "integer" && Math.abs(minimum) === Number.MAX_SAFE_INTEGER;
  const limits = [
    maxLength !== undefined && `${minLength ?? 0} to ${maxLength} characters`,
    maxItems !== undefined && `at most ${maxItems} items`,
    !whole && maximum !== undefined && maximum !== Number.MAX_SAFE_INTEGER && `${minimum} to ${maximum}`,
  ].filter(Boolean);
  return [name(json), ...limits].join(", ");
}

/** @param {any} leaf */
function changeOf(leaf) {
  if (typeof leaf.change === "function") return "updates, or replaces where the program asks for it";
  return (
    { replace: "replaces", update: "updates", none: "nothing" }[/** @type {string} */ (leaf.change)] ?? ""
  );
}

/** @param {any} leaf @param {string | undefined} automatic */
function removalOf(leaf, automatic) {
  if (leaf.required) return "is refused";
  if (leaf.path === automatic && leaf.change === "update") return "goes back to the automatic name";
  if (leaf.default !== undefined) {
    const back = leaf.default === null ? "is cleared" : `goes back to ${code(JSON.stringify(leaf.default))}`;
    return leaf.change === "replace" ? `${back}, which replaces` : back;
  }
  const effects = {
    replace: "replaces",
    stays: "stays as it is; the preview says so",
    forgotten: "nothing; the same value then asks again",
    nothing: "nothing",
    refused: "is refused where nothing takes its place",
  };
  return effects[/** @type {keyof typeof effects} */ (leaf.path === automatic ? "stays" : leaf.removed)];
}

/** @param {any} description */
function inputsTable({ fields, autoname }) {
  const rows = leavesOf(fields).map((/** @type {any} */ leaf) => [
    code(leaf.path) + (leaf.required ? " (required)" : ""),
    typeOf(leaf.schema) + (leaf.secret ? ", secret" : ""),
    changeOf(leaf),
    removalOf(leaf, autoname?.path),
  ]);
  return table([["Input", "Type and limits", "A change", "Removed from the program"], ...rows]);
}

/** @param {any} declaration */
function argumentsOf(declaration) {
  const { kind, parent } = declaration;
  if (kind === "view") return [`${code(parent.property)} (required)`];
  const names = kind === "list" ? listArguments(declaration) : itemArguments(declaration);
  const required = kind === "list" ? parent?.property : undefined;
  return names.map((/** @type {string} */ name) => code(name) + (name === required ? " (required)" : ""));
}

/** @param {any} declaration */
function readingsOf({ kind, reads, list }) {
  const operations = kind === "item" ? [reads, list.reads] : [reads];
  return operations
    .filter(Boolean)
    .map((operation) => code(`${specOf(operation).method} ${specOf(operation).path}`));
}

/** @param {any} declaration */
function resultOf({ kind, nouns, collection, list, reads, secrets = [] }) {
  if (kind === "list") return `${code(collection)}: a list of ${nouns[1]}`;
  if (kind === "item") return `${/^[aeio]/.test(list.nouns[0]) ? "an" : "a"} ${list.nouns[0]}`;
  return Object.keys(z.toJSONSchema(zodOf(specOf(reads).reply)).properties ?? {})
    .map((name) => code(camelPath(name)) + (secrets.includes(name) ? " (secret)" : ""))
    .join(", ");
}

function functionsTable() {
  const rows = [...declarations.values()].map((declaration) => [
    code(declaration.name),
    argumentsOf(declaration).join(", "),
    readingsOf(declaration).join(" or "),
    resultOf(declaration),
  ]);
  return table([["Function", "Arguments", "Reads", "Result"], ...rows]);
}

function filterFieldsTable() {
  const rows = [...declarations.values()]
    .filter(({ kind }) => kind === "list")
    .map((/** @type {any} */ list) => {
      const fields = [...fieldsOf(list)];
      /** @param {boolean} lists */
      const named = (lists) =>
        fields.filter(([, { isList }]) => isList === lists).map(([path]) => code(path));
      return [code(list.name), named(false).join(", "), named(true).join(", ") || "none"];
    });
  return table([["List", "Fields to filter and sort by", "Lists to filter by"], ...rows]);
}

/** @param {any} description */
const absentList = ({ absent = {} }) =>
  Object.entries(absent)
    .map(([property, reason]) => `- ${code(property)} ${reason}`)
    .join("\n");

/**
 * A resource, or one of its inputs, as a link to its page; an error where there is none of the name.
 * @param {string} name
 */
function reaching(name) {
  const [type = "", ...path] = name.split(".");
  const description = /** @type {any} */ (descriptions)[type];
  if (description === undefined || (path.length > 0 && !Object.hasOwn(description.fields, path.join(".")))) {
    throw new Error(`scripts/reach.mjs names ${name}, which does not exist`);
  }
  return `[${code(name)}](resources/${stemOf(type)}.md)`;
}

function reachTable() {
  const known = Object.entries(service).flatMap(([family, operations]) =>
    Object.keys(operations).map((name) => `${family}.${name}`),
  );
  const strangers = Object.keys(reach).filter((operation) => !known.includes(operation));
  if (strangers.length > 0) throw new Error(`scripts/reach.mjs names no operations: ${strangers.join(", ")}`);
  const rows = Object.entries(service).flatMap(([family, operations]) =>
    Object.entries(operations).map(([name, { method, path, summary }]) => {
      const operation = `${family}.${name}`;
      const functions = [...declarations.values()].filter(
        (/** @type {any} */ { kind, reads, list }) =>
          reads === operation || (kind === "item" && list.reads === operation),
      );
      const ways = [
        ...(reach[operation] ?? []).map(reaching),
        ...functions.map((declaration) => `[${code(declaration.name)}](functions.md)`),
      ];
      if (ways.length === 0)
        throw new Error(`scripts/reach.mjs says of ${operation} nothing that reaches it`);
      return [code(`${method} ${path}`), summary, ways.join(", ")];
    }),
  );
  return table([["Operation", "What it does", "Reached by"], ...rows]);
}

/**
 * The page with the text between its markers replaced.
 * @param {string} page @param {string} name @param {string} content
 */
function fill(page, name, content) {
  const [begin, end] = [`<!-- ${name}:begin -->`, `<!-- ${name}:end -->`];
  const from = page.indexOf(begin);
  const to = page.indexOf(end);
  if (from < 0 || to < from) throw new Error(`the markers ${begin} … ${end} are missing`);
  return `${page.slice(0, from + begin.length)}\n${content}\n${page.slice(to)}`;
}

/** @param {string} type */
const stemOf = (type) => type.replace(/(?<=[a-z])(?=[A-Z])/g, "-").toLowerCase();

const pages = [
  { file: "docs/api-client.md", name: "operations", content: operationsTable() },
  { file: "docs/operations.md", name: "operations", content: reachTable() },
  { file: "docs/functions.md", name: "functions", content: functionsTable() },
  { file: "docs/functions.md", name: "fields", content: filterFieldsTable() },
  ...Object.values(descriptions).flatMap((/** @type {any} */ description) => {
    const file = `docs/resources/${stemOf(description.type)}.md`;
    const inputs = { file, name: "inputs", content: inputsTable(description) };
    return description.absent === undefined
      ? [inputs]
      : [inputs, { file, name: "absent", content: absentList(description) }];
  }),
];

/** The outlines of all descriptions, as a module. */
async function outlinesModule() {
  const outlines = Object.fromEntries(
    Object.entries(descriptions).map(([type, description]) => [type, outlineOf(description)]),
  );
  const code = `// Written by \`npm run generate\` from src/resources.
import { type descriptions } from "../resources";
import { type Outline } from "../provider/describe/outline";

type Outlines = Readonly<Record<keyof typeof descriptions, Outline>>;

// A new description has no outline before this is written anew, which takes a build.
const written: Partial<Outlines> = ${JSON.stringify(outlines)};

export const outlines = written as Outlines;
`;
  const path = fileURLToPath(new URL("../src/sdk/outlines.ts", import.meta.url));
  return prettier.format(code, { ...(await prettier.resolveConfig(path)), filepath: path });
}

/** How the workflows of examples/web-tier differ from those of examples/ci, which are for one stack without policies. */
const workflowChanges = {
  "preview.yml": [
    ["Copy this file and report.mjs into .github/workflows/ of your program's repository, and set", "Set"],
    [/ +env:\n.*For several stacks.*\n +PULUMI_STACK: prod\n/, perStack()],
    ["      - run: npm ci\n", "      - run: npm ci\n      - run: npm run typecheck\n      - run: npm test\n"],
    ["pulumi preview --diff", "pulumi preview --policy-pack policy --diff"],
  ],
  "drift.yml": [
    ["Copy this file and report.mjs into .github/workflows/ of your program's repository, and set", "Set"],
    [/ +env:\n.*For several stacks.*\n +PULUMI_STACK: prod\n/, perStack()],
  ],
  "report.mjs": [],
};

function perStack() {
  return `    strategy:
      fail-fast: false
      matrix:
        stack: [dev, prod]
    env:
      PULUMI_STACK: $\{{ matrix.stack }}
`;
}

/** @param {string} name @param {(string | RegExp)[][]} changes */
async function workflow(name, changes) {
  let text = await readFile(new URL(`../examples/ci/${name}`, import.meta.url), "utf8");
  for (const [from = "", to = ""] of changes) {
    const changed = text.replace(from, () => String(to));
    if (changed === text) throw new Error(`examples/ci/${name} no longer has ${from}`);
    text = changed;
  }
  return text;
}

const workflows = await Promise.all(
  Object.entries(workflowChanges).map(async ([name, changes]) => {
    const written = await workflow(name, changes);
    return { file: `examples/web-tier/.github/workflows/${name}`, written: () => written };
  }),
);
const outlines = await outlinesModule();
const files = [
  ...workflows,
  ...pages.map(({ file, name, content }) => ({
    file,
    /** @param {string} page */
    written: (page) => fill(page, name, content),
  })),
  { file: "src/sdk/outlines.ts", written: () => outlines },
];

let stale = 0;
for (const { file, written } of files) {
  const path = new URL(`../${file}`, import.meta.url);
  const old = await readFile(path, "utf8");
  const now = written(old);
  if (now === old) continue;
  stale++;
  if (values.check) console.log(`${file} is out of date: run \`npm run generate\``);
  else await writeFile(path, now);
}
if (values.check && stale > 0) process.exitCode = 1;

// The reports read the build, which the files above are part of.
const report = [
  "scripts/bootstrap.mjs",
  "scripts/generate/api-report.mjs",
  ...(values.check ? ["--check"] : []),
];
const cwd = fileURLToPath(new URL("..", import.meta.url));
const { code: reported } = await run(process.execPath, report, { cwd, stdio: "inherit" });
process.exitCode ||= reported;
