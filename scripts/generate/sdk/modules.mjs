/** The files of src/sdk: a module for each resource, one of the types that several share, and the index. */
import { stemOf } from "../load.mjs";
import { formatted } from "../write.mjs";
import { namedTypeText } from "./interfaces.mjs";
import { argsNames, resourceModule } from "./resource.mjs";
import { objectsIn, publicName, specOf } from "./types.mjs";

/** @typedef {import("../schema/types.mjs").Spec} Spec */
/** @typedef {import("./types.mjs").Named} Named */

const SHARED = "shared-types";

/** @param {Spec} schema */
export function sdkModules(schema) {
  const named = schema["types"];
  const resources = Object.entries(schema["resources"]).map(([token, spec]) => {
    const type = token.split(":").at(-1) ?? token;
    return { type, stem: stemOf(type), spec, uses: typesOf(spec, named) };
  });
  const users = (/** @type {string} */ name) => resources.filter(({ uses }) => uses.includes(name));
  const shared = [...new Set(resources.flatMap(({ uses }) => uses))]
    .filter((name) => users(name).length > 1)
    .sort();
  const homes = homesOf(resources, shared, named);
  const modules = resources.map(({ type, stem, spec, uses }) => {
    const own = uses.filter((name) => !shared.includes(name));
    const text = resourceModule(type, spec, { named, own, stem });
    return formatted(`src/sdk/${stem}.ts`, withImports(text, stem, homes));
  });
  const sharedText = `// Written by \`npm run generate\` from src/resources.
import type * as pulumi from "@pulumi/pulumi";

${shared.map((name) => namedTypeText(name, named)).join("\n")}`;
  return [
    ...modules,
    ...(shared.length === 0 ? [] : [formatted(`src/sdk/${SHARED}.ts`, sharedText)]),
    formatted("src/sdk/index.ts", indexText(resources, homes)),
  ];
}

/** The types of objects that a resource is made of, those within others first. @param {Spec} spec @param {Named} named @returns {string[]} */
function typesOf(spec, named) {
  /** @type {Set<string>} */
  const names = new Set();
  const visit = (/** @type {Spec} */ property) => {
    for (const name of objectsIn(property, named)) {
      if (names.has(name)) continue;
      for (const inner of Object.values(specOf(name, named)["properties"])) visit(inner);
      names.add(name);
    }
  };
  // A type that the program may write otherwise than the schema can say is declared by whoever is named there.
  const written = Object.values(spec["inputProperties"]).filter(
    (/** @type {Spec} */ input) => input["language"]?.nodejs?.accepts === undefined,
  );
  for (const property of [...Object.values(spec["properties"]), ...written]) visit(property);
  return [...names];
}

/**
 * Where each exported type is declared: the stem of its module.
 * @param {readonly { type: string; stem: string; spec: Spec; uses: readonly string[] }[]} resources
 * @param {readonly string[]} shared @param {Named} named @returns {Map<string, string>}
 */
function homesOf(resources, shared, named) {
  /** @type {Map<string, string>} */
  const homes = new Map();
  for (const { type, stem, spec, uses } of resources) {
    for (const name of argsNames(type, spec)) homes.set(name, stem);
    for (const name of uses) {
      const home = shared.includes(name) ? SHARED : stem;
      for (const exported of namesOf(name, named)) homes.set(exported, home);
    }
  }
  return homes;
}

/** @param {string} name @param {Named} named @returns {string[]} */
function namesOf(name, named) {
  const { forms = [], name: alias } = specOf(name, named)["language"]?.nodejs ?? {};
  return [
    ...(forms.includes("input") ? [publicName(name, "input", named)] : []),
    ...(alias === undefined ? [publicName(name, "output", named)] : []),
  ];
}

/** The module with imports of the types that it names and others declare. @param {string} text @param {string} stem @param {Map<string, string>} homes */
function withImports(text, stem, homes) {
  const code = text.replace(/\/\*\*[\s\S]*?\*\//g, "");
  /** @type {Map<string, string[]>} */
  const imports = new Map();
  for (const [name, home] of [...homes].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (home === stem || !new RegExp(`\\b${name}\\b`).test(code)) continue;
    imports.set(home, [...(imports.get(home) ?? []), `type ${name}`]);
  }
  const lines = [...imports]
    .sort()
    .map(([home, names]) => `import { ${names.join(", ")} } from "./${home}";\n`);
  return text.replace(/(?<=\nimport \{ outlines \} from "\.\/outlines";\n)/, () => lines.join(""));
}

/** @param {readonly { type: string; stem: string }[]} resources @param {Map<string, string>} homes */
function indexText(resources, homes) {
  const typesIn = (/** @type {string} */ stem) =>
    [...homes]
      .filter(([, home]) => home === stem)
      .map(([name]) => name)
      .sort();
  const lines = resources.map(({ type, stem }) => {
    const types = typesIn(stem).map((name) => `type ${name}`);
    return `export { ${[type, ...types].join(", ")} } from "./${stem}";`;
  });
  const shared = typesIn(SHARED);
  const last = shared.length === 0 ? "" : `export type { ${shared.join(", ")} } from "./${SHARED}";\n`;
  return `// Written by \`npm run generate\` from src/resources.\n${lines.join("\n")}\n${last}`;
}
