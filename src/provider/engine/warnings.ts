import { PROGRAM_NAME, RESOURCE_NAME, urnOf } from "../state/hidden";
import { oneLine } from "./errors";
import { type CommonKind } from "../process/kind";
import { type Owner } from "../process/owner";
import { type Properties } from "../state/values";

/** So many members are named; of more it is said how many there are. */
const SHOWN = 25;

/** What a line is about. */
export interface About {
  readonly kind: CommonKind;
  readonly inputs: Properties;
  readonly id?: string;
}

/** What is said: a line, or several. */
type Said = string | readonly string[];

/** Warns about a resource. */
export const warn = (about: About, said: Said): void => say("warn", about, said);

/** Says what is merely good to know about a resource. */
export const note = (about: About, said: Said): void => say("note", about, said);

/** Says that a creation makes nothing: the engine shows an import by this package as any other creation. */
export const noteImport = (about: About, id: string): void =>
  note(about, `takes over the ${about.kind.type} ${id}, which is there already`);

/** Each line names its resource, since `preview --diff` has no rows. The engine checks and diffs a resource twice at times. */
function say(manner: "warn" | "note", about: About, said: Said): void {
  const { session } = about.kind;
  const urn = urnOf(about.inputs);
  const lines = [said].flat().map(oneLine);
  const text = `${calledInProgram(about)}: ${lines.join("\n")}`;
  if (session.isFirst(`${manner} ${urn ?? ""} ${text}`)) session.log[manner](urn, text);
}

/** The first of many lines, and how many more there are. */
export function shortened(lines: readonly string[]): readonly string[] {
  if (lines.length <= SHOWN) return lines;
  return [...lines.slice(0, SHOWN), `… and ${lines.length - SHOWN} more`];
}

/** A resource as the owner of objects. */
export function ownerOf(
  { type, property }: { readonly type: string; readonly property?: string },
  inputs: Properties,
  urn = urnOf(inputs),
): Owner {
  const called = nameInProgram(inputs);
  return {
    ...(urn === undefined ? {} : { urn }),
    name: called === undefined ? type : `${type} ${called}`,
    ...(property === undefined ? {} : { isSet: true }),
  };
}

/** The type of a resource and its name in the program; where the state does not hold the name, what it is. */
export function calledInProgram(about: About): string {
  const { kind, inputs, id } = about;
  const name = nameInProgram(inputs);
  if (name !== undefined) return `${kind.type} ${name}`;
  return kind.nameOf(inputs, id === undefined ? undefined : kind.parseId(id));
}

function nameInProgram(inputs: Properties): string | undefined {
  const name = urnOf(inputs)?.split("::").at(-1) ?? inputs[PROGRAM_NAME] ?? inputs[RESOURCE_NAME];
  return typeof name === "string" ? name : undefined;
}
