import type ts from "typescript";
import { partsOfUrn } from "../../provider/describe/urn";
import { type StateResource } from "../stacks/state";
import { type Compiler } from "./compiler";
import { type Declared, type ImportOption, importOptionsIn } from "./find-options";
import { cutsFor, without } from "./remove-option";

/** An option `import` that can be removed. */
export interface Removed {
  readonly line: number;
  /** Its resource: `Node web`. */
  readonly resource: string;
  readonly id: string;
}

/** An option `import` that stays in the program. */
export interface Stays {
  readonly line: number;
  /** Its resource, as far as that is certain. */
  readonly resource?: string;
  readonly reason: string;
}

/** A file, and what it would be without the options of adopted objects. */
export interface SettledFile {
  readonly text: string;
  readonly removed: readonly Removed[];
  readonly stays: readonly Stays[];
}

/** What may be an option in a file that the compiler cannot read. */
const MAYBE = /\bimport\b["'`\]]*\s*:/;

/** Removes from the text of a file each option `import` whose object the state has. */
export function settleFile(
  compiler: Compiler,
  file: string,
  text: string,
  adopted: readonly StateResource[],
): SettledFile {
  const { source, problem } = parsed(compiler, file, text);
  if (problem !== undefined) return { text, removed: [], stays: MAYBE.test(text) ? [problem] : [] };
  const options = importOptionsIn(compiler, source);
  const stays: Stays[] = [];
  const removals = options.flatMap((option) => {
    const { line, resource, id = "", property } = option;
    const called = resource === undefined ? undefined : `${resource.type} ${resource.name ?? ""}`.trim();
    const reason = reasonToStay(option, adopted);
    if (reason !== undefined)
      stays.push({ line, ...(called === undefined ? {} : { resource: called }), reason });
    if (reason !== undefined || resource === undefined || called === undefined) return [];
    return [{ removed: { line, resource: called, id }, cuts: cutsFor(text, source, resource, property) }];
  });
  const settled = without(
    text,
    removals.flatMap(({ cuts }) => cuts),
  );
  const after = parsed(compiler, file, settled);
  const left = importOptionsIn(compiler, after.source).length;
  if (after.problem !== undefined || left !== options.length - removals.length) {
    throw new TypeError(`${file}: cannot remove its options import, so nothing was changed`);
  }
  return { text: settled, removed: removals.map(({ removed }) => removed), stays };
}

function parsed(
  compiler: Compiler,
  file: string,
  text: string,
): { readonly source: ts.SourceFile; readonly problem?: Stays } {
  const source = compiler.createSourceFile(file, text, compiler.ScriptTarget.Latest, true);
  // It is not in the public interface, and all versions have it.
  const { parseDiagnostics: [first] = [] } = source as { parseDiagnostics?: readonly ts.Diagnostic[] };
  if (first === undefined) return { source };
  const { line } = source.getLineAndCharacterOfPosition(first.start ?? 0);
  const said = compiler.flattenDiagnosticMessageText(first.messageText, " ");
  return {
    source,
    problem: { line: line + 1, reason: `TypeScript ${compiler.version} cannot read the file: ${said}` },
  };
}

/** Why an option stays. Undefined if it can be removed, or if it is not about a resource of this package. */
function reasonToStay(
  { id, resource, isOurs, foreignClass }: ImportOption,
  adopted: readonly StateResource[],
): string | undefined {
  if (resource === undefined) {
    const isAdopted = adopted.some((one) => one.id === id && one.type === (foreignClass ?? one.type));
    return isOurs || isAdopted
      ? "it is not written directly in the options of a resource: remove it by hand"
      : undefined;
  }
  if (id === undefined) return "its value is not a literal text: remove it by hand";
  if (resource.name === undefined) return "the name of the resource is not a literal text: remove it by hand";
  if (adopted.some((one) => one.id === id && isDeclaredBy(one, resource))) return undefined;
  return `the state has no ${resource.type} ${id} of this name: run \`pulumi up\` first`;
}

/** With another name or parent, the next run would adopt the object for this resource, and without the option it would create another object. */
function isDeclaredBy({ urn, type }: StateResource, { type: declared, name, hasParent }: Declared): boolean {
  const parts = partsOfUrn(urn);
  if (type !== declared || parts.name !== name) return false;
  return hasParent === undefined || hasParent === parts.types.length > 1;
}
