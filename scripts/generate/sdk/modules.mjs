/** The files of src/sdk: a module for each resource, two for the types of objects within inputs and outputs, and the index. */
import { importsOf } from "../api/modules.mjs";
import { stemOf } from "../load.mjs";
import { formatted } from "../write.mjs";
import { hasForm, namedTypeText } from "./interfaces.mjs";
import { argsNames, pluginModule, resourceModule } from "./resource.mjs";
import { objectsIn, publicName, specOf } from "./types.mjs";

/** @import { Spec } from "../schema/types.mjs" */
/** @import { Form, Named } from "./types.mjs" */
/** @typedef {{ type: string; stem: string; spec: Spec }} Resource */

/** The modules of the types of objects. @type {Readonly<Record<Form, string>>} */
const TYPES = { input: "inputs", output: "types" };
const FORMS = /** @type {const} */ (["input", "output"]);

/** @param {Spec} schema */
export function sdkModules(schema) {
  const named = schema["types"];
  /** @type {Resource[]} */
  const resources = Object.entries(schema["resources"]).map(([token, spec]) => {
    const type = token.split(":").at(-1) ?? token;
    return { type, stem: stemOf(type), spec };
  });
  const objects = [...new Set(resources.flatMap(({ spec }) => typesOf(spec, named)))].sort();
  const homes = homesOf(resources, objects, named);
  return [
    ...resources.map(({ type, stem, spec }) =>
      formatted(`src/sdk/${stem}.ts`, withImports(resourceModule(type, spec, named, stem), stem, homes)),
    ),
    ...FORMS.map((form) => formatted(`src/sdk/${TYPES[form]}.ts`, typesText(objects, form, named))),
    formatted("src/sdk/plugin.ts", pluginModule(resources)),
    formatted("src/plugin.ts", pluginEntry(resources)),
    formatted("src/sdk/index.ts", indexText(resources, homes)),
  ];
}

/**
 * The entry of the full plugin: everything of the package's main entry, with the classes of the plugin.
 * @param {readonly Resource[]} resources
 */
const pluginEntry = (resources) => `// Written by \`npm run generate\` from src/resources.
export * from "./index";
export { NodePool } from "./components/plugin";
export { PluginProvider as Provider } from "./provider/program/provider";
export { ${resources.map(({ type }) => type).join(", ")} } from "./sdk/plugin";
`;

/** @param {readonly string[]} objects @param {Form} form @param {Named} named */
const typesText = (objects, form, named) => `// Written by \`npm run generate\` from src/resources.
${form === "input" ? 'import type * as pulumi from "@pulumi/pulumi";\n' : ""}
${objects.flatMap((name) => namedTypeText(name, form, named)).join("\n")}`;

/** The types of the objects of a resource, with those nested in others. @param {Spec} spec @param {Named} named @returns {string[]} */
function typesOf(spec, named) {
  /** @type {Set<string>} */
  const names = new Set();
  const visit = (/** @type {Spec} */ property) => {
    for (const name of objectsIn(property, named)) {
      if (names.has(name)) continue;
      names.add(name);
      for (const inner of Object.values(specOf(name, named)["properties"])) visit(inner);
    }
  };
  // If the schema cannot express a type, the resource declares it.
  const written = Object.values(spec["inputProperties"]).filter(
    (/** @type {Spec} */ input) => input["language"]?.nodejs?.accepts === undefined,
  );
  for (const property of [...Object.values(spec["properties"]), ...written]) visit(property);
  return [...names];
}

/**
 * The module that declares each exported type, by its stem.
 * @param {readonly Resource[]} resources @param {readonly string[]} objects @param {Named} named @returns {Map<string, string>}
 */
const homesOf = (resources, objects, named) =>
  new Map([
    ...resources.flatMap(({ type, stem, spec }) =>
      argsNames(type, spec).map((name) => /** @type {const} */ ([name, stem])),
    ),
    ...objects.flatMap((name) =>
      FORMS.filter((form) => hasForm(name, form, named)).map(
        (form) => /** @type {const} */ ([publicName(name, form, named), TYPES[form]]),
      ),
    ),
  ]);

/** The module with imports of the types that it uses and other modules declare. @param {string} text @param {string} stem @param {Map<string, string>} homes */
function withImports(text, stem, homes) {
  const others = [...homes].sort(([a], [b]) => (a < b ? -1 : 1)).filter(([, home]) => home !== stem);
  const imports = importsOf(
    text,
    others.map(([type, home]) => ({ type, from: `./${home}` })),
  );
  return text.replace(/(?<=\nimport \{ outlines \} from "\.\/outlines";\n)/, () => imports);
}

/** @param {readonly { type: string; stem: string }[]} resources @param {Map<string, string>} homes */
function indexText(resources, homes) {
  const typesIn = (/** @type {string} */ stem) =>
    [...homes]
      .filter(([, home]) => home === stem)
      .map(([name]) => name)
      .sort();
  const lines = resources.map(({ type, stem }) => {
    const inputs = typesIn(stem).map((name) => `type ${name}`);
    return `export { ${[type, ...inputs].join(", ")} } from "./${stem}";`;
  });
  const types = FORMS.flatMap((form) => {
    const names = typesIn(TYPES[form]);
    return names.length === 0 ? [] : [`export type { ${names.join(", ")} } from "./${TYPES[form]}";`];
  });
  return `// Written by \`npm run generate\` from src/resources.\n${[...lines, ...types].join("\n")}\n`;
}
