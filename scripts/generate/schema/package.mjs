/** The package in the Pulumi Package Schema format. */
import { readFileSync } from "node:fs";
import { root } from "../load.mjs";
import { formatted } from "../write.mjs";
import { FUNCTIONS, functionSpecs } from "./functions.mjs";
import { readProgram } from "./program.mjs";
import { PROVIDER, providerSpecs } from "./provider.mjs";
import { addItemType, resourceSpec } from "./resource.mjs";
import { tokenOf, Types } from "./types.mjs";

/** @import { Spec } from "./types.mjs" */

/** The settings for the generators of SDKs. The SDKs name the version of the package. */
const languages = {
  nodejs: { packageName: "pulumi-nodecloud" },
  python: {
    packageName: "pulumi_nodecloud",
    readme: readmeOf("Python"),
    inputTypes: "classes-and-dicts",
    pyproject: { enabled: true },
    respectSchemaVersion: true,
  },
  go: {
    importBasePath: "github.com/pulumi-nodecloud/pulumi-nodecloud/sdks/go/nodecloud",
    generateResourceContainerTypes: false,
    respectSchemaVersion: true,
  },
};

/** @param {string} language */
function readmeOf(language) {
  return `# The ${language} SDK of the node cloud

The resources and data functions of the node cloud API for Pulumi programs in ${language}. It is generated from the package's schema. The plugin that does the work is part of the npm package \`pulumi-nodecloud\`.

[How to use it](https://github.com/pulumi-nodecloud/pulumi-nodecloud/blob/main/docs/languages.md).
`;
}

/** @param {import("../load.mjs").Sources} sources @returns {Spec} */
export function packageSchema(sources) {
  const { descriptions, fields } = sources;
  const { version, description, keywords, license, homepage } = JSON.parse(
    readFileSync(new URL("package.json", root), "utf8"),
  );
  const types = new Types();
  const contexts = Object.values(descriptions).map((one) => ({
    description: one,
    types,
    groupFacts: fields.groupFacts,
  }));
  for (const context of contexts) addItemType(context);
  const resources = Object.fromEntries(
    contexts.map((context) => [tokenOf(context.description.type), resourceSpec(context)]),
  );
  const program = readProgram([FUNCTIONS, PROVIDER]);
  const functions = functionSpecs(sources, types, program);
  return {
    name: "nodecloud",
    version,
    displayName: "Node cloud",
    description,
    keywords,
    homepage: homepage.replace(/#.*/, ""),
    license,
    repository: homepage.replace(/#.*/, ""),
    publisher: "pulumi-nodecloud",
    pluginDownloadURL: "github://api.github.com/pulumi-nodecloud",
    meta: { moduleFormat: "(.*)" },
    ...providerSpecs(program),
    types: types.specs,
    resources,
    functions,
    language: languages,
  };
}

/** @param {Spec} schema */
export const schemaFile = (schema) => formatted("schema.json", JSON.stringify(schema));
