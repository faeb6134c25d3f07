/** The parts of other pages: the overview of the resources, their options, the kinds of the emulator, the codes of errors and warnings, and the example of CONTRIBUTING.md. */
import { readdirSync, readFileSync } from "node:fs";
import { root, stemOf } from "../load.mjs";
import { code, part, series, table } from "./markdown.mjs";
import { optionRows } from "./options.mjs";

/** @import { Sources } from "../load.mjs" */

/** @param {Sources} sources */
export const overviewPages = (sources) => [
  part("docs/resources.md", "resources", resourcesTable(sources)),
  part("docs/options.md", "options", optionsTable(sources)),
  part("docs/emulator.md", "kinds", kindsLine(sources)),
  part("docs/errors.md", "codes", codesTable()),
  part("CONTRIBUTING.md", "description", exampleCode()),
];

/** The description of the invented family, without its imports. */
function exampleCode() {
  const text = readFileSync(new URL("test/matrix/new-family/src/resources/ssh-key.ts", root), "utf8");
  return `\`\`\`ts\n${text.slice(text.indexOf("export const"))}\`\`\``;
}

/** The codes by their pages, whose headings begin with the code. */
function codesTable() {
  const rows = readdirSync(new URL("docs/errors/", root))
    .sort()
    .map((file) => {
      const heading = /^# (.*)$/m.exec(readFileSync(new URL(`docs/errors/${file}`, root), "utf8"))?.[1] ?? "";
      const [name = "", ...title] = heading.split(": ");
      return [`[${name}](errors/${file})`, title.join(": ")];
    });
  return table([["Code", "Problem"], ...rows]);
}

/** @param {Sources} sources */
function resourcesTable({ descriptions }) {
  const rows = Object.values(descriptions).map(({ type, id }) => [
    `[${code(type)}](resources/${stemOf(type)}.md)`,
    id.form
      .replace(/, such as .*/, "")
      .split(", or ")
      .map(code)
      .join(" or "),
    firstSentence(`docs/resources/${stemOf(type)}.md`),
  ]);
  return table([["Resource", "Id", "Meaning"], ...rows]);
}

/** The first sentence below the heading of a page. @param {string} file */
const firstSentence = (file) =>
  /^# .*\n+([^]*?)\.\s/.exec(readFileSync(new URL(file, root), "utf8"))?.[1] ?? "";

/** @param {Sources} sources */
function optionsTable({ descriptions }) {
  const all = Object.values(descriptions);
  const rows = optionRows.map(([option, mark]) => [
    code(option),
    ...all.map((description) => (typeof mark === "string" ? mark : mark(description))),
  ]);
  return table([["Option", ...all.map(({ type }) => code(type))], ...rows]);
}

/** @param {Sources} sources */
const kindsLine = ({ collections }) => `The kinds are ${series(collections.map(code))}.`;
