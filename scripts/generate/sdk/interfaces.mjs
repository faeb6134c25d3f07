/** Interfaces of inputs and of values. */
import { comment, inputText } from "./comment.mjs";
import { publicName, specOf, typeText } from "./types.mjs";

/** @import { Spec } from "../schema/types.mjs" */
/** @import { Form, Named } from "./types.mjs" */

/** The type of the values that a program may give to an input. @param {Spec} spec @param {Named} named */
export function inputType(spec, named) {
  const accepts = spec["language"]?.nodejs?.accepts;
  // A type that contains pulumi.Input already says where outputs may be.
  if (accepts !== undefined) return accepts.includes("pulumi.Input<") ? accepts : `pulumi.Input<${accepts}>`;
  return `pulumi.Input<${typeText(spec, "input", named)}>`;
}

/** @param {string} name @param {Spec} spec @param {boolean} isRequired @param {Named} named @param {string} [text] */
export const inputProperty = (name, spec, isRequired, named, text = inputText(spec)) =>
  `${comment(text, "  ")}  ${name}${isRequired ? "" : "?"}: ${inputType(spec, named)};\n`;

/**
 * @param {string} name @param {string} text The text of its comment.
 * @param {string} body @param {string} [parent] The interface that it extends.
 */
export const interfaceText = (name, text, body, parent) =>
  `${comment(text)}export interface ${name}${parent === undefined ? "" : ` extends ${parent}`} {\n${body}}\n`;

/** The interface of a named type, if it has that form. @param {string} name @param {Form} form @param {Named} named @returns {string[]} */
export function namedTypeText(name, form, named) {
  if (!hasForm(name, form, named)) return [];
  const { description = "", properties, required = [] } = specOf(name, named);
  const [text, propertyText] =
    form === "input"
      ? [`${description} This is the type for inputs.`, inputProperty]
      : [description, valueProperty];
  /** @type {[string, Spec][]} */
  const entries = Object.entries(properties);
  const body = entries.map(([key, spec]) => propertyText(key, spec, required.includes(key), named));
  return [interfaceText(publicName(name, form, named), text, body.join(""))];
}

/** Whether programs need the interface of a type. If the inputs and outputs of one name differ, another type has the name. @param {string} name @param {Form} form @param {Named} named */
export function hasForm(name, form, named) {
  const { forms = [], name: alias } = specOf(name, named)["language"]?.nodejs ?? {};
  return form === "input" ? forms.includes("input") : alias === undefined;
}

/** @param {string} name @param {Spec} spec @param {boolean} isRequired @param {Named} named */
const valueProperty = (name, spec, isRequired, named) =>
  `${comment(valueText(spec), "  ")}  ${name}${isRequired ? "" : "?"}: ${typeText(spec, "output", named)};\n`;

/** The text of a value: that of the input without what a change does. @param {Spec} spec */
function valueText({ description, language, secret }) {
  const doc = language?.nodejs?.doc;
  if (doc === undefined) return description;
  return secret === true ? `${doc} Secret.` : doc;
}
