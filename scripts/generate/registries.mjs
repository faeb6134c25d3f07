/** The indexes of resources and operations: an entry for each file. Also the scopes and path parameters of all operations. */
import { definitionOf, shapeOf } from "./api/schemas.mjs";
import { exportOf, loadFamilies, modulesOf, typeOf } from "./load.mjs";
import { formatted } from "./write.mjs";

const WRITTEN = "// Written by `npm run generate` from the files beside it.";
const LAZY =
  "/* eslint-disable @typescript-eslint/no-require-imports -- each is loaded on first use, with the schemas that it needs */";

export const registries = () => [
  formatted("src/api/scopes-and-params.ts", scopesAndParams()),
  formatted("src/api/service.ts", serviceIndex()),
  formatted("src/resources/index.ts", resourcesIndex()),
];

function resourcesIndex() {
  const getters = modulesOf("resources").map((stem) => ({
    property: typeOf(stem),
    stem,
    name: exportOf(stem),
  }));
  return `${lazyHead(getters)}
/** The description of each resource, by the name of its class. */
export const descriptions = {
${getters.map((getter) => `get ${getter.property}() { ${returned(getter)} },`).join("\n")}
};
`;
}

function serviceIndex() {
  const getters = loadFamilies();
  return `${lazyHead(getters)}
/** Every operation of the service, by family. */
export const service = {
${getters.map((getter) => `get ${getter.name}(): typeof ${exportOf(getter.stem)}.${getter.name} { ${returned(getter)} },`).join("\n")}
};

export type Service = typeof service;
`;
}

/** The scopes that operations need, and the path parameters that are the ids of objects whose schema has a text as id. */
function scopesAndParams() {
  const operations = loadFamilies().flatMap((family) => Object.values(family.operations));
  const groups = operations.flatMap(({ scopes }) =>
    scopes.map((/** @type {string} */ scope) => scope.split(":")[0]),
  );
  const params = operations.flatMap(({ path, reply }) => {
    const [, param] = /\{(\w+)\}$/.exec(path) ?? [];
    const id = shapeOf(reply)?.["id"];
    return param !== undefined && id !== undefined && definitionOf(id)["type"] === "string" ? [param] : [];
  });
  const [scopes, texts] = [groups, params].map((names) =>
    [...new Set(names)].sort().map((name) => JSON.stringify(name)),
  );
  return `${WRITTEN}

/** An OAuth scope of the service. A \`read_write\` scope includes the \`read_only\` scope. */
export type Scope = \`\${${scopes?.join(" | ")}}:\${"read_only" | "read_write"}\`;

/** Path parameters that are names or strings of the form \`<prefix>/<rest>\`. All others are integers. */
export type TextParam = ${texts?.join(" | ")};
export const TEXT_PARAMS: ReadonlySet<string> = new Set<TextParam>([${texts?.join(", ")}]);
`;
}

/** @typedef {{ stem: string; name: string }} Getter `name` is the name of the export in the module. */

/** @param {readonly Getter[]} getters */
const lazyHead = (getters) => `${WRITTEN}
${LAZY}
${[...new Set(getters.map(({ stem }) => `import type * as ${exportOf(stem)} from "./${stem}";\n`))].sort().join("")}`;

/** @param {Getter} getter */
const returned = ({ stem, name }) => `return (require("./${stem}") as typeof ${exportOf(stem)}).${name};`;
