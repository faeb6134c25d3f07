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

/** Code without its comments. @param {string} code */
export const bare = (code) => code.replace(/\/\*\*[\s\S]*?\*\//g, "");

/** The imports of the types that code uses and other modules export. @param {string} code @param {readonly Home[]} others */
export function importsOf(code, others) {
  const text = bare(code);
  const used = others.filter(({ type }) => new RegExp(`\\b${type}\\b`).test(text));
  return [...Map.groupBy(used, ({ from }) => from)]
    .sort()
    .map(
      ([from, homes]) => `import { ${homes.map(({ type }) => `type ${type}`).join(", ")} } from "${from}";\n`,
    )
    .join("");
}
