import { readFileSync } from "node:fs";
import type ts from "typescript";
import { descriptions } from "../../resources";
import { keyOf } from "../account/list-account";
import { type Compiler, compilerOf } from "../program/compiler";
import { importsIn, PACKAGE, PLUGIN_ENTRY, programFiles } from "../program/program-files";

/** A resource of a program that imports an object. */
export interface DeclaredImport {
  readonly type: string;
  /** Undefined if it is not a literal text. */
  readonly name?: string;
  /** The object, by type and id. */
  readonly key: string;
}

/** The names that new files of a program cannot have as their own. */
export interface Taken {
  /** The names of resources, by class. */
  readonly names: ReadonlyMap<string, ReadonlySet<string>>;
  /** The types of components. */
  readonly components: readonly string[];
  /** The keys in the configuration of its stack. */
  readonly keys: readonly string[];
}

/** The declarations in the files that a program loads, whether its stacks have it or not. */
export interface Declared {
  /** The resources that it imports by `adopt` or by the option `import`. */
  readonly imports: readonly DeclaredImport[];
  /** All literal texts: what earlier imports have written is among them. */
  readonly texts: ReadonlySet<string>;
}

export function declaredIn(project: string): Declared {
  const compiler = compilerOf(project);
  const texts = new Set<string>();
  const look = (node: ts.Node): void => {
    if (compiler.isStringLiteralLike(node)) texts.add(node.text);
    compiler.forEachChild(node, look);
  };
  const imports = programFiles(compiler, project).flatMap((file) => {
    const text = readFileSync(file, "utf8");
    const source = compiler.createSourceFile(file, text, compiler.ScriptTarget.Latest);
    look(source);
    const isOurs = importsIn(compiler, text).some((from) => from === PACKAGE || from === PLUGIN_ENTRY);
    return isOurs ? declaredBelow(compiler, source) : [];
  });
  return { imports, texts };
}

function declaredBelow(compiler: Compiler, node: ts.Node): DeclaredImport[] {
  const below: DeclaredImport[] = [];
  compiler.forEachChild(node, (child) => void below.push(...declaredBelow(compiler, child)));
  if (!compiler.isCallExpression(node) && !compiler.isNewExpression(node)) return below;
  const { expression, arguments: args = [] } = node;
  const called = compiler.isPropertyAccessExpression(expression) ? expression.name : expression;
  const type = compiler.isIdentifier(called) ? called.text : "";
  if (type === "adopt") return [...stringProperties(compiler, args[0]).map(adopted), ...below];
  if (!(type in descriptions)) return below;
  const id = new Map(stringProperties(compiler, args[2])).get("import");
  const name = args[0] !== undefined && compiler.isStringLiteralLike(args[0]) ? { name: args[0].text } : {};
  return id === undefined ? below : [{ type, ...name, key: keyOf(type, id) }, ...below];
}

/** Reads an entry of `adopt`, whose key is `Node web` or `my:Site$Node web`. */
function adopted([key, id]: readonly [string, string]): DeclaredImport {
  const [types = "", ...name] = key.split(" ");
  const type = types.split("$").at(-1) ?? "";
  return { type, name: name.join(" "), key: keyOf(type, id) };
}

/** The literal texts in an object, by their names. */
function stringProperties(
  compiler: Compiler,
  object: ts.Expression | undefined,
): (readonly [string, string])[] {
  if (object === undefined || !compiler.isObjectLiteralExpression(object)) return [];
  return object.properties.flatMap((property) => {
    if (!compiler.isPropertyAssignment(property)) return [];
    const { name, initializer: value } = property;
    const isNamed = compiler.isIdentifier(name) || compiler.isStringLiteralLike(name);
    return isNamed && compiler.isStringLiteralLike(value) ? [[name.text, value.text] as const] : [];
  });
}
