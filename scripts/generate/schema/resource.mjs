/** A description as a resource of the package schema. */
import { z } from "zod";
import { variantNames } from "../sdk/variants.mjs";
import { acceptedType } from "./accepted.mjs";
import { changeOf, defaultOf, joined, limitsOf, removalOf } from "./sentences.mjs";
import { described, objectSpec, pascal, withoutNull } from "./types.mjs";

/** @typedef {import("./types.mjs").Spec} Spec */
/** @typedef {import("./types.mjs").Types} Types */

const ID = { oneOf: [{ type: "string" }, { type: "integer" }] };

/** @param {z.ZodType} schema */
const jsonOf = (schema) => withoutNull(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }));

/** @param {any} node */
const isField = (node) => node.change !== undefined && "schema" in node;

/** `MysqlDatabase` as people call it, where the description does not say. @param {string} type */
const words = (type) => type.replace(/(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase();

/**
 * @param {any} description @param {Types} types
 * @param {(tree: any) => { type: string; doc: string; requires?: readonly string[] } | undefined} groupFacts
 */
export function resourceSpec(description, types, groupFacts) {
  const {
    type,
    fields,
    derived = {},
    doc = "",
    idDoc,
    example,
    argsDoc,
    variants,
    handing,
    id,
  } = description;
  const context = { description, types, groupFacts, noun: description.noun ?? words(type) };
  const outputs = outputProperties(context);
  const inputs = propertiesOf(
    Object.entries(fields).filter(([name]) => !Object.hasOwn(derived, name)),
    "",
    context,
  );
  const place = variants?.of === undefined ? undefined : id?.parent;
  const nodejs = { noun: context.noun, idDoc, example, argsDoc, variants, place, handing };
  return {
    description: example === undefined ? doc : `${doc}\n\n\`\`\`typescript\n${example}\n\`\`\``,
    properties: outputs.properties,
    required: outputs.required,
    inputProperties: Object.fromEntries(inputs),
    requiredInputs: inputs.map(([name]) => name).filter((name) => fields[name].required !== undefined),
    language: { nodejs: { doc, ...withoutUndefined(nodejs) } },
  };
}

/**
 * Adds the type of one object of a collection, whose inputs are those of the resource but for the place where it belongs.
 * @param {any} description @param {Types} types @param {(tree: any) => any} groupFacts
 */
export function addItemType(description, types, groupFacts) {
  const { fields, id, variants } = description;
  if (variants?.of === undefined) return;
  const { value } = variantNames(variants);
  const context = { description, types, groupFacts, noun: description.noun ?? words(description.type) };
  const own = Object.entries(fields).filter(([name]) => name !== id?.parent);
  const required = own.filter(([, field]) => field.required !== undefined).map(([name]) => name);
  types.add(variants.of, objectSpec(variants.doc, propertiesOf(own, "", context), required), "input");
  types.call(value, variants.of);
}

/** @typedef {{ description: any; types: Types; groupFacts: (tree: any) => any; noun: string }} Context */

/** @param {readonly [string, any][]} nodes @param {string} prefix @param {Context} context @returns {[string, Spec][]} */
const propertiesOf = (nodes, prefix, context) =>
  nodes.map(([name, node]) => [
    name,
    isField(node)
      ? inputSpec(node, `${prefix}${name}`, context)
      : groupSpec(node, `${prefix}${name}`, context),
  ]);

/** @param {any} leaf @param {string} path @param {Context} context @returns {Spec} */
function inputSpec(leaf, path, { description: { type, autoname }, types, noun }) {
  const json = jsonOf(leaf.schema);
  const isNamed = path === autoname?.path;
  const omitted = defaultOf(leaf, isNamed);
  const text = joined([
    leaf.doc,
    leaf.secret ? "Secret." : undefined,
    ...limitsOf(json),
    changeOf(leaf, noun),
    removalOf(leaf, noun, isNamed),
  ]);
  const accepted = leaf.accepts === undefined ? undefined : acceptedType(leaf.accepts, types);
  const spec = accepted ?? (leaf.compare === "id" ? ID : types.of(json, `${type}${pascal(path)}`, "input"));
  return {
    ...spec,
    description: omitted === undefined ? text : `${text} Default: ${omitted}.`,
    ...(isScalar(leaf.default) && leaf.omitted === undefined ? { default: leaf.default } : {}),
    ...(leaf.secret ? { secret: true } : {}),
    ...(leaf.change === "replace" ? { willReplaceOnChanges: true } : {}),
    ...language({ doc: leaf.doc, default: omitted, accepts: leaf.accepts }),
  };
}

/** @param {any} tree @param {string} path @param {Context} context @returns {Spec} */
function groupSpec(tree, path, context) {
  const { description, types, groupFacts, noun } = context;
  const { type = `${description.type}${pascal(path)}`, doc, requires = [] } = groupFacts(tree) ?? {};
  const inner = propertiesOf(Object.entries(tree), `${path}.`, context);
  const required = Object.keys(tree).filter(
    (name) => tree[name].required !== undefined || requires.includes(name),
  );
  const ref = types.add(type, objectSpec(doc, inner, required), "input");
  const changes = new Set(leavesIn(tree).map((leaf) => changeOf({ change: leaf.change }, noun)));
  return {
    ...described(ref, joined([doc, changes.size === 1 ? [...changes][0] : undefined])),
    ...(inner.every(([, spec]) => spec["willReplaceOnChanges"] === true)
      ? { willReplaceOnChanges: true }
      : {}),
    ...(inner.every(([, spec]) => spec["secret"] === true) ? { secret: true } : {}),
  };
}

/** @param {any} tree @returns {any[]} */
const leavesIn = (tree) => Object.values(tree).flatMap((node) => (isField(node) ? [node] : leavesIn(node)));

/** @param {Context} context @returns {{ properties: Record<string, Spec>; required: string[] }} */
function outputProperties({ description, types, groupFacts }) {
  const { type, fields, outputs = {}, autoname, secretOutputs = [], forms = [], property } = description;
  /** @type {Record<string, Spec>} */
  const properties = {};
  /** @type {string[]} */
  const required = [];
  const names = new Set([...Object.keys(fields), ...Object.keys(outputs)]);
  for (const name of names) {
    // Other forms of what a collection holds are inputs only.
    if (forms.includes(name) && name !== property) continue;
    const [field, output] = [fields[name], outputs[name]];
    const isInput = field !== undefined && isField(field);
    const isSecret = secretOutputs.includes(name) || (isInput && field.secret === true);
    properties[name] = {
      ...(output === undefined && field !== undefined && !isInput
        ? groupOutput(field, name, { description, types, groupFacts })
        : valueOutput(output ?? field, `${type}${pascal(name)}`, types)),
      description: joined([
        output?.doc ?? field?.doc ?? groupFacts(field)?.doc,
        isSecret ? "Secret." : undefined,
      ]),
      ...(isSecret ? { secret: true } : {}),
    };
    const isThere = output === undefined ? isAlwaysThere(field, name, autoname) : !isOptional(output.schema);
    if (isThere) required.push(name);
  }
  return { properties, required };
}

/** @param {any} source @param {string} name @param {Types} types @returns {Spec} */
const valueOutput = ({ schema, compare }, name, types) =>
  compare === "id" ? { type: "string" } : types.of(jsonOf(schema), name, "output");

/** An object of inputs as an output. @param {any} tree @param {string} path @param {Omit<Context, "noun">} context @returns {Spec} */
function groupOutput(tree, path, context) {
  const { description, types, groupFacts } = context;
  const { type = `${description.type}${pascal(path)}`, doc } = groupFacts(tree) ?? {};
  /** @type {[string, Spec][]} */
  const inner = Object.entries(tree).map(([name, node]) => [
    name,
    isField(node)
      ? described(valueOutput(node, `${description.type}${pascal(`${path}.${name}`)}`, types), node.doc)
      : described(groupOutput(node, `${path}.${name}`, context), groupFacts(node)?.doc),
  ]);
  const { requires = [] } = groupFacts(tree) ?? {};
  return types.add(type, objectSpec(doc, inner, requires), "output");
}

/** @param {any} field @param {string} name @param {{ path: string } | undefined} autoname */
const isAlwaysThere = (field, name, autoname) =>
  field.required !== undefined ||
  (field.default !== undefined && field.default !== null) ||
  autoname?.path === name;

/** @param {z.ZodType} schema */
const isOptional = (schema) => schema.safeParse(undefined).success || schema.safeParse(null).success;

/** @param {unknown} value */
const isScalar = (value) => ["string", "number", "boolean"].includes(typeof value);

/** @param {Record<string, unknown>} extension */
function language(extension) {
  const nodejs = withoutUndefined(extension);
  return Object.keys(nodejs).length === 0 ? {} : { language: { nodejs } };
}

/** @param {Record<string, unknown>} object */
const withoutUndefined = (object) =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
