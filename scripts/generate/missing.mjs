/** The parts that a family or a resource lacks. Each of its parts is a file of its own, and no other place names it. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { filesIn } from "../files.mjs";
import { resourcesReaching } from "./docs/reach.mjs";
import { plainFamilies } from "./emulator.mjs";
import { exportOf, loadFamilies, modulesOf, root, stemOf } from "./load.mjs";

/** @import { Named } from "./api/schemas.mjs" */
/** @import { Family, Sources } from "./load.mjs" */
/** @typedef {{ file: string; target: string }} Import The import of a module of src by another one, both as paths from the root, the target without `.ts`. */
/** @typedef {{ stem: string; api: string }} Plain The module of a resource and of the kind of its objects, and that of the operations. */

const path = fileURLToPath(root);

/** @param {string} file a path from the root. */
const exists = (file) => existsSync(new URL(file, root));

/**
 * The missing files, each as a line. No description is loaded, because one of them may import a missing file.
 * @param {readonly Named[]} schemas @returns {Promise<string[]>}
 */
export async function missingFiles(schemas) {
  const imports = importsInSources();
  const lost = imports.filter(({ target }) => !exists(`${target}.ts`) && !exists(`${target}/index.ts`));
  const families = await plainParts(schemas);
  const plain = [...families, ...unservedParts(lost), ...unusedKinds(imports, families)];
  /** @type {Map<string, string>} */
  const parts = new Map([
    ...plain.flatMap(({ stem, api }) => [
      part(`src/api/${api}.ts`, `the operations on ${exportOf(api)}`),
      part(`src/emulator/kinds/${stem}.ts`, `the kind of ${exportOf(api)} in the emulator`),
    ]),
    ...[...stemsOfResources(), ...plain.map(({ stem }) => stem)].flatMap((stem) => [
      part(`src/resources/${stem}.ts`, "the description of the resource"),
      part(`docs/resources/${stem}.md`, "the page of the resource"),
      part(`test/plugin/${stem}.test.ts`, "the test of the resource in the plugin's process"),
    ]),
    ...lost.map(({ file, target }) => part(`${target}.ts`, `${file} imports it`)),
  ]);
  return [...parts].flatMap(([file, what]) => (exists(file) ? [] : [`${file} is missing: ${what}.`]));
}

/** @param {string} file @param {string} what @returns {[string, string]} */
const part = (file, what) => [file, what];

/** The resources that have a description or a page. */
const stemsOfResources = () => [
  ...modulesOf("resources"),
  ...readdirSync(new URL("docs/resources/", root)).map((name) => name.replace(/\.md$/, "")),
];

/**
 * The families without routes of their own: a resource and a kind are named after the schema of their objects.
 * @param {readonly Named[]} schemas @returns {Promise<Plain[]>}
 */
async function plainParts(schemas) {
  const families = loadFamilies();
  const plain = await plainFamilies(families);
  return plain.map(({ name, stem: api, kind }) => {
    const reply = families.find((family) => family.name === name)?.operations["get"]?.reply;
    const schema = schemas.find((one) => one.schema === reply);
    return { stem: kind ?? (schema ? stemOf(schema.name) : api), api };
  });
}

/** The resources whose operations are missing, and have no routes. @param {readonly Import[]} lost @returns {Plain[]} */
const unservedParts = (lost) =>
  lost.flatMap(({ file, target }) => {
    const [, api] = /^src\/api\/([\w-]+)$/.exec(target) ?? [];
    const [, stem] = /^src\/resources\/([\w-]+)\.ts$/.exec(file) ?? [];
    const isServed = lost.some((one) => one.target === target && one.file.startsWith("src/emulator/routes/"));
    return api === undefined || stem === undefined || isServed ? [] : [{ stem, api }];
  });

/**
 * The kinds that nothing uses: each is the kind of a family that is missing.
 * @param {readonly Import[]} imports @param {readonly Plain[]} plain @returns {Plain[]}
 */
function unusedKinds(imports, plain) {
  const used = new Set([
    ...imports.map(({ target }) => target),
    ...plain.map(({ stem }) => `src/emulator/kinds/${stem}`),
  ]);
  return modulesOf("emulator/kinds")
    .filter((stem) => !used.has(`src/emulator/kinds/${stem}`))
    .map((stem) => ({ stem, api: `${stem}s` }));
}

/** The imports of one module by another. What generated modules import is written again. @returns {Import[]} */
const importsInSources = () =>
  modules().flatMap((file) => {
    const text = readFileSync(new URL(file, root), "utf8");
    if (text.startsWith("// Written by `npm run generate`")) return [];
    return [...text.matchAll(/\bfrom "(\.[^"]*)"/g)].map(([, from = ""]) => ({
      file,
      target: relative(path, resolve(path, dirname(file), from)).replaceAll("\\", "/"),
    }));
  });

const modules = () =>
  filesIn(`${path}/src`)
    .filter((file) => file.endsWith(".ts"))
    .map((file) => `src/${file}`);

/** The parts that the operations of families lack, each as a line. @param {Sources} sources @returns {string[]} */
export const missingParts = (sources) => loadFamilies().flatMap((family) => partsOfFamily(family, sources));

/** @param {Family} family @param {Sources} sources */
function partsOfFamily({ name, stem, operations }, sources) {
  const served = Object.hasOwn(sources.routes, name);
  const unserved = `No kind has the collection ${name}: one of src/emulator/kinds must, or src/emulator/routes/${stem}.ts must export routes.${name}.`;
  return [
    ...(served ? [] : [unserved]),
    ...Object.entries(operations).flatMap(([own, operation]) => waysTo(`${name}.${own}`, operation, sources)),
  ];
}

/**
 * The way by which an operation is not reached: one that reads has a data function, any other a resource.
 * @param {string} name @param {{ method: string; path: string }} operation
 * @param {Sources} sources
 */
function waysTo(name, { method, path }, sources) {
  const reads = (/** @type {any} */ one) =>
    one.reads === name || (one.kind === "item" && one.list.reads === name);
  if (method === "GET" && !sources.declarations.some(reads))
    return [
      `No data function reads ${name} (${method} ${path}): add it to the \`lookup\` of a description, or declare one in src/functions.`,
    ];
  if (method !== "GET" && resourcesReaching(name, sources).length === 0)
    return [
      `No resource uses ${name} (${method} ${path}): describe one in src/resources, or name it in scripts/generate/docs/reach.mjs.`,
    ];
  return [];
}
