import type ts from "typescript";
import { Names } from "./classes";
import { type Compiler } from "./compiler";

/** An option `import` in a program. */
export interface ImportOption {
  /** The line, counted from 1. */
  readonly line: number;
  readonly property: ts.ObjectLiteralElementLike;
  /** The id. Undefined if it is not a literal text. */
  readonly id?: string;
  /** The resource whose options these are. Undefined if the option is elsewhere. */
  readonly resource?: Declared;
  /** Whether the program certainly means an option of a resource of this package, also if it is elsewhere. */
  readonly isOurs: boolean;
  /** The class in whose constructor it is, if another package exports the class: `Bucket`. */
  readonly foreignClass?: string;
}

/** A resource in a program, with its options written in place. */
export interface Declared {
  readonly type: string;
  /** Undefined if it is not a literal text. */
  readonly name?: string;
  /** Whether it has the option `parent`. Undefined if that is not certain. */
  readonly hasParent?: boolean;
  readonly options: ts.ObjectLiteralExpression;
  /** The arguments of its constructor. The last one holds the options. */
  readonly args: ts.NodeArray<ts.Expression>;
}

/** Finds the options `import` of a file, in the order of the file. */
export function importOptionsIn(compiler: Compiler, source: ts.SourceFile): ImportOption[] {
  return new OptionFinder(compiler, source).options;
}

class OptionFinder {
  readonly options: ImportOption[] = [];
  readonly #names: Names;
  /** The variables that hold options of resources of this package. */
  readonly #variables = new Set<string>();

  constructor(
    private readonly compiler: Compiler,
    private readonly source: ts.SourceFile,
  ) {
    this.#names = new Names(compiler, source);
    this.#each(source, (node) => {
      if (!compiler.isNewExpression(node) || this.#names.classOf(node.expression) === undefined) return;
      const [, , options] = node.arguments ?? [];
      if (options !== undefined) this.#each(options, (inner) => this.#noteVariable(inner));
    });
    this.#each(source, (node) => {
      if (!compiler.isObjectLiteralExpression(node)) return;
      const found = node.properties.filter((property) => this.#nameOf(property) === "import");
      for (const property of found) this.options.push(this.#optionOf(node, property, found.length === 1));
    });
  }

  #each(node: ts.Node, look: (node: ts.Node) => void): void {
    look(node);
    this.compiler.forEachChild(node, (child) => this.#each(child, look));
  }

  #noteVariable(node: ts.Node): void {
    if (this.compiler.isIdentifier(node)) this.#variables.add(node.text);
  }

  #optionOf(
    options: ts.ObjectLiteralExpression,
    property: ts.ObjectLiteralElementLike,
    isOnly: boolean,
  ): ImportOption {
    const { compiler, source } = this;
    const created = this.#creationAround(options);
    const type = created && this.#names.classOf(created.node.expression);
    const foreignClass = created && this.#names.foreignClassOf(created.node.expression);
    const value = compiler.isPropertyAssignment(property) ? this.#bare(property.initializer) : undefined;
    const id = value !== undefined && compiler.isStringLiteralLike(value) ? value.text : undefined;
    const resource =
      created?.isDirect === true && type !== undefined && isOnly
        ? this.#declared(created.node, type, options)
        : undefined;
    return {
      line: source.getLineAndCharacterOfPosition(property.getStart(source)).line + 1,
      property,
      ...(id === undefined ? {} : { id }),
      ...(resource === undefined ? {} : { resource }),
      isOurs: (created?.isOptions === true && type !== undefined) || this.#isInVariable(options),
      ...(foreignClass === undefined ? {} : { foreignClass }),
    };
  }

  #declared(
    { arguments: args }: ts.NewExpression,
    type: string,
    options: ts.ObjectLiteralExpression,
  ): Declared {
    const { compiler } = this;
    if (args?.length !== 3) throw new TypeError("the options are not the third argument");
    const name = args[0] && this.#bare(args[0]);
    const hasParent = this.#hasParent(options);
    return {
      type,
      ...(name !== undefined && compiler.isStringLiteralLike(name) ? { name: name.text } : {}),
      ...(hasParent === undefined ? {} : { hasParent }),
      options,
      args,
    };
  }

  /** A parent that the program computes may be undefined, and a spread may hold one. */
  #hasParent({ properties }: ts.ObjectLiteralExpression): boolean | undefined {
    const { compiler } = this;
    const parent = properties.find((property) => this.#nameOf(property) === "parent");
    if (parent === undefined)
      return properties.some((one) => compiler.isSpreadAssignment(one)) ? undefined : false;
    const value = compiler.isPropertyAssignment(parent) ? this.#bare(parent.initializer) : undefined;
    return value?.kind === compiler.SyntaxKind.ThisKeyword ? true : undefined;
  }

  /** The nearest `new` around an object, and whether the object is its third argument or is in it. */
  #creationAround(object: ts.Node) {
    const { compiler } = this;
    let inner = object;
    let isDirect = true;
    for (let node = object.parent as ts.Node | undefined; node !== undefined; node = node.parent) {
      if (compiler.isNewExpression(node)) {
        const isOptions = node.arguments?.[2] === inner;
        return { node, isOptions, isDirect: isDirect && isOptions && node.arguments?.length === 3 };
      }
      isDirect &&= this.#isWrapper(node);
      inner = node;
    }
    return undefined;
  }

  #isInVariable(object: ts.Node): boolean {
    const { compiler } = this;
    for (let node = object.parent as ts.Node | undefined; node !== undefined; node = node.parent) {
      if (compiler.isVariableDeclaration(node)) {
        return compiler.isIdentifier(node.name) && this.#variables.has(node.name.text);
      }
      if (compiler.isFunctionLike(node)) return false;
    }
    return false;
  }

  #nameOf({ name }: ts.ObjectLiteralElementLike): string | undefined {
    const { compiler } = this;
    if (name === undefined) return undefined;
    const key = compiler.isComputedPropertyName(name) ? this.#bare(name.expression) : name;
    return compiler.isIdentifier(key) || compiler.isStringLiteralLike(key) ? key.text : undefined;
  }

  /** `import` in `"12" as const` and `("12")`. */
  #bare(expression: ts.Expression): ts.Expression {
    return this.#isWrapper(expression) ? this.#bare(expression.expression) : expression;
  }

  #isWrapper(node: ts.Node): node is ts.AsExpression {
    const { SyntaxKind } = this.compiler;
    return [
      SyntaxKind.ParenthesizedExpression,
      SyntaxKind.AsExpression,
      SyntaxKind.TypeAssertionExpression,
      SyntaxKind.NonNullExpression,
      SyntaxKind.SatisfiesExpression,
    ].includes(node.kind);
  }
}
