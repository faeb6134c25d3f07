import { readFileSync } from "node:fs";
import { keyOf } from "../account/list-account";
import { type Compiler, compilerOf } from "../settle/compiler";
import { importOptionsIn } from "../settle/find-options";
import { programFiles } from "../settle/program-files";

/** The objects that a program imports, by type and id, whether its stacks have adopted them or not. */
export function declaredIn(project: string): ReadonlySet<string> {
  const compiler = compilerOf(project);
  return new Set(programFiles(compiler, project).flatMap((file) => declaredInFile(compiler, file)));
}

function declaredInFile(compiler: Compiler, file: string): string[] {
  const text = readFileSync(file, "utf8");
  if (!text.includes("import")) return [];
  const source = compiler.createSourceFile(file, text, compiler.ScriptTarget.Latest, true);
  return importOptionsIn(compiler, source).flatMap(({ resource, id }) =>
    resource === undefined || id === undefined ? [] : [keyOf(resource.type, id)],
  );
}
