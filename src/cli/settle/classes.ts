import type ts from "typescript";
import { type Compiler } from "./compiler";

/** What programs import the classes from: as dynamic resources, or as those of the full plugin. */
export const PACKAGE = "pulumi-nodecloud";
export const PLUGIN_ENTRY = `${PACKAGE}/plugin`;

type Origin = "own" | "foreign" | "unknown";

/** What the names of a file stand for, by its imports, and by the classes that extend imported ones. */
export class Names {
  /** The names that stand for all exports of this package. */
  readonly #namespaces = new Set<string>();
  /** The names of classes, with the classes of this package that they are. */
  readonly #classes = new Map<string, string>();
  /** The names that come from other packages, with the names that these export. */
  readonly #foreign = new Map<string, string>();

  constructor(
    private readonly compiler: Compiler,
    source: ts.SourceFile,
  ) {
    const visit = (node: ts.Node): void => {
      this.#read(node);
      compiler.forEachChild(node, visit);
    };
    visit(source);
  }

  /** The class of this package that an expression names: `Node`. Undefined if it is not certain. */
  classOf(expression: ts.Expression): string | undefined {
    const { compiler } = this;
    if (compiler.isIdentifier(expression)) return this.#classes.get(expression.text);
    const isExport =
      compiler.isPropertyAccessExpression(expression) && this.#isPackage(expression.expression);
    return isExport ? expression.name.text : undefined;
  }

  /** The class of another package that an expression names: `Bucket` for `aws.s3.Bucket`. */
  foreignClassOf(expression: ts.Expression): string | undefined {
    const { compiler } = this;
    if (compiler.isIdentifier(expression)) return this.#foreign.get(expression.text);
    if (!compiler.isPropertyAccessExpression(expression)) return undefined;
    return this.foreignClassOf(expression.expression) === undefined ? undefined : expression.name.text;
  }

  #isPackage(expression: ts.Expression): boolean {
    return this.compiler.isIdentifier(expression) && this.#namespaces.has(expression.text);
  }

  #read(node: ts.Node): void {
    const { compiler } = this;
    if (compiler.isImportDeclaration(node)) this.#readImport(node);
    else if (compiler.isImportEqualsDeclaration(node)) {
      const { name, moduleReference: from } = node;
      if (compiler.isExternalModuleReference(from)) this.#addAll(name.text, this.#originOf(from.expression));
    } else if (compiler.isVariableDeclaration(node)) {
      if (node.initializer !== undefined) this.#readVariable(node.name, node.initializer);
    } else if (compiler.isClassLike(node)) this.#readClass(node);
  }

  #readImport({ importClause, moduleSpecifier }: ts.ImportDeclaration): void {
    const origin = this.#originOf(moduleSpecifier);
    // The default export of a CommonJS package is all of it.
    if (importClause?.name !== undefined) this.#addAll(importClause.name.text, origin);
    const bindings = importClause?.namedBindings;
    if (bindings === undefined) return;
    if (this.compiler.isNamespaceImport(bindings)) return this.#addAll(bindings.name.text, origin);
    for (const { name, propertyName } of bindings.elements) {
      const exported = propertyName?.text ?? name.text;
      if (exported === "default") this.#addAll(name.text, origin);
      else this.#addOne(name.text, exported, origin);
    }
  }

  #readVariable(name: ts.BindingName, initializer: ts.Expression): void {
    const { compiler } = this;
    const origin = this.#isPackage(initializer) ? "own" : this.#originOf(this.#loadedBy(initializer));
    if (compiler.isIdentifier(name)) {
      const named = this.classOf(initializer);
      return named === undefined ? this.#addAll(name.text, origin) : this.#addOne(name.text, named, "own");
    }
    if (!compiler.isObjectBindingPattern(name)) return;
    for (const element of name.elements) {
      if (!compiler.isIdentifier(element.name)) continue;
      const { propertyName = element.name } = element;
      if (compiler.isIdentifier(propertyName)) this.#addOne(element.name.text, propertyName.text, origin);
    }
  }

  #readClass({ name, heritageClauses }: ts.ClassLikeDeclaration): void {
    for (const { token, types } of heritageClauses ?? []) {
      const base = token === this.compiler.SyntaxKind.ExtendsKeyword ? types[0] : undefined;
      const extended = base === undefined ? undefined : this.classOf(base.expression);
      if (name !== undefined && extended !== undefined) this.#addOne(name.text, extended, "own");
    }
  }

  #addAll(name: string, origin: Origin): void {
    if (origin === "own") this.#namespaces.add(name);
    if (origin === "foreign") this.#foreign.set(name, name);
  }

  #addOne(name: string, exported: string, origin: Origin): void {
    if (origin === "own") this.#classes.set(name, exported);
    if (origin === "foreign") this.#foreign.set(name, exported);
  }

  #originOf(specifier: ts.Expression | undefined): Origin {
    if (specifier === undefined || !this.compiler.isStringLiteralLike(specifier)) return "unknown";
    if (specifier.text === PACKAGE || specifier.text === PLUGIN_ENTRY) return "own";
    return specifier.text.startsWith(".") ? "unknown" : "foreign";
  }

  /** The module in `require("…")` or `await import("…")`. */
  #loadedBy(expression: ts.Expression): ts.Expression | undefined {
    const { compiler } = this;
    const call = compiler.isAwaitExpression(expression) ? expression.expression : expression;
    if (!compiler.isCallExpression(call)) return undefined;
    const { expression: callee, arguments: args } = call;
    const isRequire = compiler.isIdentifier(callee) && callee.text === "require";
    return isRequire || callee.kind === compiler.SyntaxKind.ImportKeyword ? args[0] : undefined;
  }
}
