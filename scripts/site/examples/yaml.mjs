/** An example as a program in YAML. */
import { stringify } from "yaml";
import { Reference } from "./program.mjs";

/** @import { Statement } from "./program.mjs" */

/** @param {readonly Statement[]} statements */
export function inYaml(statements) {
  /** @type {Record<string, object>} */
  const resources = {};
  /** @type {Record<string, object>} */
  const variables = {};
  for (const statement of statements) {
    const { kind, of, inputs } = statement;
    if (kind === "resource") {
      const key = keyOf(statement, resources);
      const name = key === statement.name ? {} : { name: statement.name };
      resources[key] = { type: `nodecloud:${of}`, ...name, properties: written(inputs) };
      continue;
    }
    const invoke = { function: `nodecloud:${of}`, arguments: written(inputs) };
    const { key, ...more } = resultOf(statement);
    variables[key] = { "fn::invoke": { ...invoke, ...more } };
  }
  const parts = Object.entries({ variables, resources }).filter(([, part]) => Object.keys(part).length > 0);
  return stringify({ name: "example", runtime: "yaml", ...Object.fromEntries(parts) }, { lineWidth: 0 });
}

/** The name of a variable for the result, or for its only field that the program takes. @param {Statement} statement @returns {{ key: string, return?: string }} */
function resultOf({ variable, fields = [], of }) {
  const [field] = fields;
  if (field !== undefined && fields.length === 1) return { key: field, return: field };
  return { key: variable ?? of.replace(/^get./, (start) => start.slice(-1).toLowerCase()) };
}

/** A program has one resource of a key. @param {Statement} statement @param {object} taken */
function keyOf({ variable, name = "", of }, taken) {
  if (variable !== undefined) return variable;
  return name in taken ? `${name}-${of.replace(/^.*(?=[A-Z])/, "").toLowerCase()}` : name;
}

/** @param {any} value @returns {any} */
function written(value) {
  if (value instanceof Reference) return `\${${String(value)}}`;
  if (Array.isArray(value)) return value.map(written);
  if (typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, written(inner)]));
}
