/** The schemas of src/api: those of objects that its modules export, and what a schema consists of. */
import { familyStems, loadApi } from "../load.mjs";
import { readProgram } from "../schema/program.mjs";

/** @typedef {import("zod").ZodType} ZodType */
/** @typedef {import("typescript").Type} Type The type of the values of a schema, which has the comments of their fields. */
/** @typedef {ReturnType<typeof readProgram>} Program */
/** @typedef {{ stem: string; name: string; type: string; schema: ZodType }} Named A schema that a module exports, and the name of its interface. */
/** @typedef {ReturnType<typeof readSchemas>} Schemas */

/** Reads the exported schemas of objects, and compiles their modules for the comments. */
export function readSchemas() {
  const named = familyStems().flatMap(schemasIn);
  const stems = [...new Set(named.map(({ stem }) => stem))];
  return { named, stems, program: readProgram(stems.map(sourceOf)) };
}

/** @param {string} stem */
const sourceOf = (stem) => `src/api/${stem}.ts`;

/** @param {string} stem @returns {Named[]} */
const schemasIn = (stem) =>
  Object.entries(loadApi(stem)).flatMap(([name, schema]) =>
    shapeOf(schema) === undefined
      ? []
      : [{ stem, name, type: name.replace(/^./, (letter) => letter.toUpperCase()), schema }],
  );

/** The comment of a schema, and the type of its values. @param {Named} named @param {Program} program @returns {{ text: string; value: Type }} */
export function compiled({ stem, name }, { checker, exported, textOf }) {
  const symbol = exported(sourceOf(stem), name);
  const within = (/** @type {Type} */ type, /** @type {string} */ key) => {
    const property = checker.getPropertyOfType(type, key);
    if (property === undefined) throw new Error(`The compiler knows no ${key} of the schema ${name}`);
    return checker.getTypeOfSymbol(property);
  };
  const value = within(within(checker.getTypeOfSymbol(symbol), "_zod"), "output");
  return { text: textOf(symbol), value };
}

/** The parts of a schema. @param {ZodType} schema @returns {Record<string, any>} */
export const definitionOf = (schema) => schema.def;

/** The schemas of the fields of an object. @param {any} schema @returns {Readonly<Record<string, ZodType>> | undefined} */
export const shapeOf = (schema) => (schema?.def?.type === "object" ? schema.def.shape : undefined);

/** Whether an object has fields beyond those of its schema. @param {ZodType} schema */
export const isOpen = (schema) => definitionOf(schema)["catchall"] !== undefined;

/** The schema within those that allow null or nothing. @param {ZodType} schema @returns {{ inner: ZodType; canBeMissing: boolean; canBeNull: boolean }} */
export function unwrapped(schema) {
  const { type, innerType } = definitionOf(schema);
  if (!["optional", "nullable", "catch"].includes(type))
    return { inner: schema, canBeMissing: false, canBeNull: false };
  const { inner, canBeMissing, canBeNull } = unwrapped(innerType);
  return {
    inner,
    canBeMissing: canBeMissing || type === "optional",
    canBeNull: canBeNull || type === "nullable",
  };
}

/** @param {ZodType} one @param {ZodType} other */
export function haveSameFields(one, other) {
  const [fields = {}, others = {}] = [shapeOf(one), shapeOf(other)];
  const names = Object.keys(fields);
  return names.length === Object.keys(others).length && names.every((name) => fields[name] === others[name]);
}
