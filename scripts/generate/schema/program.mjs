/** Reads types and comments of the TypeScript sources with the compiler. */
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { root } from "../load.mjs";

/** @typedef {ReturnType<typeof readProgram>} Program */

/** @param {readonly string[]} files paths from the root. */
export function readProgram(files) {
  const paths = files.map((file) => fileURLToPath(new URL(file, root)));
  const program = ts.createProgram(paths, {
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.Node16,
    moduleResolution: ts.ModuleResolutionKind.Node16,
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: true,
    types: [],
  });
  const checker = program.getTypeChecker();
  return {
    checker,
    /** An export of a file. @param {string} path @param {string} name @returns {ts.Symbol} */
    exported(path, name) {
      const file = program.getSourceFile(fileURLToPath(new URL(path, root)));
      const module = file && checker.getSymbolAtLocation(file);
      const found = module && checker.getExportsOfModule(module).find((symbol) => symbol.name === name);
      if (found === undefined) throw new Error(`${path} exports no ${name}`);
      return found;
    },
    /** The comment of a declaration, with the names of what it links. @param {ts.Symbol} symbol */
    textOf: (symbol) =>
      ts
        .displayPartsToString(symbol.getDocumentationComment(checker))
        .replace(/\{@link (\w+)\}/g, (_, name) => `\`${name}\``),
    /** A tag in the comment of a declaration, such as `@default`. @param {ts.Symbol} symbol @param {"default" | "deprecated" | "example"} wanted */
    tagOf: (symbol, wanted) => {
      const tag = symbol.getJsDocTags(checker).find(({ name }) => name === wanted);
      return tag && ts.displayPartsToString(tag.text);
    },
  };
}
