/** The files that a family or a resource lacks. Each of its parts is a file of its own, and no other place names it. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { resourcesReaching } from "./docs/reach.mjs";
import { loadFamilies, root, stemOf } from "./load.mjs";

const path = fileURLToPath(root);

/** @param {string} file a path from the root. */
const exists = (file) => existsSync(new URL(file, root));

/**
 * The modules of src that another one imports and that do not exist, each as a line. What generated modules import is written again.
 * @returns {string[]}
 */
export function missingModules() {
  /** @type {Map<string, Set<string>>} */
  const importers = new Map();
  for (const file of modules()) {
    const text = readFileSync(new URL(file, root), "utf8");
    if (text.startsWith("// Written by `npm run generate`")) continue;
    for (const [, from = ""] of text.matchAll(/\bfrom "(\.[^"]*)"/g)) {
      const target = relative(path, resolve(path, dirname(file), from)).replaceAll("\\", "/");
      if (exists(`${target}.ts`) || exists(`${target}/index.ts`)) continue;
      importers.set(target, (importers.get(target) ?? new Set()).add(file));
    }
  }
  return [...importers].map(([target, by]) => `${target}.ts is missing. Imported by: ${[...by].join(", ")}.`);
}

const modules = () =>
  readdirSync(new URL("src/", root), { recursive: true, encoding: "utf8" })
    .map((name) => `src/${name.replaceAll("\\", "/")}`)
    .filter((file) => file.endsWith(".ts"))
    .sort();

/**
 * The parts that resources and operations lack, each as a line.
 * @param {import("./load.mjs").Sources} sources
 * @returns {string[]}
 */
export const missingParts = (sources) => [
  ...Object.keys(sources.descriptions).flatMap(partsOfResource),
  ...pagesWithoutResource(sources),
  ...loadFamilies().flatMap((family) => partsOfFamily(family, sources)),
];

/** @param {string} type */
function partsOfResource(type) {
  const stem = stemOf(type);
  const page = `docs/resources/${stem}.md`;
  const test = `test/plugin/${stem}.test.ts`;
  return [
    ...(exists(page) ? [] : [`${page} is missing: the page of ${type}.`]),
    ...(exists(test) ? [] : [`${test} is missing: the test of ${type} in the plugin's process.`]),
  ];
}

/** @param {import("./load.mjs").Sources} sources */
function pagesWithoutResource({ descriptions }) {
  const described = new Set(Object.keys(descriptions).map(stemOf));
  return readdirSync(new URL("docs/resources/", root))
    .map((name) => name.replace(/\.md$/, ""))
    .filter((stem) => !described.has(stem))
    .map(
      (stem) => `src/resources/${stem}.ts is missing: docs/resources/${stem}.md is the page of its resource.`,
    );
}

/** @param {import("./load.mjs").Family} family @param {import("./load.mjs").Sources} sources */
function partsOfFamily({ name, stem, operations }, sources) {
  const served = Object.hasOwn(sources.routes, name);
  const routes = `src/emulator/routes/${stem}.ts`;
  return [
    ...(served ? [] : [`${routes}${exists(routes) ? "" : " is missing: it"} must export routes.${name}.`]),
    ...Object.entries(operations).flatMap(([own, operation]) =>
      waysTo(`${name}.${own}`, operation, stem, sources),
    ),
  ];
}

/**
 * What an operation is not reached by: one that reads has a data function, any other a resource.
 * @param {string} name @param {{ method: string; path: string }} operation @param {string} stem
 * @param {import("./load.mjs").Sources} sources
 */
function waysTo(name, { method, path }, stem, sources) {
  const reads = (/** @type {any} */ one) =>
    one.reads === name || (one.kind === "item" && one.list.reads === name);
  if (method === "GET" && !sources.declarations.some(reads))
    return [`No data function reads ${name} (${method} ${path}): declare one in src/functions/${stem}.ts.`];
  if (method !== "GET" && resourcesReaching(name, sources).length === 0)
    return [
      `No resource uses ${name} (${method} ${path}): describe one in src/resources, or name it in scripts/generate/docs/reach.mjs.`,
    ];
  return [];
}
