/** An example in the languages of the package. */
import { inGo } from "./go.mjs";
import { statementsOf, wholeProgram } from "./program.mjs";
import { inPython } from "./python.mjs";
import { inYaml } from "./yaml.mjs";

/** @import { Spec } from "./typed.mjs" */
/** @typedef {{ readonly language: string; readonly title: string; readonly code: string }} Example */

/**
 * @param {string} example TypeScript, from a page or from the description of a function.
 * @param {Spec} schema
 * @returns {Example[]}
 */
export function examplesOf(example, schema) {
  const program = wholeProgram(example);
  const statements = statementsOf(program);
  return [
    { language: "ts", title: "TypeScript", code: program },
    { language: "python", title: "Python", code: inPython(statements, schema) },
    { language: "go", title: "Go", code: inGo(statements, schema) },
    { language: "yaml", title: "YAML", code: inYaml(statements) },
  ];
}

/** The first block of TypeScript in a page. @param {string} page */
export const FIRST_BLOCK = /^```ts\n([^]*?)^```$/m;
