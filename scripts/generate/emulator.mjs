// The registries of the emulator, generated from the files of src/emulator/kinds and src/emulator/routes.
import { readFile, readdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import * as prettier from "prettier";
import ts from "typescript";

/** @typedef {{ name: string; value: ts.Expression | undefined }} Exported A constant that a file exports. */
/** @typedef {{ file: string; stem: string; exported: Exported[] }} Source */

/** @param {string} stem */
const camelCase = (stem) => stem.replace(/-(\w)/g, (_, letter) => letter.toUpperCase());

/**
 * The constants that a module exports.
 * @param {string} file @param {string} text
 * @returns {Exported[]}
 */
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

/**
 * The modules of a folder, without its index.
 * @param {URL} root @param {string} folder
 * @returns {Promise<Source[]>}
 */
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

/**
 * The families that a module of routes serves.
 * @param {Source} source
 * @returns {string[]}
 */
function familiesOf({ file, exported }) {
  const routes = exported.find(({ name }) => name === "routes");
  if (!routes) return [];
  if (!routes.value || !ts.isObjectLiteralExpression(routes.value)) {
    throw new Error(`${file} must export routes as an object literal`);
  }
  return routes.value.properties.flatMap(({ name }) => (name && ts.isIdentifier(name) ? name.text : []));
}

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
    const name = camelCase(stem);
    if (!exported.some((constant) => constant.name === name)) {
      throw new Error(`${file} must export its kind as the constant ${name}`);
    }
    return { name, stem };
  });
  return `// Written by \`npm run generate\`.
import { type Kind } from "../kind";
${kinds.map(({ name, stem }) => `import { ${name} } from "./${stem}";`).join("\n")}

/** Every kind of objects. */
export const kinds: readonly Kind[] = [${kinds.map(({ name }) => name).join(", ")}];
`;
}

/** @param {readonly Source[]} sources */
function routesIndex(sources) {
  /** @param {string} constant */
  const exporting = (constant) =>
    sources.filter(({ exported }) => exported.some(({ name }) => name === constant));
  const [families, data] = [exporting("routes"), exporting("dataRoutes")];
  const stray = sources.find((source) => !families.includes(source) && !data.includes(source));
  if (stray) throw new Error(`${stray.file} must export the constant routes or the constant dataRoutes`);
  refuseSharedFamilies(families);
  const imports = sources.map((source) => {
    const name = camelCase(source.stem);
    const parts = [
      ...(families.includes(source) ? [`routes as ${name}`] : []),
      ...(data.includes(source) ? [`dataRoutes as ${name}Data`] : []),
    ];
    return `import { ${parts.join(", ")} } from "./${source.stem}";`;
  });
  return `// Written by \`npm run generate\`.
import { type Service } from "../../api/service";
import { type DataRoute, type Routes } from "../operations/endpoint";
${imports.join("\n")}

/** The routes of every family, by its name. A family of the API without routes does not compile. */
export const routes = {
${families.map(({ stem }) => `  ...${camelCase(stem)},`).join("\n")}
} satisfies Readonly<Record<keyof Service, Routes>>;

/** The routes outside the API. */
export const dataRoutes: readonly DataRoute[] = [${data.map(({ stem }) => `...${camelCase(stem)}Data`).join(", ")}];
`;
}

/**
 * The registries of the emulator: every kind of objects, and the routes of every family.
 * @param {URL} [root] The repository.
 * @throws Error that names a file without its export
 */
export async function emulatorRegistries(root = new URL("../../", import.meta.url)) {
  const [kinds, routes] = ["src/emulator/kinds", "src/emulator/routes"];
  const written = [
    { file: `${kinds}/index.ts`, content: kindsIndex(await sourcesIn(root, kinds)) },
    { file: `${routes}/index.ts`, content: routesIndex(await sourcesIn(root, routes)) },
  ];
  return Promise.all(
    written.map(async ({ file, content }) => {
      const filepath = fileURLToPath(new URL(file, root));
      const options = { ...(await prettier.resolveConfig(filepath)), filepath };
      return { file, content: await prettier.format(content, options) };
    }),
  );
}
