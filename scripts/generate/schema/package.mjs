/** The package in the Pulumi Package Schema format. */
import { readFileSync } from "node:fs";
import { root } from "../load.mjs";
import { formatted } from "../write.mjs";
import { FUNCTIONS, functionSpecs } from "./functions.mjs";
import { readProgram } from "./program.mjs";
import { PROVIDER, providerSpecs } from "./provider.mjs";
import { addItemType, resourceSpec } from "./resource.mjs";
import { tokenOf, Types } from "./types.mjs";

/**
 * @param {import("../load.mjs").Sources} sources
 * @returns {import("./types.mjs").Spec}
 */
export function packageSchema(sources) {
  const { descriptions, fields } = sources;
  const { description, keywords, license, homepage } = JSON.parse(
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
    displayName: "Node cloud",
    description,
    keywords,
    homepage: homepage.replace(/#.*/, ""),
    license,
    repository: homepage.replace(/#.*/, ""),
    meta: { moduleFormat: "(.*)" },
    ...providerSpecs(program),
    types: types.specs,
    resources,
    functions,
    language: { nodejs: { packageName: "pulumi-nodecloud" } },
  };
}

/** @param {import("./types.mjs").Spec} schema */
export const schemaFile = (schema) => formatted("schema.json", JSON.stringify(schema));
