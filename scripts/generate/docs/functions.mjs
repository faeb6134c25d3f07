/** The tables of the data functions: their arguments, requests and results, and the fields to filter by. */
import { z } from "zod";
import { withArticle } from "../functions.mjs";
import { nameIn, tokenOf } from "../schema/types.mjs";
import { specOf } from "../sdk/types.mjs";
import { code, part, table } from "./markdown.mjs";
import { valuesTable } from "./outputs.mjs";

/** @import { Sources } from "../load.mjs" */
/** @import { Spec } from "../schema/types.mjs" */

/** @param {Sources} sources @param {Spec} schema */
export const functionPages = (sources, schema) => [
  part("docs/functions.md", "functions", functionsTable(sources, schema)),
  part("docs/functions.md", "fields", filterFieldsTable(sources)),
  part("docs/functions.md", "results", resultTables(sources, schema)),
];

/** @param {Sources} sources @param {Spec} schema */
function functionsTable(sources, schema) {
  const rows = sources.declarations.map((declaration) => [
    code(declaration.name),
    schema["functions"][tokenOf(declaration.name)].description.split("\n\n")[0].replaceAll("\n", " "),
    argumentsOf(declaration, sources).join(", "),
    readingsOf(declaration, sources).join(" or "),
    resultOf(declaration, sources),
  ]);
  return table([["Function", "Description", "Arguments", "Reads", "Result"], ...rows]);
}

/** A table for each type of results, under the names of the functions that return it. @param {Sources} sources @param {Spec} schema */
function resultTables({ declarations }, { functions, types }) {
  /** @type {Map<string, { names: string[]; spec: Spec }>} */
  const results = new Map();
  for (const { name, kind, collection, list } of declarations) {
    const outputs = functions[tokenOf(name)].outputs;
    const of =
      kind === "item" ? functions[tokenOf(list.name)].outputs.properties[list.collection] : undefined;
    const type = nameIn((of ?? outputs.properties[collection])?.items.$ref);
    const spec = type === undefined ? outputs : specOf(type, types);
    const key = JSON.stringify(spec.properties);
    const names = [...(results.get(key)?.names ?? []), name];
    results.set(key, { names, spec });
  }
  return [...results.values()]
    .map(
      ({ names, spec: { properties, required } }) =>
        `### ${names.map(code).join(", ")}\n\n${valuesTable("Property", properties, required, types)}`,
    )
    .join("\n\n");
}

/** @param {Sources} sources */
function filterFieldsTable({ declarations, read }) {
  const rows = declarations
    .filter(({ kind }) => kind === "list")
    .map((list) => {
      const fields = [...read.fieldsOf(list)];
      /** @param {boolean} lists */
      const named = (lists) =>
        fields.filter(([, { isList }]) => isList === lists).map(([path]) => code(path));
      return [code(list.name), named(false).join(", "), named(true).join(", ") || "none"];
    });
  return table([["List", "Fields to filter and sort by", "Lists to filter by"], ...rows]);
}

/** @param {any} declaration @param {Sources} sources */
function argumentsOf(declaration, { look }) {
  const { kind, parent } = declaration;
  if (kind === "view") return [`${code(parent.property)} (required)`];
  const names = kind === "list" ? look.listArguments(declaration) : look.itemArguments(declaration);
  const required = kind === "list" ? parent?.property : undefined;
  return names.map((name) => code(name) + (name === required ? " (required)" : ""));
}

/** @param {any} declaration @param {Sources} sources */
function readingsOf({ kind, reads, list }, { read: { specOf } }) {
  const operations = kind === "item" ? [reads, list.reads] : [reads];
  return operations
    .filter(Boolean)
    .map((operation) => code(`${specOf(operation).method} ${specOf(operation).path}`));
}

/** @param {any} declaration @param {Sources} sources */
function resultOf({ kind, nouns, collection, list, reads, secrets = [] }, { read, values }) {
  if (kind === "list") return `${code(collection)}: a list of ${nouns[1]}`;
  if (kind === "item") return withArticle(list.nouns[0]);
  const reply = /** @type {z.ZodType} */ (/** @type {unknown} */ (read.specOf(reads).reply));
  return Object.keys(z.toJSONSchema(reply).properties ?? {})
    .map((name) => code(values.camelPath(name)) + (secrets.includes(name) ? " (secret)" : ""))
    .join(", ");
}
