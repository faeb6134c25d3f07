/** Interfaces of inputs and of values. */
import { comment, inputText } from "./comment.mjs";
import { publicName, specOf, typeText } from "./types.mjs";

/** @import { Spec } from "../schema/types.mjs" */
/** @import { Named } from "./types.mjs" */

/** The type of the values that a program may give to an input. @param {Spec} spec @param {Named} named */
export function inputType(spec, named) {
  const accepts = spec["language"]?.nodejs?.accepts;
  // A type that contains pulumi.Input already says where outputs may be.
  if (accepts !== undefined) return accepts.includes("pulumi.Input<") ? accepts : `pulumi.Input<${accepts}>`;
  return `pulumi.Input<${typeText(spec, "input", named)}>`;
}

/** @param {string} name @param {Spec} spec @param {boolean} isRequired @param {Named} named */
export const inputProperty = (name, spec, isRequired, named) =>
  `${comment(inputText(spec), "  ")}  ${name}${isRequired ? "" : "?"}: ${inputType(spec, named)};\n`;

/**
 * @param {string} name @param {string} text The text of its comment.
 * @param {string} body @param {string} [parent] The interface that it extends.
 */
export const interfaceText = (name, text, body, parent) =>
  `${comment(text)}export interface ${name}${parent === undefined ? "" : ` extends ${parent}`} {\n${body}}\n`;

/** The interfaces of a named type: one for inputs, if it is used there, and one for values. @param {string} name @param {Named} named */
export function namedTypeText(name, named) {
  const { description = "", properties, required = [], language } = specOf(name, named);
  /** @type {[string, Spec][]} */
  const entries = Object.entries(properties);
  const isRequired = (/** @type {string} */ key) => required.includes(key);
  const inputs = entries.map(([key, spec]) => inputProperty(key, spec, isRequired(key), named));
  const values = entries.map(([key, spec]) => valueProperty(key, spec, isRequired(key), named));
  const { forms = [], name: alias } = language?.nodejs ?? {};
  const texts = [];
  if (forms.includes("input"))
    texts.push(
      interfaceText(
        publicName(name, "input", named),
        `${description} This is the type for inputs.`,
        inputs.join(""),
      ),
    );
  // If the inputs and outputs of one name differ, another type has the name.
  if (alias === undefined)
    texts.push(interfaceText(publicName(name, "output", named), description, values.join("")));
  return texts.join("\n");
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
