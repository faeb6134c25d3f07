// The registries of the emulator, generated from the files of src/emulator/kinds and src/emulator/routes.
import { readFile, readdir } from "node:fs/promises";
import ts from "typescript";
import { exportOf } from "./load.mjs";
import { formatted } from "./write.mjs";

const ROOT = new URL("../../", import.meta.url);
const [KINDS, ROUTES] = ["src/emulator/kinds", "src/emulator/routes"];

/** @typedef {{ name: string; stem: string }} Family A family of the API, and the module of src/api that exports it. */
/** @typedef {Family & { kind: string | undefined }} Plain `kind` is the module of the kind that serves it. */
/** @typedef {{ name: string; value: ts.Expression | undefined }} Exported A constant that a file exports. */
/** @typedef {{ file: string; stem: string; exported: Exported[] }} Source */

/** The constants that a module exports. @param {string} file @param {string} text @returns {Exported[]} */
function exportsOf(file, text) {
  return ts.createSourceFile(file, text, ts.ScriptTarget.Latest).statements.flatMap((statement) => {
    const isExported =
      ts.isVariableStatement(statement) &&
      statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
    if (!isExported) return [];
    return statement.declarationList.declarations.flatMap(({ name, initializer }) =>
      ts.isIdentifier(name) ? { name: name.text, value: initializer } : [],
    );
  });
}

/** The modules of a folder, without its index. @param {URL} root @param {string} folder @returns {Promise<Source[]>} */
async function sourcesIn(root, folder) {
  const stems = (await readdir(new URL(folder, root)))
    .flatMap((name) => /^(.+)\.ts$/.exec(name)?.[1] ?? [])
    .filter((stem) => stem !== "index")
    .sort();
  return Promise.all(
    stems.map(async (stem) => {
      const file = `${folder}/${stem}.ts`;
      const text = await readFile(new URL(file, root), "utf8");
      return { file, stem, exported: exportsOf(file, text) };
    }),
  );
}

/** @param {ts.Expression | undefined} value @returns {readonly ts.ObjectLiteralElementLike[]} */
const propertiesOf = (value) => (value && ts.isObjectLiteralExpression(value) ? [...value.properties] : []);

/** @param {ts.Expression | undefined} value @returns {string[]} */
const keysOf = (value) =>
  propertiesOf(value).flatMap(({ name }) => (name && ts.isIdentifier(name) ? name.text : []));

/** The families that a module of routes serves. @param {Source} source @returns {string[]} */
function familiesOf({ file, exported }) {
  const routes = exported.find(({ name }) => name === "routes");
  if (!routes) return [];
  if (!routes.value || !ts.isObjectLiteralExpression(routes.value)) {
    throw new Error(`${file} must export routes as an object literal`);
  }
  return keysOf(routes.value);
}

/** The names of a kind's collections in the control API. @param {Source} source @returns {string[]} */
function collectionsOf({ stem, exported }) {
  const kind = exported.find(({ name }) => name === exportOf(stem));
  const collections = propertiesOf(kind?.value).find(
    ({ name }) => name && ts.isIdentifier(name) && name.text === "collections",
  );
  return collections && ts.isPropertyAssignment(collections) ? keysOf(collections.initializer) : [];
}

/**
 * The families without routes of their own. A kind serves that with the name of one of its collections.
 * @param {readonly Source[]} routes @param {readonly Source[]} kinds @param {readonly Family[]} families
 * @returns {Plain[]}
 */
function plainAmong(routes, kinds, families) {
  const own = new Set(routes.flatMap(familiesOf));
  return families
    .filter(({ name }) => !own.has(name))
    .map(({ name, stem }) => ({
      name,
      stem,
      kind: kinds.find((source) => collectionsOf(source).includes(name))?.stem,
    }));
}

/** The families without routes of their own. @param {readonly Family[]} families @param {URL} [root] */
export const plainFamilies = async (families, root = ROOT) =>
  plainAmong(await sourcesIn(root, ROUTES), await sourcesIn(root, KINDS), families);

/** @param {readonly Source[]} sources */
function refuseSharedFamilies(sources) {
  /** @type {Map<string, string>} */
  const files = new Map();
  for (const source of sources) {
    for (const family of familiesOf(source)) {
      const other = files.get(family);
      if (other !== undefined) throw new Error(`${source.file} and ${other} both export routes.${family}`);
      files.set(family, source.file);
    }
  }
}

/** @param {readonly Source[]} sources */
function kindsIndex(sources) {
  const kinds = sources.map(({ file, stem, exported }) => {
    const name = exportOf(stem);
    if (!exported.some((constant) => constant.name === name)) {
      throw new Error(`${file} must export its kind as the constant ${name}`);
    }
    return { name, stem };
  });
  return `// Written by \`npm run generate\`.
import { type ObjectKind } from "../kind/kind";
${kinds.map(({ name, stem }) => `import { ${name} } from "./${stem}";`).join("\n")}

/** Every kind of objects. */
export const kinds: readonly ObjectKind[] = [${kinds.map(({ name }) => name).join(", ")}];
`;
}

/** @param {readonly Source[]} sources @param {readonly Plain[]} plain the families that kinds serve. */
function routesIndex(sources, plain) {
  const stray = sources.find(({ exported }) => !exported.some(({ name }) => name === "routes"));
  if (stray) throw new Error(`${stray.file} must export the constant routes`);
  refuseSharedFamilies(sources);
  const hasPlain = plain.length > 0;
  const imports = [
    ...plain.map(({ name, stem }) => `import { ${name} as ${name}Family } from "../../api/${stem}";`),
    `import { type Service } from "../../api/service";`,
    ...plain.map(
      ({ name, kind }) => `import { ${exportOf(kind ?? "")} as ${name}Kind } from "../kinds/${kind}";`,
    ),
    ...(hasPlain ? [`import { defaultHandlers } from "../operations/default-handlers";`] : []),
    `import { ${hasPlain ? "byId, endpoints, " : ""}type Routes } from "../operations/endpoint";`,
    ...sources.map(({ stem }) => `import { routes as ${exportOf(stem)} } from "./${stem}";`),
  ];
  const served = [
    ...sources.map(({ stem }) => `...${exportOf(stem)},`),
    ...plain.map(
      ({ name }) =>
        `${name}: (store) => endpoints(${name}Family, byId(store.table(${name}Kind)), defaultHandlers(store, ${name}Kind)),`,
    ),
  ];
  return `// Written by \`npm run generate\`.
${imports.join("\n")}

/** The routes of every family, by its name. A family of the API without routes does not compile. */
export const routes = {
${served.join("\n")}
} satisfies Readonly<Record<keyof Service, Routes>>;
`;
}

/**
 * The registries of the emulator: every kind of objects, and the routes of every family.
 * @param {readonly Family[]} families
 * @param {URL} [root] The repository.
 * @returns {Promise<import("./write.mjs").Generated[]>}
 * @throws Error that names a file without its export
 */
export async function emulatorRegistries(families, root = ROOT) {
  const [kinds, routes] = await Promise.all([sourcesIn(root, KINDS), sourcesIn(root, ROUTES)]);
  const plain = plainAmong(routes, kinds, families).filter(({ kind }) => kind !== undefined);
  return [
    formatted(`${KINDS}/index.ts`, kindsIndex(kinds)),
    formatted(`${ROUTES}/index.ts`, routesIndex(routes, plain)),
  ];
}
