/** The data functions in the package schema: arguments from their declarations, results and texts from their types. */
import ts from "typescript";
import { parse } from "yaml";
import { exampleSentence } from "./examples.mjs";
import { joined } from "./sentences.mjs";
import { ANY, described, objectSpec, pascal, tokenOf } from "./types.mjs";

/** @import { Sources } from "../load.mjs" */
/** @import { Program } from "./program.mjs" */
/** @import { Form, Spec, Types } from "./types.mjs" */
/** @typedef {Program & { types: Types }} Context */

export const FUNCTIONS = "src/functions/index.ts";

/** @param {Sources} sources @param {Types} types @param {Program} program @returns {Record<string, Spec>} */
export const functionSpecs = (sources, types, program) =>
  Object.fromEntries(
    sources.declarations.map((declaration) => {
      const symbol = program.exported(FUNCTIONS, declaration.name);
      return [tokenOf(declaration.name), functionSpec(declaration, symbol, sources, { ...program, types })];
    }),
  );

/** @param {any} declaration @param {ts.Symbol} symbol @param {Sources} sources @param {Context} context @returns {Spec} */
function functionSpec(declaration, symbol, sources, context) {
  const { checker, types } = context;
  const [signature] = checker.getTypeOfSymbol(symbol).getCallSignatures();
  const [taken] = signature?.parameters ?? [];
  const promise = signature && checker.getReturnTypeOfSignature(signature);
  const result = promise && checker.getTypeArguments(/** @type {ts.TypeReference} */ (promise))[0];
  if (result === undefined || taken === undefined)
    throw new Error(`${declaration.name} takes no arguments or returns no promise`);
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
    inputs: argumentsOf(
      declaration,
      (name) => givenSpec(name, taken, result, context),
      examplesIn(context.textOf(symbol)),
      sources,
      types,
    ),
    outputs: objectSpec(`The result of \`${declaration.name}\`.`, properties, required),
  };
}

/** The type of the first parameter. They are declared together, as a list of any length. @param {ts.Symbol} parameters @param {ts.TypeChecker} checker */
function firstOf(parameters, checker) {
  const type = checker.getTypeOfSymbol(parameters);
  const [first = type] = checker.isTupleType(type)
    ? checker.getTypeArguments(/** @type {ts.TypeReference} */ (type))
    : [];
  return first;
}

/**
 * @param {any} declaration @param {(name: string) => Spec} typeOf the type that an argument is declared with.
 * @param {Readonly<Record<string, unknown>>} examples @param {Sources} sources @param {Types} types @returns {Spec}
 */
function argumentsOf(declaration, typeOf, examples, { look, read }, types) {
  const { kind, list = declaration, parent = list.parent } = declaration;
  const names =
    kind === "view"
      ? [parent.property]
      : kind === "list"
        ? look.listArguments(declaration)
        : look.itemArguments(declaration);
  const required = kind !== "item" && parent !== undefined ? [parent.property] : [];
  /** @type {Record<string, () => Spec>} */
  const known = {
    // Conditions have several forms, which the text says.
    filter: () => ({ type: "object", additionalProperties: ANY }),
    sortBy: () => sortBySpec(declaration.name, read.fieldsOf(list), types),
    order: () => types.values("SortOrder", "string", ["asc", "desc"], "input", "The orders of a list."),
  };
  const [field = ""] = list.by ?? [];
  const usual = { sortBy: field || undefined, order: "desc", mostRecent: true };
  const exampleOf = (/** @type {string} */ name) => {
    const form = name === parent?.property ? parent.id : list.id;
    // An id is a text in all languages.
    if (name === "id" || name === parent?.property) return /such as (\S+)/.exec(form?.form)?.[1] ?? "123";
    return { ...usual, filter: examples[field] && { [field]: examples[field] }, ...examples }[name];
  };
  return objectSpec(
    undefined,
    names.map((name) => {
      const text = argumentText(name, list, parent);
      const spec = known[name]?.() ?? typeOf(name);
      return [name, described(spec, joined([text, exampleSentence(exampleOf(name), false)]))];
    }),
    required,
  );
}

/** The texts and filters in the example of a text, by their names. Flows of YAML are written like objects. @param {string} text @returns {Record<string, unknown>} */
function examplesIn(text) {
  const code = /```ts\n([^]*?)```/.exec(text)?.[1] ?? "";
  const found = [...code.matchAll(/\b(\w+): ("[^"]*"|\{(?:[^{}]|\{[^{}]*\})*\})/g)].reverse();
  return Object.fromEntries(found.map(([, name = "", value = ""]) => [name, parse(value)]));
}

/** @param {string} name of the function. @param {ReadonlyMap<string, { isList: boolean }>} fields @param {Types} types */
function sortBySpec(name, fields, types) {
  const scalars = [...fields].flatMap(([path, { isList }]) => (isList ? [] : [path]));
  return types.values(
    `${pascal(name)}SortBy`,
    "string",
    scalars,
    "input",
    `The fields that \`${name}\` can sort by.`,
  );
}

/**
 * The type of an argument in any of the shapes that the function takes.
 * @param {string} name @param {ts.Symbol} taken @param {ts.Type} result @param {Context} context @returns {Spec}
 */
function givenSpec(name, taken, result, context) {
  const { checker } = context;
  const shapes = partsOf(firstOf(taken, checker));
  const parts = new Set(
    shapes.flatMap((shape) => {
      const symbol = checker.getPropertyOfType(shape, name);
      return symbol === undefined ? [] : partsOf(checker.getTypeOfSymbol(symbol));
    }),
  );
  // An item is found by its own fields.
  return partsSpec([...parts], `${nameOf(result, "")}${pascal(name)}`, context, "input");
}

/** @param {string} name @param {any} list @param {any} parent @returns {string} */
function argumentText(name, list, parent) {
  const [one, many] = list.nouns ?? [];
  if (name === parent?.property) return `The id of the ${parent.noun}.`;
  /** @type {Record<string, string>} */
  const known = {
    // Only an id that is a number in the API is another in the resource.
    id: `The id of the ${one}${list.id === undefined ? ", as in the API or as in its resource" : ""}.`,
    filter:
      "Conditions by field. All of them must match. A condition is a value, a list of values, or an object with an operator. Names of nested fields are dotted.",
    sortBy: "The field to sort by. Items without it come last. Default: the order of the API.",
    order: 'The sort order. Default: `"asc"`.',
    mostRecent: `Whether to return only the newest of the matching ${many}, by \`created\`. Default: \`false\`.`,
  };
  return known[name] ?? `The \`${name}\` of the ${one} to find.`;
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
    const deprecated = context.tagOf(symbol, "deprecated");
    const facts = deprecated === undefined ? secret : { ...secret, deprecationMessage: deprecated };
    return [symbol.name, { ...described(spec, context.textOf(symbol) || undefined), ...facts }];
  });
  return { properties, required };
}

/** @param {ts.Type} type */
const isOutput = (type) => type.aliasSymbol?.name === "Output";

/** @param {ts.Type} type @param {ts.TypeChecker} checker */
const outputOf = (type, checker) => type.aliasTypeArguments?.[0] ?? checker.getAnyType();

/** @param {ts.Type} type @param {string} name @param {Context} context @returns {Spec} */
const specOf = (type, name, context) => partsSpec(partsOf(type), name, context, "output");

/**
 * The parts of a union as one type.
 * @param {readonly ts.Type[]} parts @param {string} name @param {Context} context @param {Form} form @returns {Spec}
 */
function partsSpec(parts, name, context, form) {
  if (parts.every((part) => (part.flags & ts.TypeFlags.BooleanLike) !== 0)) return { type: "boolean" };
  if (parts.some((part) => part.isStringLiteral())) return valuesSpec(name, parts, context.types, form);
  const specs = parts.map((part) => partSpec(part, name, context));
  const [only] = specs;
  if (only === undefined) throw new Error(`${name} has a type that the schema cannot express`);
  // As an argument, an id may be a number too. Go has no type for either.
  const isId = form === "input" && specs.map(({ type }) => type).join() === "string,integer";
  return specs.length === 1 || isId ? only : { oneOf: specs };
}

/**
 * Listed texts: all of them, or, where another part takes any text, those that are documented.
 * @param {string} name @param {readonly ts.Type[]} parts @param {Types} types @param {Form} form @returns {Spec}
 */
function valuesSpec(name, parts, types, form) {
  // The compiler's own order changes with unrelated code.
  const listed = parts
    .filter((part) => part.isStringLiteral())
    .map(({ value }) => value)
    .sort();
  // Python's SDK refuses a text where a result has several types.
  if (form === "output" && listed.length < parts.length)
    return { type: "string", language: { nodejs: { suchAs: listed } } };
  const values = types.values(name, "string", listed, form);
  return listed.length === parts.length ? values : { type: "string", oneOf: [{ type: "string" }, values] };
}

/** @param {ts.Type} type no union. @param {string} name @param {Context} context @returns {Spec} */
function partSpec(type, name, context) {
  const { checker, types } = context;
  if ((type.flags & ts.TypeFlags.StringLike) !== 0) return { type: "string" };
  // The API has no other numbers.
  if ((type.flags & ts.TypeFlags.NumberLike) !== 0) return { type: "integer" };
  if (checker.isArrayType(type)) {
    const [item = type] = checker.getTypeArguments(/** @type {ts.TypeReference} */ (type));
    return { type: "array", items: specOf(item, name, context) };
  }
  const called = nameOf(type, name);
  const { properties, required } = propertiesOf(type, called, context);
  const text = context.textOf(type.aliasSymbol ?? type.symbol) || undefined;
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
