/** Comments of generated declarations. */

const WIDTH = 120;

/** @import { Spec } from "../schema/types.mjs" */

/** The description of an input, with its default as a `@default` tag. @param {Spec} spec */
export function inputText({ description = "", language, deprecationMessage }) {
  const text = language?.nodejs?.default;
  if (text === undefined) return withTag(description, "deprecated", deprecationMessage);
  const before = description.slice(0, -` Default: ${text}.`.length).trim();
  const value = text.replace(/^`(.*)`$/, "$1");
  return withTag(withTag(before, "default", value), "deprecated", deprecationMessage);
}

/** @param {Spec} spec */
export const outputText = ({ description = "", deprecationMessage }) =>
  withTag(description, "deprecated", deprecationMessage);

/** @param {string} text @param {string} tag @param {string | undefined} value */
const withTag = (text, tag, value) =>
  value === undefined ? text : `${text}${text === "" ? "" : "\n"}@${tag} ${value}`;

/**
 * @param {string} text Each line is a paragraph, or a line of code between fences.
 * @param {string} [indent]
 */
export function comment(text, indent = "") {
  if (text === "") return "";
  const lines = wrapped(text.replaceAll("*/", "*\\/"), WIDTH - indent.length);
  const [first = ""] = lines;
  if (lines.length === 1) return `${indent}/** ${first} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} *${line === "" ? "" : ` ${line}`}\n`).join("")}${indent} */\n`;
}

/** @param {string} text @param {number} width @returns {string[]} */
function wrapped(text, width) {
  let isCode = false;
  return text.split("\n").flatMap((line) => {
    if (line.startsWith("```")) isCode = !isCode;
    return isCode || line.length <= width ? [line] : folded(line, width);
  });
}

/** @param {string} line @param {number} width @returns {string[]} */
function folded(line, width) {
  /** @type {string[]} */
  const lines = [];
  for (const word of line.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
