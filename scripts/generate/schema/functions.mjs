/** The data functions in the package schema: arguments from their declarations, results and texts from their types. */
import ts from "typescript";
import { described, objectSpec, pascal, tokenOf } from "./types.mjs";

/** @typedef {import("./types.mjs").Spec} Spec */
/** @typedef {import("./types.mjs").Types} Types */
/** @typedef {import("./program.mjs").Program & { types: Types }} Context */

export const FUNCTIONS = "src/functions/index.ts";

/**
 * @param {import("../load.mjs").Sources} sources @param {Types} types @param {import("./program.mjs").Program} program
 * @returns {Record<string, Spec>}
 */
export const functionSpecs = (sources, types, program) =>
  Object.fromEntries(
    sources.declarations.map((declaration) => {
      const symbol = program.exported(FUNCTIONS, declaration.name);
      return [tokenOf(declaration.name), functionSpec(declaration, symbol, sources, { ...program, types })];
    }),
  );

/** @param {any} declaration @param {ts.Symbol} symbol @param {import("../load.mjs").Sources} sources @param {Context} context @returns {Spec} */
function functionSpec(declaration, symbol, sources, context) {
  const { checker } = context;
  const [signature] = checker.getTypeOfSymbol(symbol).getCallSignatures();
  const promise = signature && checker.getReturnTypeOfSignature(signature);
  const result = promise && checker.getTypeArguments(/** @type {ts.TypeReference} */ (promise))[0];
  if (result === undefined) throw new Error(`${declaration.name} returns no promise`);
  const { properties, required } = propertiesOf(result, nameOf(result, pascal(declaration.name)), context);
  // A list is the only property of its result, and has no text of its own.
  const [only] = properties;
  if (declaration.kind === "list" && only !== undefined)
    properties[0] = [
      only[0],
      { ...only[1], description: `The ${declaration.nouns[1]} that match the arguments.` },
    ];
  return {
    description: context.textOf(symbol),
    inputs: argumentsOf(declaration, sources),
    outputs: objectSpec("The result of the function.", properties, required),
  };
}

/** @param {any} declaration @param {import("../load.mjs").Sources} sources @returns {Spec} */
function argumentsOf(declaration, { look }) {
  const { kind, list = declaration, parent = list.parent } = declaration;
  const names =
    kind === "view"
      ? [parent.property]
      : kind === "list"
        ? look.listArguments(declaration)
        : look.itemArguments(declaration);
  const required = kind !== "item" && parent !== undefined ? [parent.property] : [];
  return objectSpec(
    undefined,
    names.map((name) => [name, argumentSpec(name, list, parent)]),
    required,
  );
}

const ID = { oneOf: [{ type: "string" }, { type: "integer" }] };

/** @param {string} name @param {any} list @param {any} parent @returns {Spec} */
function argumentSpec(name, list, parent) {
  const [one, many] = list.nouns ?? [];
  if (name === parent?.property) return { ...ID, description: `The id of the ${parent.noun}.` };
  /** @type {Record<string, Spec>} */
  const known = {
    id: { ...ID, description: `The id of the ${one}, as in the API or as in its resource.` },
    filter: {
      type: "object",
      additionalProperties: { $ref: "pulumi.json#/Any" },
      description: "Conditions by field. All of them must match. Names of nested fields are dotted.",
    },
    sortBy: {
      type: "string",
      description: "The field to sort by. Items without it come last. Default: the order of the API.",
    },
    order: { type: "string", description: "The sort order, `asc` or `desc`. Default: `asc`." },
    mostRecent: {
      type: "boolean",
      description: `Whether to return only the newest of the matching ${many}. Default: \`false\`.`,
    },
  };
  return known[name] ?? { type: "string", description: `The \`${name}\` of the ${one} to find.` };
}

/** @param {ts.Type} type @param {string} name @param {Context} context */
function propertiesOf(type, name, context) {
  const { checker } = context;
  /** @type {string[]} */
  const required = [];
  /** @type {[string, Spec][]} */
  const properties = checker.getPropertiesOfType(type).map((symbol) => {
    const inner = checker.getTypeOfSymbol(symbol);
    const isOptional = (symbol.flags & ts.SymbolFlags.Optional) !== 0;
    if (!isOptional) required.push(symbol.name);
    const secret = isOutput(inner) ? { secret: true } : {};
    const spec = specOf(
      isOutput(inner) ? outputOf(inner, checker) : inner,
      `${name}${pascal(symbol.name)}`,
      context,
    );
    return [symbol.name, { ...described(spec, context.textOf(symbol) || undefined), ...secret }];
  });
  return { properties, required };
}

/** @param {ts.Type} type */
const isOutput = (type) => type.aliasSymbol?.name === "Output";

/** @param {ts.Type} type @param {ts.TypeChecker} checker */
const outputOf = (type, checker) => type.aliasTypeArguments?.[0] ?? checker.getAnyType();

/** @param {ts.Type} type @param {string} name @param {Context} context @returns {Spec} */
function specOf(type, name, context) {
  const { checker, types } = context;
  const parts = partsOf(type);
  const [only] = parts;
  if (parts.every((part) => (part.flags & ts.TypeFlags.BooleanLike) !== 0)) return { type: "boolean" };
  const listed = parts.filter((part) => part.isStringLiteral()).map(({ value }) => value);
  if (listed.length > 0) {
    const values = types.values(name, "string", listed, "output");
    return listed.length === parts.length ? values : { type: "string", oneOf: [{ type: "string" }, values] };
  }
  if (only === undefined || parts.length > 1)
    throw new Error(`${name} has a type that the schema cannot express`);
  if ((only.flags & ts.TypeFlags.StringLike) !== 0) return { type: "string" };
  // The API has no other numbers.
  if ((only.flags & ts.TypeFlags.NumberLike) !== 0) return { type: "integer" };
  if (checker.isArrayType(only))
    return {
      type: "array",
      items: specOf(
        checker.getTypeArguments(/** @type {ts.TypeReference} */ (only))[0] ?? only,
        name,
        context,
      ),
    };
  const called = nameOf(only, name);
  const { properties, required } = propertiesOf(only, called, context);
  const text = context.textOf(only.aliasSymbol ?? only.symbol) || undefined;
  return types.add(called, objectSpec(text, properties, required), "output");
}

/** The name of an interface, or the other name if it has none. @param {ts.Type} type @param {string} otherwise */
function nameOf({ symbol, aliasSymbol }, otherwise) {
  const { name } = aliasSymbol ?? symbol;
  return name.startsWith("__") ? otherwise : name;
}

/** @param {ts.Type} type @returns {ts.Type[]} */
function partsOf(type) {
  const parts = type.isUnion() ? type.types : [type];
  return parts.filter((part) => (part.flags & ts.TypeFlags.Undefined) === 0);
}
