/** The outputs of a description as properties of the package schema: its inputs, and the properties that the service adds. */
import { factsOf, isField, jsonOf, leavesIn } from "./inputs.mjs";
import { joined } from "./sentences.mjs";
import { camel, objectSpec, pascal } from "./types.mjs";

/** @import { Context } from "./inputs.mjs" */
/** @import { Spec } from "./types.mjs" */

/** @param {Context} context @returns {{ properties: Record<string, Spec>; required: string[] }} */
export function outputsOf(context) {
  const { fields, outputs, forms = [], property } = context.description;
  // The other forms of a collection's members are inputs only.
  const names = [...new Set([...Object.keys(fields), ...Object.keys(outputs)])].filter(
    (name) => !forms.includes(name) || name === property,
  );
  return {
    properties: Object.fromEntries(names.map((name) => [name, outputSpec(name, context)])),
    required: names.filter((name) => isAlwaysThere(name, context.description)),
  };
}

/** @param {string} name @param {Context} context @returns {Spec} */
function outputSpec(name, context) {
  const { type, fields, outputs, secretOutputs = [] } = context.description;
  const [field, output] = [fields[name], outputs[name]];
  const isSecret = secretOutputs.includes(name) || isSecretInput(field);
  const spec =
    output === undefined && !isField(field)
      ? groupSpec(field, context)
      : valueSpec(output ?? field, `${type}${pascal(name)}`, context);
  const { deprecated } = field ?? {};
  const doc = output?.doc ?? field.doc ?? factsOf(field, context).doc;
  return {
    ...spec,
    description: joined([doc, isSecret ? "Secret." : undefined]),
    ...(isSecret ? { secret: true } : {}),
    ...(deprecated === undefined ? {} : { deprecationMessage: deprecated }),
  };
}

/** @param {any} node An input, an object of inputs, or undefined. */
const isSecretInput = (node) =>
  node !== undefined && (isField(node) ? [node] : leavesIn(node)).every(({ secret }) => secret === true);

/** @param {any} source An input or an output. @param {string} name @param {Context} context @returns {Spec} */
function valueSpec({ schema, compare, notSent }, name, { types }) {
  if (compare === "id") return { type: "string" };
  const spec = types.of(jsonOf(schema), name, "output");
  // The service may answer with values that the reference does not list, except for what no request tells it.
  const isClosed = types.listed(spec)?.type === "string";
  return isClosed && notSent !== true ? { type: "string", oneOf: [{ type: "string" }, spec] } : spec;
}

/** An object of inputs as a value. @param {any} tree @param {Context} context @returns {Spec} */
function groupSpec(tree, context) {
  const { type, doc, requires = [] } = factsOf(tree, context);
  /** @type {[string, Spec][]} */
  const inner = Object.entries(tree).map(([name, node]) => [
    name,
    isField(node)
      ? {
          ...valueSpec(node, `${type}${pascal(name)}`, context),
          description: joined([node.doc, node.secret === true ? "Secret." : undefined]),
        }
      : { ...groupSpec(node, context), description: factsOf(node, context).doc },
  ]);
  return context.types.add(type, objectSpec(doc, inner, requires), "output");
}

/** @param {string} name @param {any} description */
function isAlwaysThere(name, { fields, outputs, autoname, readOperation }) {
  if (outputs[name] !== undefined) return !isOptional(outputs[name].schema);
  const { required, default: back } = fields[name];
  if (required !== undefined || autoname?.path === name) return true;
  // An input that no answer shows is an output only if the program sets it.
  return (
    back !== undefined && back !== null && readOperation !== undefined && isAnswered(name, readOperation)
  );
}

/** @param {string} name @param {any} operation */
function isAnswered(name, { reply: { shape } }) {
  const fields = shape.data?.element?.shape ?? shape;
  return Object.keys(fields).some((field) => camel(field) === name);
}

/** @param {import("zod").ZodType} schema */
const isOptional = (schema) => schema.safeParse(undefined).success || schema.safeParse(null).success;
