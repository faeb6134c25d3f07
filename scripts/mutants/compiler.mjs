import { join, relative, sep } from "node:path";
import ts from "typescript";

/** The beginning of the files that are generated. */
const WRITTEN = "// Written by";

/** Checks types with one program, whose unchanged files are read and checked once. @param {string} tree */
export function compilerOf(tree) {
  const config = ts.getParsedCommandLineOfConfigFile(
    join(tree, "tsconfig.build.json"),
    // With `isolatedModules` the compiler would not check the files that import a changed one.
    { noEmit: true, isolatedModules: false, declaration: false },
    {
      ...ts.sys,
      onUnRecoverableConfigFileDiagnostic: ({ messageText }) => {
        throw new Error(String(messageText));
      },
    },
  );
  if (config === undefined) throw new Error(`${tree} has no tsconfig.build.json`);
  const host = ts.createCompilerHost(config.options);
  /** @type {Map<string, ts.SourceFile>} */
  const sources = new Map();
  /** @type {{ path: string; text: string } | undefined} */
  let changed;
  let versions = 0;
  host.getSourceFile = (path, languageVersion) => {
    const known = sources.get(path);
    if (known !== undefined && changed?.path !== path) return known;
    const text = changed?.path === path ? changed.text : ts.sys.readFile(path);
    if (text === undefined) return undefined;
    const source = Object.assign(ts.createSourceFile(path, text, languageVersion, true), {
      version: String(++versions),
    });
    if (changed?.path !== path) sources.set(path, source);
    return source;
  };
  /** @param {ts.SemanticDiagnosticsBuilderProgram} [before] */
  const build = (before) =>
    ts.createSemanticDiagnosticsBuilderProgram(config.fileNames, config.options, host, before);
  const original = build();
  while (original.getSemanticDiagnosticsOfNextAffectedFile() !== undefined);
  /** @param {string} file */
  const pathOf = (file) => join(tree, file).split(sep).join("/");
  /** @param {string} file */
  const sourceOf = (file) => {
    const source = original.getSourceFile(pathOf(file));
    if (source === undefined) throw new Error(`${file} is not in the program`);
    return source;
  };
  return {
    /** The files that are written by hand. */
    files: config.fileNames
      .map((path) => relative(tree, path).split(sep).join("/"))
      .filter((file) => !sourceOf(file).text.startsWith(WRITTEN))
      .sort(),
    source: sourceOf,
    /** @param {string} file @param {string} text */
    accepts: (file, text) => {
      changed = { path: pathOf(file), text };
      const program = build(original);
      changed = undefined;
      if (program.getSyntacticDiagnostics(program.getSourceFile(pathOf(file))).length > 0) return false;
      for (let next = program.getSemanticDiagnosticsOfNextAffectedFile(); next !== undefined;) {
        if (next.result.length > 0) return false;
        next = program.getSemanticDiagnosticsOfNextAffectedFile();
      }
      return true;
    },
  };
}
