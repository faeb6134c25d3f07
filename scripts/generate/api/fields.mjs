/** The fields of an object as those of an interface: types and limits from the schema, comments from the compiler. */
import ts from "typescript";
import { jsonOf } from "../schema/inputs.mjs";
import { joined, limitsOf } from "../schema/sentences.mjs";
import { comment } from "../sdk/comment.mjs";
import { definitionOf, shapeOf, unwrapped } from "./schemas.mjs";

/** @import { Program, Type, ZodType } from "./schemas.mjs" */
/**
 * How the interfaces are written.
 * @typedef {object} Style
 * @property {Program} program
 * @property {(field: string) => string} nameOf
 * @property {boolean} hasNull Whether a field may be null that the schema allows to be null.
 * @property {(schema: ZodType, value: Type, place: Place) => string} objectText The type of an object within another one.
 */
/** @typedef {{ owner: string; field: string; text: string; isItem: boolean }} Place Where an object is: the field of an owner, or each item in it. */

/**
 * @param {ZodType} schema @param {Type} value @param {string} owner The name of the object. @param {Style} style
 * @param {readonly string[]} [except] Fields that are left out.
 * @returns {string}
 */
export const fieldsText = (schema, value, owner, style, except = []) =>
  Object.entries(shapeOf(schema) ?? {})
    .filter(([field]) => !except.includes(field))
    .map(([field, inner]) => fieldText(field, inner, value, owner, style))
    .join("");

/** @param {string} field @param {ZodType} schema @param {Type} value @param {string} owner @param {Style} style */
function fieldText(field, schema, value, owner, style) {
  const { checker, textOf, tagOf } = style.program;
  const symbol = checker.getPropertyOfType(value, field);
  if (symbol === undefined) throw new Error(`The compiler knows no field ${field} of ${owner}`);
  const { inner, canBeMissing, canBeNull } = unwrapped(schema);
  const tags = /** @type {const} */ (["default", "deprecated"]).map((tag) => [tag, tagOf(symbol, tag)]);
  const text = joined([
    textOf(symbol),
    ...limitsOf(jsonOf(inner)),
    ...tags.map(([tag, value]) => value && `@${tag} ${value}`),
  ]);
  const place = { owner, field, text, isItem: false };
  const type = typeText(inner, partOf(checker.getTypeOfSymbol(symbol), checker), place, style);
  const rest = [canBeNull && style.hasNull ? " | null" : "", canBeMissing ? " | undefined" : ""].join("");
  return `${comment(text, "  ")}  ${style.nameOf(field)}${canBeMissing ? "?" : ""}: ${type}${rest};\n`;
}

/** The type of a value that is neither null nor missing, or of each item of a list. @param {Type} type @param {ts.TypeChecker} checker @returns {Type} */
function partOf(type, checker) {
  const given = checker.getNonNullableType(type);
  return checker.getIndexTypeOfType(given, ts.IndexKind.Number) ?? given;
}

/** @param {ZodType} schema @param {Type} value The type of the value, or of the items of the list. @param {Place} place @param {Style} style @returns {string} */
function typeText(schema, value, place, style) {
  const { type, element, entries, values, options, valueType } = definitionOf(schema);
  const inner = (/** @type {ZodType} */ one, isItem = place.isItem) =>
    typeText(one, value, { ...place, isItem }, style);
  switch (type) {
    case "string":
      return knownText(schema);
    case "int":
    case "number":
      return "number";
    case "boolean":
      return "boolean";
    case "array":
      return `(${inner(element, true)})[]`;
    case "enum":
      return unionText(Object.values(entries));
    case "literal":
      return unionText(values);
    case "union":
      return options.map((/** @type {ZodType} */ one) => inner(one)).join(" | ");
    case "record":
      return `Record<string, ${inner(valueType)}>`;
    case "lazy":
      // The only recursive schema is that of JSON.
      return "Json";
    case "object":
      return style.objectText(schema, value, place);
    default:
      throw new Error(`${place.owner}.${place.field}: the generator knows no type for a schema of ${type}`);
  }
}

/** @param {ZodType} schema */
function knownText(schema) {
  const { knownValues } = /** @type {{ knownValues?: readonly string[] }} */ (schema.meta() ?? {});
  return knownValues === undefined ? "string" : `Known<${unionText(knownValues)}>`;
}

/** @param {readonly unknown[]} values */
const unionText = (values) => values.map((value) => JSON.stringify(value)).join(" | ");
