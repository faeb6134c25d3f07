import ts from "typescript";

/**
 * A change of a piece of a file.
 * @typedef {{ start: number; end: number; text: string; what: string }} Edit
 */

/** @type {ReadonlyMap<ts.SyntaxKind, string>} */
const swapped = new Map([
  [ts.SyntaxKind.EqualsEqualsEqualsToken, "!=="],
  [ts.SyntaxKind.ExclamationEqualsEqualsToken, "==="],
  [ts.SyntaxKind.EqualsEqualsToken, "!="],
  [ts.SyntaxKind.ExclamationEqualsToken, "=="],
  [ts.SyntaxKind.LessThanToken, "<="],
  [ts.SyntaxKind.LessThanEqualsToken, "<"],
  [ts.SyntaxKind.GreaterThanToken, ">="],
  [ts.SyntaxKind.GreaterThanEqualsToken, ">"],
  [ts.SyntaxKind.AmpersandAmpersandToken, "||"],
  [ts.SyntaxKind.BarBarToken, "&&"],
  [ts.SyntaxKind.QuestionQuestionToken, "&&"],
  [ts.SyntaxKind.PlusToken, "-"],
  [ts.SyntaxKind.MinusToken, "+"],
  [ts.SyntaxKind.AsteriskToken, "/"],
  [ts.SyntaxKind.SlashToken, "*"],
]);

/** Methods of lists whose counterparts have the same type. */
const counterparts = new Map([
  ["some", "every"],
  ["every", "some"],
  ["filter", undefined],
  ["sort", undefined],
  ["reverse", undefined],
]);

/** All edits of a file, in the order of its text. Types, imports and comments have none. @param {ts.SourceFile} file @returns {Edit[]} */
export function editsOf(file) {
  /** @type {Edit[]} */
  const edits = [];
  /** @param {ts.Node} node */
  const visit = (node) => {
    if (ts.isTypeNode(node) || isDeclarative(node)) return;
    edits.push(...editsAt(node, file));
    ts.forEachChild(node, (child) => {
      if (!isKey(child)) visit(child);
    });
  };
  visit(file);
  return edits;
}

/** Whether a node is the name of a property. @param {ts.Node} node */
const isKey = (node) => ts.isPropertyAssignment(node.parent) && node.parent.name === node;

/** @param {ts.Node} node */
const isDeclarative = (node) =>
  ts.isImportDeclaration(node) ||
  ts.isExportDeclaration(node) ||
  ts.isInterfaceDeclaration(node) ||
  ts.isTypeAliasDeclaration(node);

/** @param {ts.Node} node @param {ts.SourceFile} file @returns {Edit[]} */
function editsAt(node, file) {
  /** @param {ts.Node} at @param {string} text @param {string} what */
  const edit = (at, text, what) => ({ start: at.getStart(file), end: at.getEnd(), text, what });
  if (ts.isIfStatement(node) || ts.isWhileStatement(node)) {
    const removed = ts.isIfStatement(node) && node.elseStatement === undefined && !isBare(node);
    return [negation(node.expression, edit), ...(removed ? [edit(node, ";", "removed")] : [])];
  }
  if (ts.isConditionalExpression(node)) return [negation(node.condition, edit)];
  if (ts.isExpressionStatement(node) || ts.isThrowStatement(node)) return [edit(node, ";", "removed")];
  if (ts.isContinueStatement(node)) return [edit(node, ";", "removed")];
  if (ts.isReturnStatement(node)) return returned(node.expression, edit, node);
  if (ts.isBinaryExpression(node)) return swap(node, edit);
  if (ts.isCallExpression(node)) return calledOtherwise(node, edit);
  if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken)
    return [edit(node, node.operand.getText(file), "without !")];
  if (ts.isArrowFunction(node) && !ts.isBlock(node.body)) return returned(node.body, edit, undefined);
  if (ts.isFunctionLike(node) && "body" in node && node.body !== undefined && ts.isBlock(node.body))
    return emptied(node.body, file);
  return literal(node, edit);
}

/** An `if` without braces that is the branch of another one: a `;` in its place would change the other. @param {ts.Node} node */
const isBare = (node) => ts.isIfStatement(node.parent);

/** @typedef {(at: ts.Node, text: string, what: string) => Edit} Make */

/** @param {ts.Expression} condition @param {Make} edit */
const negation = (condition, edit) => edit(condition, `!(${condition.getText()})`, "negated");

/** @param {ts.Expression | undefined} value @param {Make} edit @param {ts.Node | undefined} statement */
function returned(value, edit, statement) {
  if (value === undefined) return statement === undefined ? [] : [edit(statement, ";", "removed")];
  const bare = ts.isParenthesizedExpression(value) ? value.expression : value;
  if (ts.isIdentifier(bare) && bare.text === "undefined") return [];
  const edits = [edit(value, "undefined", "undefined in its place")];
  if (ts.isArrayLiteralExpression(bare) && bare.elements.length > 0) edits.push(edit(value, "[]", "emptied"));
  if (ts.isObjectLiteralExpression(bare) && bare.properties.length > 0)
    edits.push(edit(value, "({})", "emptied"));
  return edits;
}

/** @param {ts.BinaryExpression} node @param {Make} edit */
function swap({ operatorToken, left, right }, edit) {
  const other = swapped.get(operatorToken.kind);
  if (other === undefined) return [];
  const edits = [edit(operatorToken, other, `${operatorToken.getText()} became ${other}`)];
  const isLogical = ["&&", "||"].includes(operatorToken.getText());
  if (isLogical) edits.push(edit(left, "true", "true"), edit(right, "false", "false"));
  return edits;
}

/** @param {ts.CallExpression} node @param {Make} edit */
function calledOtherwise(node, edit) {
  const { expression } = node;
  if (!ts.isPropertyAccessExpression(expression) || !counterparts.has(expression.name.text)) return [];
  const other = counterparts.get(expression.name.text);
  return other === undefined
    ? [edit(node, expression.expression.getText(), `without ${expression.name.text}`)]
    : [edit(expression.name, other, `${expression.name.text} became ${other}`)];
}

/** A function that returns at once. @param {ts.Block} body @param {ts.SourceFile} file @returns {Edit[]} */
function emptied(body, file) {
  const [first] = body.statements;
  if (first === undefined || ts.isReturnStatement(first)) return [];
  const start = first.getStart(file);
  return [{ start, end: start, text: "return; ", what: "returns at once" }];
}

/** @param {ts.Node} node @param {Make} edit */
function literal(node, edit) {
  if (node.kind === ts.SyntaxKind.TrueKeyword) return [edit(node, "false", "false")];
  if (node.kind === ts.SyntaxKind.FalseKeyword) return [edit(node, "true", "true")];
  if (ts.isNumericLiteral(node)) return [edit(node, `(${node.text} + 1)`, "one more")];
  if (isText(node) && !isName(node)) return [edit(node, '"changed"', "another text")];
  if (ts.isTemplateExpression(node) && !isName(node)) return [edit(node, '"changed"', "another text")];
  return [];
}

/** @param {ts.Node} node */
const isText = (node) => ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node);

/** The properties whose texts are documentation. */
const documentation = ["doc", "docs", "summary", "example", "description", "examples"];

/** Whether a text is the name of a property or a module, or documentation. @param {ts.Node} node */
const isName = ({ parent }) =>
  ts.isExternalModuleReference(parent) ||
  (ts.isCallExpression(parent) && parent.expression.getText() === "require") ||
  (ts.isPropertyAssignment(parent) && documentation.includes(parent.name.getText()));

/** @param {string} text @param {Edit} edit */
export const edited = (text, { start, end, text: put }) => text.slice(0, start) + put + text.slice(end);
