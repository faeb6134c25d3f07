/** The inputs of a resource that depend on the value of one of them: an interface for each shape. */
import { comment, inputText } from "./comment.mjs";
import { inputProperty, interfaceText } from "./interfaces.mjs";
import { typeText } from "./types.mjs";

/** @import { Variant, Variants } from "../../../src/provider/describe/variants.js" */
/** @import { Spec } from "../schema/types.mjs" */
/** @import { Named } from "./types.mjs" */
/** @typedef {{ variants: Variants; resource: Spec; named: Named; special: readonly string[]; told: Set<string> }} Context `special` are the inputs that only some shapes have, `told` the tags of all inputs so far. */

/** Names of all the types that are exported. @param {Variants} variants @param {string} args */
export const variantExports = ({ common, cases, apart, union, value }, args) =>
  [common, ...cases, apart, union, value].flatMap((named) => named?.name ?? []).concat(args);

/**
 * @param {Variants} variants @param {string} args The name of the type of all shapes. @param {string} text The text of its comment.
 * @param {Spec} resource @param {Named} named
 */
export function variantsText(variants, args, text, resource, named) {
  const { common, cases, apart, union, value } = variants;
  const context = { variants, resource, named, special: specialIn(variants), told: new Set() };
  const shapes = cases.map(({ name }) => name).join(" | ");
  const together = [apart?.name, union?.name ?? (apart === undefined ? shapes : `(${shapes})`)];
  return [
    commonText(common, sharedIn(context), context),
    ...cases.map((one) => caseText(one, context)),
    ...(union === undefined ? [] : [`${comment(union.doc)}export type ${union.name} = ${shapes};\n`]),
    ...(value === undefined ? [] : [valueText(value, context)]),
    ...(apart === undefined ? [] : [commonText(apart, apart.paths, context)]),
    `${comment(text)}export type ${args} = ${together.filter(Boolean).join(" & ")};\n`,
  ];
}

/** @param {Variant} one */
const namedIn = ({ requires = [], takes = [] }) => [...requires, ...takes];

/** The inputs that only some shapes have. If an input decides, there are none unless a shape has `takes`. @param {Variants} variants @returns {string[]} */
function specialIn({ by, cases }) {
  if (by !== undefined && cases.every(({ takes }) => takes === undefined)) return [];
  return [...new Set(cases.flatMap(namedIn))];
}

/** The inputs that all shapes have. @param {Context} context */
const sharedIn = ({ variants: { by, apart }, resource: { inputProperties }, special }) =>
  Object.keys(inputProperties).filter(
    (name) => name !== by && !special.includes(name) && !apart?.paths.includes(name),
  );

/** @param {{ name: string; doc: string }} named @param {readonly string[]} inputs @param {Context} context */
const commonText = ({ name, doc }, inputs, context) =>
  interfaceText(name, doc, inputs.map((input) => propertyText(input, [], context)).join(""));

/** @param {string} name @param {readonly string[]} required The inputs that are required in addition to the usual ones. @param {Context} context */
function propertyText(name, required, context) {
  const { inputProperties, requiredInputs } = context.resource;
  const isRequired = [...requiredInputs, ...required].includes(name);
  const given = inputProperties[name];
  const spec = required.includes(name) && !isOptionalIn(name, context) ? withoutRemoval(given) : given;
  return inputProperty(name, spec, isRequired, context.named, toldOnce(name, inputText(spec), context));
}

/** Whether a shape has this input without requiring it. @param {string} name @param {Context} context */
const isOptionalIn = (name, { variants: { cases }, special }) =>
  !special.includes(name) || cases.some(({ takes }) => takes?.includes(name));

/**
 * A text without tags that another shape has. A hover shows the texts of all shapes: equal ones once, but each tag.
 * @param {string} name @param {string} text @param {Context} context
 */
function toldOnce(name, text, { told }) {
  const [words = "", ...tags] = text.split("\n@");
  const key = [name, ...tags].join("\n");
  if (told.has(key)) return words;
  told.add(key);
  return text;
}

/** Programs without a required input do not compile, so it has neither a removal nor a default. @param {Spec} spec @returns {Spec} */
const withoutRemoval = ({ description, language, ...spec }) => ({
  ...spec,
  // The removal, the default and the example are the last sentences.
  description: description.split(" Removing it ")[0],
  language: { nodejs: { ...language.nodejs, default: undefined } },
});

/** @param {Variant} one @param {Context} context */
function caseText(one, context) {
  const { variants, special } = context;
  const { by, common } = variants;
  const own = namedIn(one);
  const inputs = own.map((name) => propertyText(name, one.requires ?? [], context));
  const others = special
    .filter((name) => !own.includes(name))
    .map((name) => `  ${name}${one.unset?.includes(name) ? "" : "?"}: undefined;\n`);
  const first = by === undefined ? "" : selectorText(by, one, context);
  return interfaceText(one.name, one.doc, [first, ...inputs, ...others].join(""), common.name);
}

/** The input that decides which shape applies. @param {string} by @param {Variant} one @param {Context} context */
function selectorText(by, one, context) {
  const selector = context.resource["inputProperties"][by];
  // Each shape has its own values.
  const example = one.is === undefined ? undefined : one.is[0];
  const text = toldOnce(by, inputText(selector, example), context);
  return `${comment(text, "  ")}  ${by}: ${selectorType(one, selector, context)};\n`;
}

/** The type of the distinguishing input of a shape. @param {Variant} one @param {Spec} selector @param {Context} context */
function selectorType({ is, isOutput }, selector, { named }) {
  if (isOutput) return "pulumi.Output<string> | Promise<string>";
  if (is !== undefined) return is.map((value) => JSON.stringify(value)).join(" | ");
  return `pulumi.Input<${typeText(selector, "input", named)}>`;
}

/** A shape as the value of an output, where any string is allowed. @param {{ name: string; doc: string }} value @param {Context} context */
function valueText({ name, doc }, context) {
  const { variants, resource, named, special } = context;
  const { inputProperties, requiredInputs } = resource;
  const properties = [variants.by ?? [], sharedIn(context), special].flat().map((key) => {
    const text = comment(inputProperties[key].language.nodejs.doc, "  ");
    const type = typeText(inputProperties[key], "output", named).replace(/^".*/, "string");
    const isRequired = requiredInputs.includes(key);
    return `${text}  ${key}${isRequired ? "" : "?"}: ${type}${isRequired ? "" : " | undefined"};\n`;
  });
  return interfaceText(name, doc, properties.join(""));
}
