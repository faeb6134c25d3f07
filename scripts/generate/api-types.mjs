/** The interfaces of src/api/types: one for each schema of an object that a module of src/api exports, named after the schema. */
import ts from "typescript";
import { familyStems, loadApi } from "./load.mjs";
import { jsonOf } from "./schema/inputs.mjs";
import { readProgram } from "./schema/program.mjs";
import { joined, limitsOf } from "./schema/sentences.mjs";
import { comment } from "./sdk/comment.mjs";
import { formatted } from "./write.mjs";

/** @typedef {import("zod").ZodType} ZodType */
/** @typedef {{ stem: string; name: string; type: string; schema: ZodType }} Named A schema that a module exports, and the name of its interface. */
/** @typedef {ReturnType<typeof readProgram>} Program */
/** @typedef {{ named: readonly Named[]; program: Program }} Context */

const UNNAMED_FIELDS = "[field: string]: unknown";

export function apiTypes() {
  const named = familyStems().flatMap(schemasIn);
  const stems = [...new Set(named.map(({ stem }) => stem))];
  const context = { named, program: readProgram(stems.map(sourceOf)) };
  return [
    ...stems.map((stem) => formatted(`src/api/types/${stem}.ts`, moduleText(stem, context))),
    formatted("src/api/types/index.ts", indexText(stems)),
  ];
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

/** @param {readonly string[]} stems */
const indexText = (stems) => `// Written by \`npm run generate\` from src/api.
${["common", ...stems]
  .sort()
  .map((stem) => `export * from "./${stem}";\n`)
  .join("")}`;

/** @param {string} stem @param {Context} context */
function moduleText(stem, context) {
  const { named, program } = context;
  const own = named.filter((one) => one.stem === stem);
  const texts = own.map(({ name, type, schema }) => {
    const symbol = program.exported(sourceOf(stem), name);
    const fields = fieldsText(schema, valueOf(symbol, program), context);
    return `${comment(program.textOf(symbol))}export interface ${type} {\n${fields}}\n`;
  });
  const code = texts.join("\n");
  return `// Written by \`npm run generate\` from src/api/${stem}.ts.\n${importsOf(code, own, named)}\n${code}`;
}

/** @param {string} code @param {readonly Named[]} own @param {readonly Named[]} named */
function importsOf(code, own, named) {
  const bare = code.replace(/\/\*\*[\s\S]*?\*\//g, "");
  const homes = [
    ...["Json", "Known"].map((type) => ({ type, stem: "common" })),
    ...named.filter((one) => !own.includes(one)),
  ].filter(({ type }) => new RegExp(`\\b${type}\\b`).test(bare));
  return [...new Set(homes.map(({ stem }) => stem))]
    .sort()
    .map((stem) => {
      const types = homes.filter((home) => home.stem === stem).map(({ type }) => `type ${type}`);
      return `import { ${types.join(", ")} } from "./${stem}";\n`;
    })
    .join("");
}

/** The type of the values of an exported schema. @param {ts.Symbol} symbol @param {Program} program @returns {ts.Type} */
function valueOf(symbol, { checker }) {
  const inner = (/** @type {ts.Type} */ type, /** @type {string} */ name) => {
    const property = checker.getPropertyOfType(type, name);
    if (property === undefined) throw new Error(`${symbol.name} is no schema`);
    return checker.getTypeOfSymbol(property);
  };
  return inner(inner(checker.getTypeOfSymbol(symbol), "_zod"), "output");
}

/**
 * The fields of an object. The compiler's type has their comments, and the schema has their types and limits.
 * @param {ZodType} schema @param {ts.Type} value @param {Context} context @returns {string}
 */
function fieldsText(schema, value, context) {
  const { catchall } = definitionOf(schema);
  const fields = Object.entries(shapeOf(schema) ?? {}).map(([name, field]) => {
    const symbol = context.program.checker.getPropertyOfType(value, name);
    if (symbol === undefined) throw new Error(`The compiler knows no field ${name}`);
    return fieldText(name, field, symbol, context);
  });
  return `${catchall === undefined ? "" : `  ${UNNAMED_FIELDS};\n`}${fields.join("")}`;
}

/** @param {string} name @param {ZodType} schema @param {ts.Symbol} symbol @param {Context} context */
function fieldText(name, schema, symbol, context) {
  const { checker, textOf, defaultOf } = context.program;
  const { inner, canBeMissing, canBeNull } = unwrapped(schema);
  const type = typeText(inner, partOf(checker.getTypeOfSymbol(symbol), checker), context);
  const byDefault = defaultOf(symbol);
  const text = joined([
    textOf(symbol),
    ...limitsOf(jsonOf(inner)),
    byDefault === undefined ? "" : `@default ${byDefault}`,
  ]);
  const rest = `${canBeNull ? " | null" : ""}${canBeMissing ? " | undefined" : ""}`;
  return `${comment(text, "  ")}  ${name}${canBeMissing ? "?" : ""}: ${type}${rest};\n`;
}

/** The type of a value that is neither null nor missing, or of each item of a list. @param {ts.Type} type @param {ts.TypeChecker} checker @returns {ts.Type} */
function partOf(type, checker) {
  const given = checker.getNonNullableType(type);
  return checker.getIndexTypeOfType(given, ts.IndexKind.Number) ?? given;
}

/** @param {ZodType} schema @param {ts.Type} value The type of the value, or of the items of the list. @param {Context} context @returns {string} */
function typeText(schema, value, context) {
  const { type, element, entries, values, options, valueType } = definitionOf(schema);
  switch (type) {
    case "string":
      return knownText(schema);
    case "int":
    case "number":
      return "number";
    case "boolean":
      return "boolean";
    case "array":
      return `(${typeText(element, value, context)})[]`;
    case "enum":
      return unionText(Object.values(entries));
    case "literal":
      return unionText(values);
    case "union":
      return options.map((/** @type {ZodType} */ one) => typeText(one, value, context)).join(" | ");
    case "record":
      return `Record<string, ${typeText(valueType, value, context)}>`;
    case "lazy":
      // The only recursive schema is that of JSON.
      return "Json";
    case "object":
      return objectText(schema, value, context);
    default:
      throw new Error(`A schema of the type ${type} has no type in src/api/types`);
  }
}

/** @param {ZodType} schema */
function knownText(schema) {
  const { knownValues } = /** @type {{ knownValues?: readonly string[] }} */ (schema.meta() ?? {});
  return knownValues === undefined ? "string" : `Known<${unionText(knownValues)}>`;
}

/** @param {readonly unknown[]} values */
const unionText = (values) => values.map((value) => JSON.stringify(value)).join(" | ");

/** The name of an object's interface, or its fields if it has none. @param {ZodType} schema @param {ts.Type} value @param {Context} context */
function objectText(schema, value, context) {
  const alike = context.named.find((one) => haveSameFields(one.schema, schema));
  if (alike === undefined) return `{\n${fieldsText(schema, value, context)}}`;
  return alike.schema === schema ? alike.type : `(${alike.type} & { ${UNNAMED_FIELDS} })`;
}

/** @param {ZodType} one @param {ZodType} other */
function haveSameFields(one, other) {
  const [fields = {}, others = {}] = [shapeOf(one), shapeOf(other)];
  const names = Object.keys(fields);
  return names.length === Object.keys(others).length && names.every((name) => fields[name] === others[name]);
}

/** The schema within those that allow null or nothing. @param {ZodType} schema @returns {{ inner: ZodType; canBeMissing: boolean; canBeNull: boolean }} */
function unwrapped(schema) {
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

/** What a schema consists of. @param {ZodType} schema @returns {Record<string, any>} */
const definitionOf = (schema) => schema.def;

/** The schemas of the fields of an object. @param {any} schema @returns {Readonly<Record<string, ZodType>> | undefined} */
const shapeOf = (schema) => (schema?.def?.type === "object" ? schema.def.shape : undefined);
