/** Interfaces of inputs and of values. */
import { comment, inputText } from "./comment.mjs";
import { publicName, specOf, typeText } from "./types.mjs";

/** @typedef {import("../schema/types.mjs").Spec} Spec */
/** @typedef {import("./types.mjs").Named} Named */

/** What the program may write for an input. @param {Spec} spec @param {Named} named */
export function inputType(spec, named) {
  const accepts = spec["language"]?.nodejs?.accepts;
  // A type that says itself where outputs may be is taken as it is.
  if (accepts !== undefined) return accepts.includes("pulumi.Input<") ? accepts : `pulumi.Input<${accepts}>`;
  return `pulumi.Input<${typeText(spec, "input", named)}>`;
}

/** @param {string} name @param {Spec} spec @param {boolean} isRequired @param {Named} named */
export const inputProperty = (name, spec, isRequired, named) =>
  `${comment(inputText(spec), "  ")}  ${name}${isRequired ? "" : "?"}: ${inputType(spec, named)};\n`;

/**
 * @param {string} name @param {string} text of its comment.
 * @param {string} body @param {string} [parent] the interface that it extends.
 */
export const interfaceText = (name, text, body, parent) =>
  `${comment(text)}export interface ${name}${parent === undefined ? "" : ` extends ${parent}`} {\n${body}}\n`;

/** A named type in each of the forms that it is used in, and as values where it is an input. @param {string} name @param {Named} named */
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
        `${description} This is the form for inputs.`,
        inputs.join(""),
      ),
    );
  // Another type has the name where inputs and outputs differ.
  if (alias === undefined)
    texts.push(interfaceText(publicName(name, "output", named), description, values.join("")));
  return texts.join("\n");
}

/** @param {string} name @param {Spec} spec @param {boolean} isRequired @param {Named} named */
const valueProperty = (name, spec, isRequired, named) =>
  `${comment(spec["language"]?.nodejs?.doc ?? spec["description"], "  ")}  ${name}${isRequired ? "" : "?"}: ${typeText(spec, "output", named)};\n`;
