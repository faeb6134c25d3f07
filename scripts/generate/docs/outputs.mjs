/** The outputs in each resource's page: a sentence about the inputs that are also outputs, and a table of the other outputs. */
import { stemOf } from "../load.mjs";
import { tokenOf } from "../schema/types.mjs";
import { code, part, series, table } from "./markdown.mjs";
import { rowsOf, typeOf } from "./resources.mjs";

/** @import { Spec } from "../schema/types.mjs" */
/** @import { Named } from "../sdk/types.mjs" */

/** @param {import("../load.mjs").Sources} sources @param {Spec} schema */
export const outputPages = (sources, schema) =>
  Object.values(sources.descriptions).map((description) =>
    part(`docs/resources/${stemOf(description.type)}.md`, "outputs", outputsText(description, schema)),
  );

/** @param {any} description @param {Spec} schema */
function outputsText({ type, outputs }, schema) {
  const { properties, required, inputProperties } = schema["resources"][tokenOf(type)];
  const named = schema["types"];
  /** Whether the table of inputs describes an output. It does not say whether the output may be undefined. @param {string} name */
  const isAsInput = (name) =>
    outputs[name] === undefined &&
    inputProperties[name] !== undefined &&
    typeOf(properties[name], named) === typeOf(inputProperties[name], named);
  const names = Object.keys(properties);
  const own = names.filter((name) => !isAsInput(name));
  const text = sentences(
    Object.keys(inputProperties).filter((name) => properties[name] === undefined),
    names.filter(isAsInput),
    required,
  );
  const listed = Object.fromEntries(own.map((name) => [name, properties[name]]));
  return `${text}\n\n${valuesTable("Output", listed, required, named)}`;
}

/**
 * A table of values, with a row for each path.
 * @param {string} head of the column of their names. @param {Readonly<Record<string, Spec>>} properties
 * @param {readonly string[]} required @param {Named} named
 */
export function valuesTable(head, properties, required, named) {
  const rows = rowsOf(properties, required, "", named).map(({ path, spec, isRequired }) => [
    code(path),
    typeOf(spec, named),
    textOf(spec, isRequired),
  ]);
  return table([[head, "Type", "Description"], ...rows]);
}

/**
 * @param {readonly string[]} inputsOnly The inputs that are not outputs.
 * @param {readonly string[]} asInputs The outputs that the table does not list, because they equal the inputs.
 * @param {readonly string[]} required
 */
function sentences(inputsOnly, asInputs, required) {
  const except = inputsOnly.length === 0 ? "" : ` except ${series(inputsOnly.map(code))}`;
  const isThere = (/** @type {string} */ name) => required.includes(name);
  return [
    `All inputs${except} are also outputs.`,
    "The table lists the outputs that are not inputs, and those that differ from the input.",
    ...undefinedOnes(
      asInputs.filter(isThere),
      asInputs.filter((name) => !isThere(name)),
    ),
  ].join(" ");
}

/** The outputs outside the table that may be undefined. It names the shorter of the two lists. @param {readonly string[]} there @param {readonly string[]} optional */
function undefinedOnes(there, optional) {
  if (optional.length === 0) return [];
  if (there.length > optional.length)
    return [`Of the outputs that it does not list, ${series(optional.map(code))} may be undefined.`];
  const except = there.length === 0 ? "" : `, except ${series(there.map(code))}`;
  return [`The outputs that it does not list may be undefined${except}.`];
}

/** @param {Spec} spec @param {boolean} isRequired */
function textOf({ description, deprecationMessage, secret, language }, isRequired) {
  const doc = language?.nodejs?.doc ?? description;
  const facts = [secret && !doc.endsWith("Secret.") ? "Secret." : "", isRequired ? "" : "May be undefined."];
  return [doc, deprecationMessage, ...facts].filter(Boolean).join(" ").replaceAll("|", "\\|");
}
