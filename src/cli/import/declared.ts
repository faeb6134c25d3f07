import { readFileSync } from "node:fs";
import { keyOf } from "../account/list-account";
import { type Compiler, compilerOf } from "../settle/compiler";
import { importOptionsIn } from "../settle/find-options";
import { programFiles } from "../settle/program-files";

/** A resource with the option `import` in a program. */
export interface DeclaredImport {
  readonly type: string;
  /** Undefined if it is not a literal text. */
  readonly name?: string;
  /** The object, by type and id. */
  readonly key: string;
}

/** The resources that a program imports, whether its stacks have adopted them or not. */
export function declaredIn(project: string): readonly DeclaredImport[] {
  const compiler = compilerOf(project);
  return programFiles(compiler, project).flatMap((file) => declaredInFile(compiler, file));
}

function declaredInFile(compiler: Compiler, file: string): DeclaredImport[] {
  const text = readFileSync(file, "utf8");
  const source = compiler.createSourceFile(file, text, compiler.ScriptTarget.Latest, true);
  return importOptionsIn(compiler, source).flatMap(({ resource, id }) => {
    if (resource === undefined || id === undefined) return [];
    const { type, name } = resource;
    return [{ type, key: keyOf(type, id), ...(name === undefined ? {} : { name }) }];
  });
}
