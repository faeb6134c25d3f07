/** A description as a resource of the package schema. */
import { inputsOf, withoutUndefined } from "./inputs.mjs";
import { outputsOf } from "./outputs.mjs";
import { objectSpec } from "./types.mjs";

/** @import { Context } from "./inputs.mjs" */
/** @import { Spec } from "./types.mjs" */

/** @param {Context} context @returns {Spec} */
export function resourceSpec(context) {
  const {
    type,
    noun,
    doc,
    example,
    argsDoc,
    fields,
    derived = {},
    variants,
    notTogether,
    id,
  } = context.description;
  const outputs = outputsOf(context);
  // Programs cannot set inputs that the provider derives.
  const given = Object.entries(fields).filter(([name]) => !Object.hasOwn(derived, name));
  const code = example.trim();
  return {
    description: `${doc}\n\n\`\`\`typescript\n${code}\n\`\`\``,
    properties: outputs.properties,
    required: outputs.required,
    inputProperties: Object.fromEntries(inputsOf(given, type, context)),
    requiredInputs: given.filter(([, field]) => field.required !== undefined).map(([name]) => name),
    language: {
      nodejs: withoutUndefined({ noun, doc, example: code, argsDoc, idForm: id.form, variants, notTogether }),
    },
  };
}

/** Adds the type of one object of a collection. It has the inputs of the resource, except its separate ones. @param {Context} context */
export function addItemType(context) {
  const { description, types } = context;
  const { union, value, apart } = description.variants ?? {};
  if (union === undefined) return;
  const own = Object.entries(description.fields).filter(([name]) => !apart?.paths.includes(name));
  const required = own.filter(([, field]) => field.required !== undefined).map(([name]) => name);
  types.add(union.name, objectSpec(union.doc, inputsOf(own, description.type, context), required), "input");
  if (value !== undefined) types.call(value.name, union.name);
}
