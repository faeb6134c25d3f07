/** An example as a program in Python. */
import { Reference } from "./program.mjs";
import { propertiesOf, snake, typeOf } from "./typed.mjs";

/** @import { Statement } from "./program.mjs" */
/** @import { Spec } from "./typed.mjs" */

/** @param {readonly Statement[]} statements @param {Spec} schema */
export function inPython(statements, schema) {
  const lines = statements.flatMap((statement) => {
    const { kind, of, name, variable, fields } = statement;
    const properties = propertiesOf(statement, schema);
    const args = Object.entries(statement.inputs).map(
      ([input, value]) => `${snake(input)}=${valueIn(properties[input], value, schema, `${of}.${input}`)}`,
    );
    if (kind === "resource")
      return `${variable === undefined ? "" : `${snake(variable)} = `}${call(`nodecloud.${of}`, [JSON.stringify(name), ...args])}`;
    const found = call(`nodecloud.${snake(of)}_output`, args);
    const result = snake(variable ?? of.replace(/^get/, ""));
    if (fields === undefined) return `${result} = ${found}`;
    const [first = "", ...others] = fields;
    if (others.length === 0) return `${snake(first)} = ${found}.${snake(first)}`;
    return [`${result} = ${found}`, ...fields.map((field) => `${snake(field)} = ${result}.${snake(field)}`)];
  });
  return ["import pulumi_nodecloud as nodecloud", "", ...lines, ""].join("\n");
}

/** @param {string} callee @param {readonly string[]} args */
const call = (callee, args) => group(`${callee}(`, args, ")");

/** Values in brackets: in one line if they fit, otherwise each in a line of its own. @param {string} open @param {readonly string[]} items @param {string} close */
function group(open, items, close) {
  const line = `${open}${items.join(", ")}${close}`;
  if (line.length <= 72 && !line.includes("\n")) return line;
  return [open, ...items.map((item) => `    ${item.replaceAll("\n", "\n    ")},`), close].join("\n");
}

/** @param {Spec | undefined} spec @param {any} value @param {Spec} schema @param {string} path @returns {string} */
function valueIn(spec, value, schema, path) {
  if (value instanceof Reference) return `${snake(value.variable)}.${snake(value.property)}`;
  const type = typeOf(spec, value, schema, path);
  switch (type.type) {
    case "enum":
      return `nodecloud.${type.name}.${snake(type.constant).toUpperCase()}`;
    case "string":
      return JSON.stringify(String(value));
    case "object": {
      const args = Object.entries(value).map(
        ([name, inner]) =>
          `${snake(name)}=${valueIn(type.properties[name], inner, schema, `${path}.${name}`)}`,
      );
      return call(`nodecloud.${type.name}Args`, args);
    }
    case "list":
      return list(value, (item) => valueIn(type.items, item, schema, path));
    case "map":
      return map(value, (inner) => valueIn(type.items, inner, schema, path));
    case "any":
      return anything(value);
    default:
      return plain(value);
  }
}

/** @param {any[]} value @param {(item: any) => string} each */
const list = (value, each) => group("[", value.map(each), "]");

/** @param {object} value @param {(item: any) => string} each */
const map = (value, each) =>
  group(
    "{",
    Object.entries(value).map(([key, inner]) => `${JSON.stringify(key)}: ${each(inner)}`),
    "}",
  );

/** @param {any} value @returns {string} */
function anything(value) {
  if (Array.isArray(value)) return list(value, anything);
  return typeof value === "object" ? map(value, anything) : plain(value);
}

/** @param {any} value */
const plain = (value) => (typeof value === "boolean" ? (value ? "True" : "False") : JSON.stringify(value));
