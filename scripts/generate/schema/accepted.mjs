/** Turns a TypeScript type into the nearest type of the package schema, for inputs that accept more than their schema says. */
import ts from "typescript";
import { ANY } from "./types.mjs";

/** @import { Spec, Types } from "./types.mjs" */

/** @param {string} text @param {Types} types @returns {Spec} */
export function acceptedType(text, types) {
  const file = ts.createSourceFile("accepted.ts", `type Accepted = ${text};`, ts.ScriptTarget.Latest, true);
  const [alias] = file.statements;
  if (alias === undefined || !ts.isTypeAliasDeclaration(alias))
    throw new Error(`not a TypeScript type: ${text}`);
  return specOf(alias.type, types);
}

const keywords = new Map([
  [ts.SyntaxKind.StringKeyword, "string"],
  [ts.SyntaxKind.NumberKeyword, "number"],
  [ts.SyntaxKind.BooleanKeyword, "boolean"],
]);

/** @param {ts.TypeNode} node @param {Types} types @returns {Spec} */
function specOf(node, types) {
  const keyword = keywords.get(node.kind);
  if (keyword !== undefined) return { type: keyword };
  if (ts.isParenthesizedTypeNode(node)) return specOf(node.type, types);
  // `readonly` before a list.
  if (ts.isTypeOperatorNode(node)) return specOf(node.type, types);
  if (ts.isArrayTypeNode(node)) return { type: "array", items: specOf(node.elementType, types) };
  if (ts.isUnionTypeNode(node)) return unionOf(node.types.map((part) => specOf(part, types)));
  return ts.isTypeReferenceNode(node) ? specOfReference(node, types) : ANY;
}

/** @param {ts.TypeReferenceNode} node @param {Types} types @returns {Spec} */
function specOfReference({ typeName, typeArguments: [first, second] = /** @type {any} */ ([]) }, types) {
  const name = typeName.getText();
  if (/^pulumi\.(Input|Output)$/.test(name) && first !== undefined) return specOf(first, types);
  if (name === "Record" && second !== undefined)
    return { type: "object", additionalProperties: specOf(second, types) };
  if (/^pulumi\.asset\..*Archive$/.test(name)) return { $ref: "pulumi.json#/Archive" };
  if (name.startsWith("pulumi.asset.")) return { $ref: "pulumi.json#/Asset" };
  return types.called(name);
}

/** @param {readonly Spec[]} specs @returns {Spec} */
function unionOf(specs) {
  const parts = specs.flatMap((spec) => spec["oneOf"] ?? [spec]);
  const unique = [...new Map(parts.map((part) => [JSON.stringify(part), part])).values()];
  return unique.length === 1 ? /** @type {Spec} */ (unique[0]) : { oneOf: unique };
}
