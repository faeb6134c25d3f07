/** A page for each data function, from the schema and the table of docs/functions.md. */
import { code, table } from "../generate/docs/markdown.mjs";
import { valuesTable } from "../generate/docs/outputs.mjs";
import { rowsOf, typeOf } from "../generate/docs/resources.mjs";
import { FIRST_BLOCK } from "./examples/index.mjs";
import { tabs } from "./tabs.mjs";

/** @import { Spec } from "./examples/typed.mjs" */

/** The file with what holds for all data functions. Links of the pages are as its own. */
export const FUNCTIONS = "docs/functions.md";

/**
 * The pages of the data functions, by their names.
 * @param {Spec} schema @param {string} overview the text of docs/functions.md.
 */
export function functionPages(schema, overview) {
  return Object.entries(schema["functions"]).map(([token, spec]) => {
    const name = token.replace(/^.*:/, "");
    return { name, text: pageOf(name, /** @type {Spec} */ (spec), schema, overview) };
  });
}

/** @param {string} name @param {Spec} spec @param {Spec} schema @param {string} overview */
function pageOf(name, { description, inputs, outputs }, schema, overview) {
  const example = FIRST_BLOCK.exec(description.replace(/\n?$/, "\n"))?.[1] ?? "";
  const summary = description.split("\n\n")[0];
  const reads = rowOf(name, overview)[3];
  return [
    `# ${name}`,
    summary,
    tabs(example, schema),
    `Reads ${reads}. [Data functions](functions.md) says how filters, order and \`mostRecent\` work.`,
    "## Arguments",
    argumentsTable(inputs, schema),
    "## Result",
    valuesTable("Property", outputs.properties, outputs.required ?? [], schema["types"]),
    "",
  ].join("\n\n");
}

/** The cells of a function in the table of all functions. @param {string} name @param {string} overview */
function rowOf(name, overview) {
  const row = overview.split("\n").find((line) => line.startsWith(`| \`${name}\` | `));
  const cells = row?.split(" | ") ?? [];
  if (cells.length < 5) throw new Error(`${FUNCTIONS} has no row of ${name}: run \`npm run generate\``);
  return cells;
}

/** @param {Spec} inputs @param {Spec} schema */
function argumentsTable({ properties, required = [] }, schema) {
  const rows = rowsOf(properties, required, "", schema["types"]).map(({ path, spec, isRequired }) => [
    code(path) + (isRequired ? " (required)" : ""),
    typeOf(spec, schema["types"]),
    String(spec["description"] ?? "").replaceAll("|", "\\|"),
  ]);
  return table([["Argument", "Type", "Description"], ...rows]);
}

/** The table of all functions with a link from each to its page. @param {string} overview @param {readonly string[]} names */
export const linkedOverview = (overview, names) =>
  overview.replace(/^\| `(get\w+)` \| /gm, (row, name) =>
    names.includes(name) ? `| [\`${name}\`](/functions/${name}) | ` : row,
  );
