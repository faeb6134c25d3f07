/** An example as a program in Go. */
import { Reference, uses } from "./program.mjs";
import { pascal, propertiesOf, tokenOf, typeOf } from "./typed.mjs";

/** @import { Statement } from "./program.mjs" */
/** @import { Spec } from "./typed.mjs" */

/** @typedef {{ readonly schema: Spec; readonly results: ReadonlySet<string | undefined> }} World `results` are the variables with results of functions. */

/** @param {readonly Statement[]} statements @param {Spec} schema */
export function inGo(statements, schema) {
  const results = new Set(statements.filter(({ kind }) => kind === "call").map(({ variable }) => variable));
  const world = { schema, results };
  let declared = false;
  const lines = statements.flatMap((statement, index) => {
    const used = (/** @type {string} */ name) =>
      statements.slice(index + 1).some(({ inputs }) => uses(inputs, name));
    if (statement.kind === "call") return found(statement, world, used);
    const { of, name, variable } = statement;
    const isUsed = variable !== undefined && used(variable);
    const assign = isUsed || !declared ? ":=" : "=";
    declared = true;
    return [
      `${isUsed ? variable : "_"}, err ${assign} nodecloud.New${of}(ctx, ${JSON.stringify(name)}, &nodecloud.${of}Args${fieldsIn(statement, world)})`,
      ...(index < statements.length - 1 ? ["if err != nil {", "\treturn err", "}"] : ["return err"]),
    ];
  });
  if (lines.at(-1) !== "return err") lines.push("return nil");
  return [
    "package main",
    "",
    "import (",
    '\t"github.com/pulumi-nodecloud/pulumi-nodecloud/sdks/go/nodecloud"',
    '\t"github.com/pulumi/pulumi/sdk/v3/go/pulumi"',
    ")",
    "",
    "func main() {",
    "\tpulumi.Run(func(ctx *pulumi.Context) error {",
    ...lines.map((line) => `\t\t${line.replaceAll("\n", "\n\t\t")}`),
    "\t})",
    "}",
    "",
  ].join("\n");
}

/**
 * A call of a data function. Go refuses a variable that nothing uses, so the program exports what no resource uses.
 * @param {Statement} statement @param {World} world @param {(name: string) => boolean} used
 */
function found(statement, world, used) {
  const name = functionIn(statement.of, world.schema);
  const call = `nodecloud.${name}Output(ctx, nodecloud.${name}OutputArgs${fieldsIn(statement, world)})`;
  const { fields, variable = "found" } = statement;
  if (fields?.length === 1) return [`ctx.Export("${fields[0]}", ${call}.${pascal(fields[0] ?? "")}())`];
  const exported = fields ?? (used(variable) ? [] : [variable]);
  return [
    `${variable} := ${call}`,
    ...exported.map(
      (field) => `ctx.Export("${field}", ${variable}${field === variable ? "" : `.${pascal(field)}()`})`,
    ),
  ];
}

/** The SDK's name of a function: `GetDomain` reads a resource, so `getDomain` is `LookupDomain`. @param {string} name @param {Spec} schema */
const functionIn = (name, schema) =>
  schema["resources"][tokenOf(name.replace(/^get/, ""))] === undefined
    ? pascal(name)
    : name.replace(/^get/, "Lookup");

/** @param {Statement} statement @param {World} world */
function fieldsIn(statement, world) {
  const properties = propertiesOf(statement, world.schema);
  return literal(
    Object.entries(statement.inputs).map(([name, value]) => [
      `${pascal(name)}:`,
      valueIn(properties[name], value, world, `${statement.of}.${name}`),
    ]),
  );
}

/** A literal with a line for each field. As gofmt does, it aligns the values of lines without another value between them that takes several. @param {readonly (readonly [string, string])[]} fields */
function literal(fields) {
  const isLong = (/** @type {number} */ index) => fields[index]?.[1].includes("\n") ?? true;
  const lines = fields.map(([name, value], index) => {
    if (isLong(index)) return `\t${name} ${value.replaceAll("\n", "\n\t")},`;
    let [from, to] = [index, index];
    while (!isLong(from - 1)) from--;
    while (!isLong(to + 1)) to++;
    const width = Math.max(...fields.slice(from, to + 1).map(([other]) => other.length));
    return `\t${name.padEnd(width)} ${value},`;
  });
  return ["{", ...lines, "}"].join("\n");
}

/** @param {Spec | undefined} spec @param {any} value @param {World} world @param {string} path @returns {string} */
function valueIn(spec, value, world, path) {
  if (value instanceof Reference) return referenceIn(value, world);
  const type = typeOf(spec, value, world.schema, path);
  switch (type.type) {
    case "enum":
      return `nodecloud.${type.name}${type.constant}`;
    case "string":
      return `pulumi.String(${JSON.stringify(String(value))})`;
    case "integer":
      return `pulumi.Int(${value})`;
    case "number":
      return `pulumi.Float64(${value})`;
    case "boolean":
      return `pulumi.Bool(${value})`;
    case "object": {
      const fields = Object.entries(value).map(
        /** @returns {[string, string]} */ ([name, inner]) => [
          `${pascal(name)}:`,
          valueIn(type.properties[name], inner, world, `${path}.${name}`),
        ],
      );
      return `nodecloud.${type.name}Args${literal(fields)}`;
    }
    case "list": {
      const items = value.map((/** @type {any} */ item) => valueIn(type.items, item, world, path));
      return listOf(`${collectionOf(type.items)}Array`, items);
    }
    case "map":
      return mapOf(`${collectionOf(type.items)}Map`, value, (inner) =>
        valueIn(type.items, inner, world, path),
      );
    default:
      return anything(value);
  }
}

/** Outputs of a resource are fields, except its id. What a function found has a method for each property. @param {Reference} reference @param {World} world */
function referenceIn({ variable, property }, { results }) {
  if (results.has(variable)) return `${variable}.${pascal(property)}()`;
  return property === "id" ? `${variable}.ID()` : `${variable}.${pascal(property)}`;
}

/** The start of the name of a list or map with these values. @param {Spec} items */
function collectionOf(items) {
  const ref = items["$ref"];
  if (ref === "pulumi.json#/Any") return "pulumi.";
  if (ref !== undefined) return `nodecloud.${ref.replace(/^.*:/, "")}`;
  return { string: "pulumi.String", integer: "pulumi.Int", boolean: "pulumi.Bool" }[
    /** @type {"string" | "integer" | "boolean"} */ (items["type"])
  ];
}

/** @param {string} type @param {readonly string[]} items */
const listOf = (type, items) =>
  items.some((item) => item.includes("\n"))
    ? [`${type}{`, ...items.map((item) => `\t${item.replaceAll("\n", "\n\t")},`), "}"].join("\n")
    : `${type}{${items.join(", ")}}`;

/** @param {string} type @param {object} value @param {(inner: any) => string} each */
const mapOf = (type, value, each) =>
  `${type}${literal(Object.entries(value).map(([key, inner]) => [`${JSON.stringify(key)}:`, each(inner)]))}`;

/** @param {any} value @returns {string} */
function anything(value) {
  if (Array.isArray(value)) return listOf("pulumi.Array", value.map(anything));
  if (typeof value === "object") return mapOf("pulumi.Map", value, anything);
  if (typeof value === "string") return `pulumi.String(${JSON.stringify(value)})`;
  return typeof value === "boolean" ? `pulumi.Bool(${value})` : `pulumi.Int(${value})`;
}
