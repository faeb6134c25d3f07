/** The inputs of a resource that depend on the value of one of them: an interface for each case. */
import { comment, inputText } from "./comment.mjs";
import { inputProperty, interfaceText } from "./interfaces.mjs";
import { typeText } from "./types.mjs";

/** @typedef {import("../schema/types.mjs").Spec} Spec */
/** @typedef {import("./types.mjs").Named} Named */
/** @typedef {{ name: string; doc: string; is?: readonly string[]; requires?: readonly string[]; takes?: readonly string[] }} Case */
/** @typedef {{ by: string; of?: string; doc: string; cases: readonly Case[]; any: { name: string; doc: string } }} Variants */

/** @param {Case} one */
const namedIn = ({ requires = [], takes = [] }) => [...requires, ...takes];

/** The inputs that only some cases have. @param {Variants} variants @returns {string[]} */
function exclusive({ cases }) {
  if (cases.every(({ takes }) => takes === undefined)) return [];
  return [...new Set(cases.flatMap(namedIn))];
}

/** The names of what the variants are made of. @param {Variants} variants */
export function variantNames({ any, of, cases }) {
  const rest = any.name.replace(/^Any/, "");
  const base = rest.replace(/Args$/, "");
  return {
    common: `Common${rest}`,
    place: `${base}Place${rest.slice(base.length)}`,
    value: `${base}Value`,
    cases: cases.map(({ name }) => name),
    any: any.name,
    of,
  };
}

/** Names of all the types that are exported. @param {Variants} variants @param {string} args */
export function variantExports(variants, args) {
  const { common, place, value, cases, any, of } = variantNames(variants);
  return [common, ...cases, any, args, ...(of === undefined ? [] : [of, place, value])];
}

/**
 * @param {Variants} variants @param {string} args the name of all the inputs together. @param {string} text of its comment.
 * @param {Spec} resource @param {Named} named
 */
export function variantsText(variants, args, text, resource, named) {
  const { by, of, doc, cases, any } = variants;
  const names = variantNames(variants);
  const { inputProperties, requiredInputs } = resource;
  const special = exclusive(variants);
  // What says where the object belongs is no part of what it is.
  /** @type {string[]} */
  const places = [resource["language"].nodejs.place ?? []].flat();
  /** @type {string[]} */
  const shared = Object.keys(inputProperties).filter(
    (name) => name !== by && !special.includes(name) && !places.includes(name),
  );
  const property = (/** @type {string} */ name, /** @type {boolean} */ isRequired) =>
    inputProperty(name, inputProperties[name], isRequired, named);
  const isRequired = (/** @type {string} */ name) => requiredInputs.includes(name);
  const union = [...cases.map(({ name }) => name), any.name].join(" | ");
  return [
    interfaceText(
      names.common,
      "Inputs that all types have.",
      shared.map((name) => property(name, isRequired(name))).join(""),
    ),
    ...inCompilerOrder(variants, {
      of: (one) => caseText(one, { variants, special, resource, named, parent: names.common }),
      any: () => anyText({ variants, special, resource, named, parent: names.common }),
    }),
    ...(of === undefined
      ? [`${comment(text)}export type ${args} = ${union};\n`]
      : [
          `${comment(doc)}export type ${of} = ${union};\n`,
          valueText(names.value, { by, names: [...shared, ...special], resource, named }),
          interfaceText(
            names.place,
            "Where it belongs.",
            places.map((/** @type {string} */ name) => property(name, true)).join(""),
          ),
          `${comment(text)}export type ${args} = ${names.place} & ${of};\n`,
        ]),
  ];
}

/**
 * The compiler names what is missing in the last declared case that fits: those of one value of `by` come last.
 * @param {Variants} variants @param {{ of: (one: Case) => string; any: () => string }} write
 */
function inCompilerOrder({ cases }, write) {
  const open = cases.filter(({ is }) => is === undefined);
  const told = cases.filter(({ is }) => is !== undefined);
  return [...open.map(write.of), write.any(), ...told.map(write.of)];
}

/** @typedef {{ variants: Variants; special: readonly string[]; resource: Spec; named: Named; parent: string }} Parts */

/** @param {Case} one @param {Parts} parts */
function caseText(one, { variants: { by }, special, resource: { inputProperties }, named, parent }) {
  const selector = inputProperties[by];
  const type =
    one.is === undefined
      ? `pulumi.Input<${typeText(selector, "input", named)}>`
      : one.is.map((value) => JSON.stringify(value)).join(" | ");
  const own = namedIn(one);
  const inputs = own.map((name) =>
    inputProperty(name, inputProperties[name], (one.requires ?? []).includes(name), named),
  );
  const others = special.filter((name) => !own.includes(name)).map((name) => `  ${name}?: undefined;\n`);
  return interfaceText(
    one.name,
    one.doc,
    [selectorText(by, selector, type), ...inputs, ...others].join(""),
    parent,
  );
}

/** All inputs, for a value of `by` that is known only when the program runs. @param {Parts} parts */
function anyText({ variants: { by, cases, any }, special, resource: { inputProperties }, named, parent }) {
  const inputs = special.map((name) => {
    const spec = inputProperties[name];
    const [takers, needers] = [
      cases.filter((one) => namedIn(one).includes(name)),
      cases.filter(({ requires }) => requires?.includes(name)),
    ];
    const facts = [
      `Only for ${valuesOf(takers)}.`,
      ...(needers.length === 0 ? [] : [`Required for ${valuesOf(needers)}.`]),
    ];
    const text = inputText(spec).split("\n@default");
    const said = [`${text[0]} ${facts.join(" ")}`, ...text.slice(1)].join("\n@default");
    return `${comment(said, "  ")}  ${name}?: pulumi.Input<${typeText(spec, "input", named)}>;\n`;
  });
  const type = "pulumi.Output<string> | Promise<string>";
  return interfaceText(
    any.name,
    any.doc,
    [selectorText(by, inputProperties[by], type), ...inputs].join(""),
    parent,
  );
}

/** @param {string} by @param {Spec} selector @param {string} type */
const selectorText = (by, selector, type) => `${comment(inputText(selector), "  ")}  ${by}: ${type};\n`;

/** @param {readonly Case[]} cases */
function valuesOf(cases) {
  const values = cases.flatMap(({ is = [] }) => is);
  return values.length < 2 ? values.join("") : `${values.slice(0, -1).join(", ")} and ${values.at(-1)}`;
}

/** One as a value, which an output may hold. @param {string} name @param {{ by: string; names: readonly string[]; resource: Spec; named: Named }} parts */
function valueText(name, { by, names, resource: { inputProperties, requiredInputs }, named }) {
  const textOf = (/** @type {string} */ key) => comment(inputProperties[key].language.nodejs.doc, "  ");
  const properties = names.map((key) => {
    const type = typeText(inputProperties[key], "output", named).replace(
      /^("[^"]*" \| )+\(string & \{\}\)$/,
      "string",
    );
    const isRequired = requiredInputs.includes(key);
    return `${textOf(key)}  ${key}${isRequired ? "" : "?"}: ${type}${isRequired ? "" : " | undefined"};\n`;
  });
  const selector = `${textOf(by)}  ${by}: string;\n`;
  return interfaceText(
    name,
    "One within an output: the preview checks what its type needs.",
    [selector, ...properties].join(""),
  );
}
