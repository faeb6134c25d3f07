/** Modules of generated interfaces. */
import { formatted } from "../write.mjs";

/** @typedef {{ type: string; from: string }} Home A type, and the module that exports it as another one imports it. */

/**
 * @param {string} file @param {string} source What it is written from. @param {readonly string[]} texts The interfaces.
 * @param {readonly Home[]} others The types of other modules that they may name.
 */
export function moduleOf(file, source, texts, others) {
  const code = texts.join("\n");
  return formatted(file, `${head(source)}${importsOf(code, others)}\n${code}`);
}

/** The module that exports everything of others. @param {string} file @param {string} source @param {readonly string[]} stems */
export const indexOf = (file, source, stems) =>
  formatted(file, `${head(source)}${stems.map((stem) => `export * from "./${stem}";\n`).join("")}`);

/** @param {string} source */
const head = (source) => `// Written by \`npm run generate\` from ${source}.\n`;

/** @param {string} code @param {readonly Home[]} others */
function importsOf(code, others) {
  const bare = code.replace(/\/\*\*[\s\S]*?\*\//g, "");
  const named = others.filter(({ type }) => new RegExp(`\\b${type}\\b`).test(bare));
  return [...new Set(named.map(({ from }) => from))]
    .sort()
    .map((from) => {
      const types = named.filter((home) => home.from === from).map(({ type }) => `type ${type}`);
      return `import { ${types.join(", ")} } from "${from}";\n`;
    })
    .join("");
}
