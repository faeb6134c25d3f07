/** Markdown for the generated parts of the docs. */

/** @param {readonly (readonly string[])[]} rows The first row is the head. */
export const table = ([head = [], ...rows]) =>
  [head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");

/** @param {string} text */
export const code = (text) => `\`${text.replaceAll("|", "\\|")}\``;

/** Texts as a list in a sentence. @param {readonly string[]} texts */
export const series = (texts) => new Intl.ListFormat("en-GB").format(texts);

/**
 * A part of a page: the text between its markers.
 * @param {string} file @param {string} name @param {string} content
 * @returns {import("../write.mjs").Generated}
 */
export const part = (file, name, content) => ({ file, written: (page) => fill(page, file, name, content) });

/** A page with another text between the markers. @param {string} page @param {string} file @param {string} name @param {string} content */
export function fill(page, file, name, content) {
  const [begin, end] = [`<!-- ${name}:begin -->`, `<!-- ${name}:end -->`];
  const from = page.indexOf(begin);
  const to = page.indexOf(end);
  if (from < 0 || to < from) throw new Error(`${file}: the markers ${begin} … ${end} are missing`);
  return `${page.slice(0, from + begin.length)}\n${content}\n${page.slice(to)}`;
}
