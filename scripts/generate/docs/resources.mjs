/** The generated parts of each resource's page. */
import { stemOf } from "../load.mjs";
import { ID, jsonOf } from "../schema/inputs.mjs";
import { changeOf, limitsOf, removalOf } from "../schema/sentences.mjs";
import { nameIn, tokenOf } from "../schema/types.mjs";
import { objectsIn, publicName, specOf } from "../sdk/types.mjs";
import { code, part, table } from "./markdown.mjs";

/** @import { Sources } from "../load.mjs" */
/** @import { Spec } from "../schema/types.mjs" */
/** @import { Named } from "../sdk/types.mjs" */
/** @typedef {{ path: string; spec: Spec; isRequired: boolean }} Row */

/** @param {Sources} sources @param {Spec} schema */
export const resourcePages = (sources, schema) =>
  Object.values(sources.descriptions).flatMap((description) => {
    const file = `docs/resources/${stemOf(description.type)}.md`;
    const inputs = part(file, "inputs", inputsTable(description, sources, schema));
    return description.unsupported === undefined
      ? [inputs]
      : [inputs, part(file, "unsupported", unsupportedList(description))];
  });

const REPLACED =
  "A removed input keeps its value only on the same object. If another input replaces the resource, the new object is created without it.";

/** @param {any} description @param {Sources} sources @param {Spec} schema */
function inputsTable({ type, noun, fields, autoname }, sources, schema) {
  const { inputProperties, requiredInputs } = schema["resources"][tokenOf(type)];
  const leaves = new Map(sources.fields.leavesOf(fields).map((leaf) => [leaf.path, leaf]));
  const rows = rowsOf(inputProperties, requiredInputs, "", schema["types"]).map(
    ({ path, spec, isRequired }) => {
      const leaf = leaves.get(path);
      return [
        code(path) + (isRequired ? " (required)" : ""),
        typeOf(spec, schema["types"]),
        textOf(spec, leaf),
        leaf === undefined ? "" : changeOf(leaf, noun),
        leaf === undefined ? "" : removalOf(leaf, noun, leaf.path === autoname?.path),
      ];
    },
  );
  const inputs = table([["Input", "Type", "Description", "A change", "Removing it"], ...rows]);
  const isKept = rows.some(([, , , , removal]) => removal?.startsWith("keeps the current value"));
  return isKept ? `${inputs}\n\n${REPLACED}` : inputs;
}

/**
 * A row for each input. The inputs of an object, or of the items of a list, follow it.
 * @param {Readonly<Record<string, Spec>>} properties @param {readonly string[]} required @param {string} prefix
 * @param {Named} named @returns {Row[]}
 */
export const rowsOf = (properties, required, prefix, named) =>
  Object.entries(properties).flatMap(([name, spec]) => {
    const path = `${prefix}${name}`;
    // A collection's members have the inputs of another resource, which has its own page.
    const [object] = spec["language"]?.nodejs?.accepts === undefined ? objectsIn(spec, named) : [];
    const row = { path, spec, isRequired: required.includes(name) };
    if (object === undefined) return [row];
    const inner = specOf(object, named);
    const below = spec["type"] === "array" ? `${path}[].` : `${path}.`;
    return [row, ...rowsOf(inner["properties"], inner["required"] ?? [], below, named)];
  });

/** @param {Spec} spec @param {Named} named @returns {string} */
export function typeOf(spec, named) {
  const { accepts, suchAs } = spec["language"]?.nodejs ?? {};
  if (accepts === ID) return "string or integer";
  if (suchAs !== undefined) return `string, such as ${suchAs.map(code).join(", ")}`;
  if (spec["oneOf"] !== undefined) return unionOf(spec["oneOf"], named);
  if (spec["type"] === "array") return `list of ${typeOf(spec["items"], named)}`;
  if (spec["type"] === "object")
    return `object with values of ${typeOf(spec["additionalProperties"], named)}`;
  const name = nameIn(spec["$ref"]);
  if (name === undefined)
    return spec["type"] ?? (spec["$ref"] === "pulumi.json#/Asset" ? "file" : "any type");
  const { enum: values } = specOf(name, named);
  return values === undefined ? code(publicName(name, "output", named)) : valuesOf(values);
}

/** @param {readonly { value: unknown }[]} values */
const valuesOf = (values) => values.map(({ value }) => code(String(value))).join(", ");

/** @param {readonly Spec[]} parts @param {Named} named */
function unionOf(parts, named) {
  const texts = parts.map((spec) => typeOf(spec, named));
  // Values that are listed beside any string are the documented ones.
  const isOpen =
    parts.length === 2 && parts[0]?.["type"] === "string" && nameIn(parts[1]?.["$ref"]) !== undefined;
  return isOpen ? `string, such as ${texts[1]}` : texts.join(" or ");
}

/** @param {Spec} spec @param {any} leaf */
function textOf({ description, language = {} }, leaf) {
  const { doc = description, default: omitted } = language.nodejs ?? {};
  const sentences = [
    doc,
    leaf?.deprecated,
    leaf?.secret ? "Secret." : "",
    ...(leaf === undefined ? [] : limitsOf(jsonOf(leaf.schema))),
    omitted === undefined ? "" : `Default: ${omitted}.`,
  ];
  return sentences.filter(Boolean).join(" ").replaceAll("|", "\\|");
}

/** @param {any} description */
const unsupportedList = ({ unsupported = {} }) =>
  Object.entries(unsupported)
    .map(([property, reason]) => `- ${code(property)} ${reason}`)
    .join("\n");
