/** The types that the schema gives the values of an example. */

/** @import { Statement } from "./program.mjs" */
/** @typedef {Record<string, any>} Spec */

/** @param {string} name of a resource, a function or a type. */
export const tokenOf = (name) => `nodecloud:index:${name}`;

/** The properties that a statement sets. @param {Statement} statement @param {Spec} schema @returns {Record<string, Spec>} */
export function propertiesOf({ kind, of }, schema) {
  const properties =
    kind === "resource"
      ? schema["resources"][tokenOf(of)]?.inputProperties
      : schema["functions"][tokenOf(of)]?.inputs.properties;
  if (properties === undefined) throw new Error(`an example uses nodecloud.${of}, which the schema lacks`);
  return properties;
}

/**
 * The type of a value: a choice becomes the choice that the value has.
 * @param {Spec | undefined} spec @param {any} value @param {Spec} schema @param {string} path in the program, for the error.
 * @returns {{ type: "string" | "integer" | "number" | "boolean" | "any" } | { type: "enum", name: string, constant: string } | { type: "object", name: string, properties: Record<string, Spec> } | { type: "list" | "map", items: Spec }}
 */
export function typeOf(spec, value, schema, path) {
  if (spec === undefined) throw new Error(`an example sets ${path}, which the schema lacks`);
  if (spec["oneOf"] !== undefined) {
    const fits = spec["oneOf"].find((/** @type {Spec} */ choice) => isOf(choice, value));
    return typeOf(fits, value, schema, path);
  }
  const ref = spec["$ref"];
  if (ref === "pulumi.json#/Any") return { type: "any" };
  if (ref !== undefined) {
    const name = ref.replace(/^.*:/, "");
    const named = schema["types"][tokenOf(name)];
    if (named.enum === undefined) return { type: "object", name, properties: named.properties };
    const found = named.enum.find((/** @type {Spec} */ one) => one["value"] === value);
    if (found === undefined) throw new Error(`an example gives ${path} a value that is not one of ${name}`);
    return { type: "enum", name, constant: found.name ?? found.value };
  }
  if (spec["type"] === "array") return { type: "list", items: spec["items"] };
  if (spec["type"] === "object") return { type: "map", items: spec["additionalProperties"] };
  return { type: spec["type"] };
}

/** @param {Spec} spec @param {any} value */
function isOf({ type }, value) {
  if (type === "array") return Array.isArray(value);
  if (type === "object") return typeof value === "object" && !Array.isArray(value);
  return type === typeof value;
}

/** A name in the spelling of Python: `ttlSec` is `ttl_sec`. @param {string} name */
export const snake = (name) =>
  name
    .replace(/(?<=[a-z0-9])(?=[A-Z])/g, "_")
    .replace(/(?<=[A-Z])(?=[A-Z][a-z])/g, "_")
    .toLowerCase();

/** A name in the spelling of Go. @param {string} name */
export const pascal = (name) => name.replace(/^./, (letter) => letter.toUpperCase());
