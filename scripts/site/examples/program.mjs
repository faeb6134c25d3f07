/**
 * Reads the example of a page: a program in TypeScript of literals, references and calls. The examples in the other languages are written from it, so that
 * each example is in the repository once.
 */
import ts from "typescript";

/** A value of another statement: `zone.id`. */
export class Reference {
  /** @param {string} text */
  constructor(text) {
    [this.variable = "", this.property = ""] = text.split(".");
  }

  toString() {
    return `${this.variable}.${this.property}`;
  }
}

/**
 * @typedef {object} Statement
 * @property {"resource" | "call"} kind
 * @property {string} of the class or function.
 * @property {string} [name] of the resource.
 * @property {string} [variable] that holds the result.
 * @property {readonly string[]} [fields] of the result that the program takes, instead of the variable.
 * @property {Readonly<Record<string, any>>} inputs
 */

/** The names that an example may use without a declaration, as the page of its function does. */
const KNOWN = { zone: 'const zone = nodecloud.getDomainOutput({ domain: "example.org" });' };

/**
 * The whole program of an example: it imports the package, declares what it uses, and awaits nothing, because a program of Pulumi cannot await at its top.
 * @param {string} example
 */
export function wholeProgram(example) {
  const body = example
    .replace(/^import .*\n+/, "")
    .replace(/\bawait nodecloud\.(\w+)\(/g, "nodecloud.$1Output(")
    .trim();
  const used = Object.entries(KNOWN).filter(
    ([name]) => body.includes(`${name}.`) && !body.includes(`const ${name} `),
  );
  return [
    'import * as nodecloud from "pulumi-nodecloud";',
    "",
    ...used.map(([, declaration]) => declaration),
    body,
    "",
  ].join("\n");
}

/** The statements of a whole program. @param {string} program @returns {Statement[]} */
export function statementsOf(program) {
  const source = ts.createSourceFile("example.ts", program, ts.ScriptTarget.ES2022, true);
  return source.statements
    .filter((node) => !ts.isImportDeclaration(node))
    .map((node) => {
      if (ts.isExpressionStatement(node)) return statement(node.expression);
      const declared = ts.isVariableStatement(node) ? node.declarationList.declarations[0] : undefined;
      if (declared?.initializer === undefined) throw unreadable(node);
      const made = statement(declared.initializer);
      if (ts.isIdentifier(declared.name)) return { ...made, variable: declared.name.text };
      return { ...made, fields: declared.name.elements.map((element) => element.getText()) };
    });
}

/** @param {ts.Node} node @returns {Statement} */
function statement(node) {
  if (!(ts.isNewExpression(node) || ts.isCallExpression(node))) throw unreadable(node);
  const of = node.expression.getText().replace(/^nodecloud\./, "");
  const args = (node.arguments ?? []).map(valueOf);
  if (ts.isCallExpression(node))
    return { kind: "call", of: of.replace(/Output$/, ""), inputs: args[0] ?? {} };
  return { kind: "resource", of, name: args[0], inputs: args[1] };
}

/** @param {ts.Node} node @returns {any} */
function valueOf(node) {
  if (ts.isStringLiteral(node)) return node.text;
  if (ts.isNumericLiteral(node)) return Number(node.text);
  if (node.kind === ts.SyntaxKind.TrueKeyword) return true;
  if (node.kind === ts.SyntaxKind.FalseKeyword) return false;
  if (ts.isArrayLiteralExpression(node)) return node.elements.map(valueOf);
  if (ts.isPropertyAccessExpression(node)) return new Reference(node.getText());
  if (!ts.isObjectLiteralExpression(node)) throw unreadable(node);
  return Object.fromEntries(
    node.properties.map((property) => {
      if (!ts.isPropertyAssignment(property)) throw unreadable(property);
      const { name } = property;
      return [ts.isStringLiteral(name) ? name.text : name.getText(), valueOf(property.initializer)];
    }),
  );
}

/** @param {ts.Node} node */
const unreadable = (node) =>
  new Error(
    `an example has ${JSON.stringify(node.getText())}: write it with literals and references only, or teach scripts/site/examples to write it in each language`,
  );

/** Whether a statement refers to a variable. @param {any} value @param {string} variable @returns {boolean} */
export function uses(value, variable) {
  if (value instanceof Reference) return value.variable === variable;
  return typeof value === "object" && Object.values(value).some((inner) => uses(inner, variable));
}
