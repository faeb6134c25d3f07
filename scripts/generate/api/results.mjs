/** The interfaces of src/functions/results: what each data function returns, from the schema of the answer that it reads. */
import { loadDeclarations, loadFamilies } from "../load.mjs";
import { camel, pascal } from "../schema/types.mjs";
import { comment } from "../sdk/comment.mjs";
import { interfaceText } from "../sdk/interfaces.mjs";
import { fieldsText } from "./fields.mjs";
import { indexOf, moduleOf } from "./modules.mjs";
import { compiled, definitionOf, shapeOf } from "./schemas.mjs";

/** @import { Style } from "./fields.mjs" */
/** @import { Schemas, ZodType } from "./schemas.mjs" */
/** @typedef {{ name: string; stem: string; text: string }} Interface `stem` is the module of src/api that has its schema. */
/** @typedef {{ type: string; reads: string; parent?: { property: string }; noun?: string }} Result `type` is its name without `Result`. Only an item has a noun. */

const RESULTS = "src/functions/results";
const KNOWN = { type: "Known", from: "../../api/types/common" };

/** @param {Schemas} schemas */
export function resultTypes(schemas) {
  const interfaces = interfacesOf(resultsOf(loadDeclarations()), schemas);
  const stems = [...new Set(interfaces.map(({ stem }) => stem))].sort();
  const source = "src/functions and src/api";
  const modules = stems.map((stem) => {
    const own = interfaces.filter((one) => one.stem === stem).sort((a, b) => (a.name < b.name ? -1 : 1));
    const texts = own.map(({ text }) => text);
    return moduleOf(`${RESULTS}/${stem}.ts`, source, texts, [KNOWN]);
  });
  return [...modules, indexOf(`${RESULTS}/index.ts`, source, stems)];
}

/** @param {readonly any[]} declarations @returns {Result[]} */
function resultsOf(declarations) {
  const items = new Map(
    declarations.flatMap(({ kind, list, name }) => (kind === "item" ? [[list, name]] : [])),
  );
  return declarations.flatMap((declaration) => {
    const { kind, name, reads, item = reads, nouns, result, parent } = declaration;
    if (kind === "view") return [{ type: pascal(name.slice(3)), reads }];
    if (kind !== "list") return [];
    const type = result ?? items.get(declaration)?.slice(3) ?? singular(name.slice(3));
    return [{ type, reads: item, parent, noun: nouns[0] }];
  });
}

/** @param {string} word */
const singular = (word) => word.replace(/ies$/, "y").replace(/s$/, "");

/** @param {readonly Result[]} results @param {Schemas} schemas */
function interfacesOf(results, { named, program }) {
  /** @type {Map<string, Interface>} */
  const interfaces = new Map();
  /** The names of the objects within results. @type {Map<ZodType, string>} */
  const nested = new Map();
  for (const result of results) {
    const answer = answerOf(result.reads, named);
    // The check for missing parts names an operation that does not exist.
    if (answer === undefined) continue;
    const add = (/** @type {string} */ name, /** @type {string} */ text) =>
      interfaces.set(name, { name, stem: answer.stem, text });
    const style = styleOf(program, nested, add);
    const { text, value } = compiled(answer, program);
    const own = idsOf(answer.schema, result);
    const fields = fieldsText(answer.schema, value, result.type, style, Object.keys(own));
    const ids = Object.entries(own).map(([id, about]) => `${comment(about, "  ")}  ${id}: string;\n`);
    const name = `${result.type}Result`;
    add(name, interfaceText(name, text, ids.join("") + fields));
  }
  return [...interfaces.values()];
}

/**
 * An object within a result has an interface of its own, and so do the same objects within another result.
 * @param {Schemas["program"]} program @param {Map<ZodType, string>} nested @param {(name: string, text: string) => unknown} add
 * @returns {Style}
 */
function styleOf(program, nested, add) {
  /** @type {Style} */
  const style = {
    program,
    nameOf: camel,
    hasNull: false,
    objectText: (schema, value, { owner, field, text, isItem }) => {
      const known = nested.get(schema);
      if (known !== undefined) return known;
      const own = pascal(camel(field));
      const one = `${owner}${singular(own)}`;
      const name = `${isItem ? one : `${owner}${own}`}Result`;
      const about = isItem ? `One of the \`${camel(field)}\` of {@link ${owner}Result}.` : text;
      nested.set(schema, name);
      add(name, interfaceText(name, about, fieldsText(schema, value, one, style)));
      return name;
    },
  };
  return style;
}

/** The schema of what an operation answers. @param {string} operation @param {Schemas["named"]} named */
function answerOf(operation, named) {
  const [family, name = ""] = operation.split(".");
  const reply = loadFamilies().find((one) => one.name === family)?.operations[name]?.reply;
  return named.find(({ schema }) => schema === reply);
}

/**
 * The ids of an item that are strings in programs and numbers in the API, with their comments.
 * @param {ZodType} schema @param {Result} result @returns {Record<string, string>}
 */
function idsOf(schema, { parent, noun }) {
  const id = shapeOf(schema)?.["id"];
  if (noun === undefined || id === undefined || definitionOf(id)["type"] === "string") return {};
  const form = parent && `${parent.property}/${camel(noun.replace(/^.* /, ""))}Id`;
  return {
    id: `The id of its resource${form === undefined ? "" : `: \`${form}\``}.`,
    ...(parent && { [parent.property]: `Id of the ${parent.property.replace(/Id$/, "")}.` }),
  };
}
