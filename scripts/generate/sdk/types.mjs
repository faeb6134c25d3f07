/** Types of the package schema as TypeScript. */
import { nameIn } from "../schema/types.mjs";

/** @import { Spec } from "../schema/types.mjs" */
/** @typedef {"input" | "output"} Form An input may contain outputs. An output is a value. */
/** @typedef {Readonly<Record<string, Spec>>} Named The types of the package, by token. */

const BUILT_IN = new Map([
  ["pulumi.json#/Any", "unknown"],
  ["pulumi.json#/Asset", "pulumi.asset.Asset"],
  ["pulumi.json#/Archive", "pulumi.asset.Archive"],
]);

/** The name of a type in programs. @param {string} name @param {Form} form @param {Named} named */
export function publicName(name, form, named) {
  const called = specOf(name, named)["language"]?.nodejs?.name ?? name;
  return form === "input" ? `${called}Args` : called;
}

/** @param {string} name @param {Named} named @returns {Spec} */
export function specOf(name, named) {
  const spec = named[`nodecloud:index:${name}`];
  if (spec === undefined) throw new Error(`The schema has no type ${name}`);
  return spec;
}

/** The named types of objects that a type refers to directly. @param {Spec} spec @param {Named} named @returns {string[]} */
export function objectsIn(spec, named) {
  const name = nameIn(spec["$ref"]);
  if (name !== undefined) return specOf(name, named)["enum"] === undefined ? [name] : [];
  return [spec["items"], spec["additionalProperties"], ...(spec["oneOf"] ?? [])]
    .filter((inner) => inner !== undefined)
    .flatMap((inner) => objectsIn(inner, named));
}

/**
 * The type of a property, without the `pulumi.Input` or `pulumi.Output` around it.
 * @param {Spec} spec @param {Form} form @param {Named} named @returns {string}
 */
export function typeText(spec, form, named) {
  if (spec["oneOf"] !== undefined) return unionText(spec["oneOf"], form, named);
  if (spec["$ref"] !== undefined) return referenceText(spec["$ref"], form, named);
  if (spec["type"] === "array") return `${inList(within(spec["items"], form, named))}[]`;
  if (spec["type"] === "object")
    return `Record<string, ${within(spec["additionalProperties"] ?? { type: "string" }, form, named)}>`;
  return spec["type"] === "integer" ? "number" : spec["type"];
}

/** An item of a list or a map. In an input it may be an output. @param {Spec} spec @param {Form} form @param {Named} named */
function within(spec, form, named) {
  const text = typeText(spec, form, named);
  return form === "input" && text !== "unknown" ? `pulumi.Input<${text}>` : text;
}

/** @param {string} text */
const inList = (text) => (/[|&]/.test(text) && !text.endsWith(">") ? `(${text})` : text);

/** @param {string} ref @param {Form} form @param {Named} named */
function referenceText(ref, form, named) {
  const builtIn = BUILT_IN.get(ref);
  if (builtIn !== undefined) return builtIn;
  const name = nameIn(ref) ?? ref;
  const { enum: values } = specOf(name, named);
  if (values === undefined) return publicName(name, form, named);
  return values.map((/** @type {{ value: unknown }} */ { value }) => JSON.stringify(value)).join(" | ");
}

/** Suggests the documented values, and accepts any other string. @param {readonly string[]} texts */
const openList = (texts) => [...texts, "(string & {})"].join(" | ");

/** @param {readonly Spec[]} parts @param {Form} form @param {Named} named */
function unionText(parts, form, named) {
  const lists = parts.filter((part) => specIn(part, named)?.["enum"] !== undefined);
  // Values that are listed beside any string are the documented ones.
  if (lists.length > 0 && parts.some(({ type }) => type === "string"))
    return openList(
      lists.flatMap((part) =>
        specIn(part, named)?.["enum"].map((/** @type {{ value: string }} */ { value }) =>
          JSON.stringify(value),
        ),
      ),
    );
  return [...new Set(parts.map((part) => typeText(part, form, named)))].join(" | ");
}

/** @param {Spec} part @param {Named} named @returns {Spec | undefined} */
function specIn(part, named) {
  const name = nameIn(part["$ref"]);
  return name === undefined ? undefined : specOf(name, named);
}
