/** The data functions that only pass on: a module of src/functions for each description with a `lookup`, and the index. */
import { bare } from "./api/modules.mjs";
import { loadFamilies, modulesOf, stemOf, textOf } from "./load.mjs";
import { comment } from "./sdk/comment.mjs";
import { formatted } from "./write.mjs";

/** @import { Lookup } from "../../src/provider/describe/lookup.js" */
/** @typedef {NonNullable<Lookup["views"]>[string]} View */
/** @typedef {{ type: string; noun: string; readOperation: { path: string }; id?: { parent?: string; parentType?: string }; lookup?: Lookup }} Described The facts of a description that its functions are made from. */
/** @typedef {{ property: string; noun: string; id?: Lookup["id"] }} Parent */
/** @typedef {{ type: string; noun: string; lookup: Lookup; parent: Parent | undefined; reads: { list: string; item: string | undefined } }} Kind */
/** @typedef {{ name: string; constant: string; define: string; facts: string; text: string; args: string; result: string; secrets?: readonly string[] }} Written A function, and the constant that has its two forms. */

const WRITTEN = "// Written by `npm run generate`";

/** @param {readonly Described[]} descriptions those of resources, and those of src/functions/unmanaged.ts. */
export function functionModules(descriptions) {
  const kinds = descriptions.flatMap((description) => kindOf(description, descriptions) ?? []);
  const made = kinds.map(({ type }) => stemOf(plural(type)));
  const declaring = modulesOf("functions").filter((stem) =>
    /^export const get/m.test(textOf("functions", stem)),
  );
  const own = declaring.filter((stem) => !textOf("functions", stem).startsWith(WRITTEN));
  const stale = declaring.find((stem) => !own.includes(stem) && !made.includes(stem));
  if (stale !== undefined) throw new Error(`No description makes src/functions/${stale}.ts: delete it`);
  const stems = [...made, ...own].sort();
  const index = stems.map((stem) => `export * from "./${stem}";\n`).join("");
  return [
    ...kinds.map((kind) => formatted(`src/functions/${stemOf(plural(kind.type))}.ts`, moduleText(kind))),
    formatted(
      "src/functions/index.ts",
      `${WRITTEN} from the files beside it.\n${index}export type * from "./results";\n`,
    ),
  ];
}

/** @param {Described} description @param {readonly Described[]} all @returns {Kind | undefined} */
function kindOf({ type, noun, readOperation, id, lookup }, all) {
  if (lookup === undefined) return undefined;
  const above = all.find((one) => one.type === id?.parentType);
  return {
    type,
    noun: lookup.noun ?? noun,
    lookup,
    parent: above && { property: id?.parent ?? "", noun: above.lookup?.noun ?? above.noun },
    reads: readsOf(readOperation.path),
  };
}

/** The operations that list objects and view one of them, by the path of either. @param {string} path */
function readsOf(path) {
  const listed = path.replace(/\/\{\w+\}$/, "");
  const item = readAt((one) => one !== listed && one.replace(/\/\{\w+\}$/, "") === listed);
  return { list: nameAt(listed), item };
}

/** The name of the operation that reads a path, such as `nodes.list`. @param {string} path */
function nameAt(path) {
  const name = readAt((one) => one === path);
  if (name === undefined) throw new Error(`No operation reads ${path}`);
  return name;
}

/** @param {(path: string) => boolean} isMeant @returns {string | undefined} */
const readAt = (isMeant) =>
  loadFamilies().flatMap(({ name, operations }) =>
    Object.entries(operations).flatMap(([own, { method, path }]) =>
      method === "GET" && isMeant(path) ? [`${name}.${own}`] : [],
    ),
  )[0];

/** @param {Kind} kind */
function moduleText(kind) {
  const { type, lookup } = kind;
  const views = Object.entries(lookup.views ?? {});
  const functions = [
    listOf(kind),
    ...(lookup.item === undefined ? [] : [itemOf(kind, lookup.item)]),
    ...views.map(([name, view]) => viewOf(kind, name, view)),
  ];
  const text = [
    ...(lookup.result === undefined ? [] : [aliasOf(kind, lookup.result)]),
    ...views.map(([name]) => argsOf(kind, name)),
    functions.map(definitionOf).join(""),
    ...functions.map(formsOf),
  ].join("\n");
  return `${WRITTEN} from the description of ${type}.\n${importsOf(text)}\n${text}`;
}

/** @param {Kind} kind @returns {Written} */
function listOf({ type, noun, lookup, parent, reads }) {
  const { by, id, result, list } = lookup;
  const name = `get${plural(type)}`;
  const collection = plural(wordOf(noun));
  const facts = { name, reads: reads.list, collection, nouns: [noun, plural(noun)], parent, id, result, by };
  const args = `ListArgs<${[`${type}Result`, ...(parent ? [literal(parent.property)] : [])].join(", ")}>`;
  return {
    name,
    constant: "list",
    define: "defineList",
    facts: literal(facts),
    text: textWith(list, `The ${plural(noun)} of ${parent ? withArticle(parent.noun) : "the account"}.`),
    args: parent ? args : `${args} | undefined`,
    result: `{ ${collection}: ${type}Result[] }`,
  };
}

/** @param {Kind} kind @param {NonNullable<Lookup["item"]>} item @returns {Written} */
function itemOf({ type, noun, lookup, parent, reads }, item) {
  const { by, id } = lookup;
  const one = `One ${noun}${parent ? ` of ${withArticle(parent.noun)}` : ""}`;
  const own = parent === undefined ? "never" : literal(parent.property);
  const last = id ? [own, "string"] : parent ? [own] : [];
  const facts = { name: `get${type}`, reads: reads.item };
  return {
    name: facts.name,
    constant: "item",
    define: "defineItem",
    facts: literal(facts).replace(/}$/, ", list: list.declaration }"),
    text: textWith(
      item,
      `${one}: by its id, or by ${by.map(withArticle).join(", ")} and a filter that match exactly one.`,
    ),
    args: `ItemArgs<${[`${type}Result`, by.map(literal).join(" | "), ...last].join(", ")}>`,
    result: `${type}Result`,
  };
}

/** @param {Kind} kind @param {string} end of the name. @param {View} view @returns {Written} */
function viewOf(kind, end, view) {
  const name = `get${kind.type}${end}`;
  const { reads, secrets } = view;
  return {
    name,
    constant: end.replace(/^./, (letter) => letter.toLowerCase()),
    define: "defineView",
    facts: literal({ name, reads: nameAt(reads.path), parent: parentIn(kind), secrets }),
    text: textWith(view, ""),
    args: `Get${kind.type}${end}Args`,
    result: `${kind.type}${end}Result`,
    ...(secrets && { secrets }),
  };
}

/** The object that a view is about. @param {Kind} kind @returns {Parent} */
const parentIn = ({ noun, lookup: { id } }) => ({ property: `${wordOf(noun)}Id`, noun, ...(id && { id }) });

/** The arguments of a view. @param {Kind} kind @param {string} end */
function argsOf(kind, end) {
  const { property } = parentIn(kind);
  return `/** Arguments of {@link get${kind.type}${end}}. */
export interface Get${kind.type}${end}Args {
  /** The id of the ${wordOf(kind.noun)}. */
  readonly ${property}: ${kind.lookup.id ? "string" : "string | number"};
}
`;
}

/** The type of a result that has the type of another. @param {Kind} kind @param {string} result */
function aliasOf({ type, noun, parent }, result) {
  const what = `A ${noun}${parent ? ` of ${withArticle(parent.noun)}` : ""}`;
  return `/** ${what}, as {@link get${type}} returns it. */
export type ${type}Result = ${result}Result;
`;
}

/** The constant with the two forms of a function. @param {Written} function_ */
function definitionOf({ constant, define, facts, args, result, secrets }) {
  const types = secrets
    ? [args, `Secret<${result}, ${secrets.map(literal).join(" | ")}>`, result]
    : [args, result];
  return `const ${constant} = ${define}<${types.join(", ")}>(${facts});\n`;
}

/** The exports of a function: its two forms. @param {Written} function_ */
function formsOf({ name, constant, text, secrets }) {
  const whole = secrets ? " The whole result is a secret." : "";
  return `${comment(text)}export const ${name} = ${constant}.get;
/** Like {@link ${name}}, with outputs as arguments and as the result.${whole} */
export const ${name}Output = ${constant}.getOutput;
`;
}

/** @param {{ doc?: string; example: string }} own @param {string} otherwise */
const textWith = ({ doc, example }, otherwise) =>
  `${doc ?? otherwise}\n\n\`\`\`ts\n${example.trim()}\n\`\`\``;

/** @param {string} text */
function importsOf(text) {
  const code = bare(text);
  const declared = new Set([...code.matchAll(/^export type (\w+)/gm)].map(([, name]) => name));
  const results = [...new Set(code.match(/\b\w+Result\b/g))].filter((name) => !declared.has(name)).sort();
  const types = ["ItemArgs", "ListArgs", "Secret"];
  const used = types.filter((name) => new RegExp(`\\b${name}<`).test(code));
  const named = (/** @type {readonly string[]} */ names) => names.map((name) => `type ${name}`).join(", ");
  const defining = ["defineItem", "defineList", "defineView"].filter((name) => code.includes(`${name}<`));
  return `import { ${defining.join(", ")} } from "./define";
import { ${named(results)} } from "./results";
import { ${named(used)} } from "./types";
`;
}

/** A value as code. @param {unknown} value @returns {string} */
function literal(value) {
  if (value instanceof RegExp) return String(value);
  if (Array.isArray(value)) return `[${value.map(literal).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return `{ ${entries.map(([name, inner]) => `${name}: ${literal(inner)}`).join(", ")} }`;
}

/** @param {string} word */
const plural = (word) => `${word.replace(/(?<=[^aeiou])y$/, "ie")}s`;

/** Also `an SSH key`, as its letters are spelt. @param {string} noun */
export const withArticle = (noun) => `${/^([aeio]|[AEFHILMNORSX](?=[A-Z]))/.test(noun) ? "an" : "a"} ${noun}`;

/** The name for one in code: `engine` for `database engine`. @param {string} noun */
const wordOf = (noun) => noun.replace(/^.* /, "");
