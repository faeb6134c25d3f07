/** The pages of the site, from the files of the repository. */
import { readdirSync, readFileSync } from "node:fs";
import { FIRST_BLOCK } from "./examples/index.mjs";
import { FUNCTIONS, functionPages, linkedOverview } from "./functions.mjs";
import { pageOf, withLinks } from "./links.mjs";
import { tabs } from "./tabs.mjs";

const root = new URL("../../", import.meta.url);
const textOf = (/** @type {string} */ file) => readFileSync(new URL(file, root), "utf8");

/** The commands whose help is a part of a page. @type {Readonly<Record<string, readonly string[]>>} */
export const helpIn = {
  command: ["nodecloud"],
  ...Object.fromEntries(
    ["check", "drift", "import", "report", "doctor", "recover"].map((name) => [name, ["nodecloud", name]]),
  ),
  errors: ["nodecloud", "explain"],
  emulator: ["nodecloud-emulator"],
};

/** The files of the repository that are pages. */
export function sources() {
  const below = (/** @type {string} */ folder) =>
    readdirSync(new URL(folder, root), { withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith(".md"))
      .map(({ name }) => `${folder}${name}`);
  const examples = readdirSync(new URL("examples/", root)).map((name) => `examples/${name}`);
  return [
    ...["README.md", "CHANGELOG.md", "SECURITY.md"],
    ...below("docs/"),
    ...below("docs/resources/"),
    ...below("docs/errors/"),
    ...examples.filter((folder) => pageOf(folder) !== undefined).map((folder) => `${folder}/README.md`),
  ];
}

/** @typedef {{ readonly path: string; readonly text: string; readonly file: string }} Page `path` is the one in the site, and `file` the source of its text. */

/**
 * All pages, and the pictures that they show.
 * @param {(command: readonly string[]) => string} help of a command.
 */
export function pages(help) {
  const schema = JSON.parse(textOf("schema.json"));
  const functions = functionPages(schema, textOf(FUNCTIONS));
  /** @type {Map<string, string>} */
  const pictures = new Map();
  const keep = (/** @type {string} */ picture) => {
    const path = `/pictures/${picture.replace(/^.*\//, "")}`;
    pictures.set(path, picture);
    return path;
  };
  const written = sources().map((file) => ({ file, path: pageOf(file) ?? "", text: textOf(file) }));
  const generated = functions.map(({ name, text }) => ({ file: FUNCTIONS, path: `functions/${name}`, text }));
  const all = [...written, ...generated].map(({ file, path, text }) => {
    const names = functions.map(({ name }) => name);
    return { file, path, text: withLinks(complete(path, text), file, keep) };
    /** @param {string} path @param {string} text */
    function complete(path, text) {
      if (path === "functions") return linkedOverview(text, names);
      if (path.startsWith("resources/")) return text.replace(FIRST_BLOCK, (_, code) => tabs(code, schema));
      const command = helpIn[path];
      return command === undefined ? text : `${text.trimEnd()}\n\n${helpPart(command, help(command))}`;
    }
  });
  return { pages: all, pictures };
}

/** @param {readonly string[]} command @param {string} text */
const helpPart = (command, text) =>
  `## The help of the command\n\n\`\`\`console\n$ ${command.join(" ")} --help\n${text.trimEnd()}\n\`\`\`\n`;

/** The first heading of a page. @param {string} text */
export const headingOf = (text) => (/^# (.*)$/m.exec(text)?.[1] ?? "").replaceAll("`", "");
