/** Comments of generated declarations. */

import { codeOf, exampleSentence } from "../schema/examples.mjs";

const WIDTH = 120;

/** @import { Spec } from "../schema/types.mjs" */

/** The description of an input, with its default and an example as tags. @param {Spec} spec @param {unknown} [shown] the example. */
export function inputText(
  { description = "", language, deprecationMessage },
  shown = language?.nodejs?.example,
) {
  const { default: omitted, example } = language?.nodejs ?? {};
  const text = [exampleSentence(example, false), omitted && `Default: ${omitted}.`].reduce(
    (whole, sentence) => (whole.endsWith(` ${sentence}`) ? whole.slice(0, -` ${sentence}`.length) : whole),
    description,
  );
  const tags = [
    ["default", omitted?.replace(/^`(.*)`$/, "$1")],
    ["example", shown === undefined ? undefined : codeOf(shown)],
    ["deprecated", deprecationMessage],
  ];
  return tags.reduce((whole, [tag, value]) => withTag(whole, tag, value), text);
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
