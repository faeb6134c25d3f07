/** The inputs of a description as properties of the package schema. */
import { z } from "zod";
import { acceptedType } from "./accepted.mjs";
import { exampleOf, exampleSentence, objectOf } from "./examples.mjs";
import { changeOf, defaultOf, joined, limitsOf, removalOf } from "./sentences.mjs";
import { objectSpec, pascal, withoutNull } from "./types.mjs";

/** @import { Spec, Types } from "./types.mjs" */
/**
 * @typedef {{ description: any; types: Types; groupFacts: GroupFacts }} Context
 * @typedef {(tree: any) => import("../../../src/provider/describe/fields.js").GroupFacts | undefined} GroupFacts
 */

/**
 * An id is a number in the service, and a string as an output of another resource. TypeScript programs may give either. The schema has the string
 * only, because Go has no type for either.
 */
export const ID = "string | number";

/** @param {z.ZodType} schema */
export const jsonOf = (schema) =>
  withoutNull(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }));

/** @param {any} node */
export const isField = (node) => node.change !== undefined && "schema" in node;

/**
 * @param {readonly [string, any][]} nodes @param {string} owner the name of the type that has them.
 * @param {Context} context @returns {[string, Spec][]}
 */
export const inputsOf = (nodes, owner, context) =>
  nodes.map(([name, node]) => [
    name,
    isField(node) ? inputSpec(name, node, owner, context) : groupSpec(node, context),
  ]);

/** @param {string} name @param {any} field @param {string} owner @param {Context} context @returns {Spec} */
function inputSpec(name, field, owner, { description: { type, autoname, noun }, types }) {
  const json = jsonOf(field.schema);
  const isNamed = owner === type && name === autoname?.path;
  const omitted = defaultOf(field, isNamed);
  const text = joined([
    field.doc,
    field.secret ? "Secret." : undefined,
    ...limitsOf(json),
    `A change ${changeOf(field, noun)}.`,
    // Programs without a required input do not compile.
    field.required ? undefined : `Removing it ${removalOf(field, noun, isNamed)}.`,
  ]);
  const isId = field.compare === "id";
  const accepted = field.accepts === undefined ? undefined : acceptedType(field.accepts, types);
  const spec = accepted ?? (isId ? { type: "string" } : types.of(json, `${owner}${pascal(name)}`, "input"));
  const accepts = field.accepts ?? (isId ? ID : undefined);
  const example = exampleOf(field, json);
  const description = joined([
    text,
    omitted === undefined ? undefined : `Default: ${omitted}.`,
    exampleSentence(example, types.isObject(spec)),
  ]);
  return {
    ...spec,
    description,
    // No `default`: SDKs would send it, and the provider could not tell it from a value that the program sets.
    ...(field.secret ? { secret: true } : {}),
    ...(field.deprecated === undefined ? {} : { deprecationMessage: field.deprecated }),
    ...(field.change === "replace" ? { willReplaceOnChanges: true } : {}),
    language: { nodejs: withoutUndefined({ doc: field.doc, default: omitted, example, accepts }) },
  };
}

/** @param {any} tree @param {Context} context @returns {Spec} */
function groupSpec(tree, context) {
  const { type, doc, requires = [] } = factsOf(tree, context);
  const { noun } = context.description;
  const inner = inputsOf(Object.entries(tree), type, context);
  const isRequired = (/** @type {string} */ name) =>
    tree[name].required !== undefined || requires.includes(name);
  const examples = inner.map(([name, spec]) => [name, spec["language"].nodejs.example]);
  const example = objectOf(/** @type {[string, unknown][]} */ (examples), requires);
  const ref = context.types.add(type, objectSpec(doc, inner, Object.keys(tree).filter(isRequired)), "input");
  const changes = new Set(leavesIn(tree).map((leaf) => changeOf(leaf, noun)));
  const all = (/** @type {string} */ fact) => inner.every(([, spec]) => spec[fact] === true);
  return {
    ...ref,
    description: joined([
      doc,
      all("secret") ? "Secret." : undefined,
      changes.size === 1 ? `A change ${[...changes][0]}.` : undefined,
    ]),
    ...(all("secret") ? { secret: true } : {}),
    ...(all("willReplaceOnChanges") ? { willReplaceOnChanges: true } : {}),
    language: { nodejs: { doc, example } },
  };
}

/** @param {any} tree @param {Context} context */
export function factsOf(tree, { description, groupFacts }) {
  const facts = groupFacts(tree);
  if (facts === undefined)
    throw new Error(
      `${description.type}: an object of inputs has no type and no doc: declare it with group()`,
    );
  return facts;
}

/** @param {any} tree @returns {any[]} */
export const leavesIn = (tree) =>
  Object.values(tree).flatMap((node) => (isField(node) ? [node] : leavesIn(node)));

/** @param {Record<string, unknown>} object */
export const withoutUndefined = (object) =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
