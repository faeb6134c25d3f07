import { printableLine } from "../../api/text";
import { type Code } from "../base/codes";
import { type ServedKind } from "./kind";
import { type Owner } from "../notes/owner";
import { IMPORT_VARIABLE } from "../settings/wished-imports";
import { type Call, type State, type Told } from "../state/call";

/** How many lines are shown. Of further ones, only the number is shown. */
const SHOWN = 25;

/** The resource that a message concerns. */
export interface About {
  readonly kind: ServedKind;
  readonly call: Call;
  readonly id?: string;
}

/** A message of one line or of several lines. */
export type Said = string | readonly string[];

/** Warns about a resource. */
export const warn = (about: About, said: Said, code: Code): void =>
  say(about, "warn", said, ({ log }, urn, text) => log.warn(urn, text, code));

/** Notes something about a resource. */
export const note = (about: About, said: Said): void =>
  say(about, "note", said, ({ log }, urn, text) => log.note(urn, text));

/** Notes that a creation adopts something: the engine shows an import by a dynamic resource, or by the environment, as a creation. */
export function noteImport(about: About, what: string): void {
  const { run, screen } = about.kind;
  const { fullUrn, importId } = about.call;
  const isWished = importId !== undefined && run.settings.importOf(fullUrn) === importId;
  const line = `imports the existing ${what}${isWished ? `, as ${IMPORT_VARIABLE} says` : ""}`;
  if (isWished || !screen.engineShowsImports) note(about, line);
}

/** Each line names its resource, as `preview --diff` has no rows. It is printed once: the engine sometimes checks and compares a resource twice. */
function say(
  about: About,
  manner: string,
  said: Said,
  send: (screen: ServedKind["screen"], urn: string | undefined, text: string) => void,
): void {
  const { screen, known } = about.kind;
  const lines = [said].flat().map(printableLine);
  const text = `${calledInProgram(about)}: ${lines.join("\n")}`;
  if (screen.isFirst(`${manner} ${about.call.urn ?? ""} ${text}`))
    send(screen, known.steps.urnOf(about.call), text);
}

/** The first lines, and the number of further ones. */
export function shortened(lines: readonly string[]): readonly string[] {
  if (lines.length <= SHOWN) return lines;
  return [...lines.slice(0, SHOWN), `… and ${lines.length - SHOWN} more`];
}

/** A resource as the owner of objects. */
export function ownerOf(
  { type, property }: { readonly type: string; readonly property?: string },
  { name, urn, state }: Told & { readonly state?: Pick<State, "outputs"> },
): Owner {
  const created = state?.outputs["created"];
  return {
    ...(urn === undefined ? {} : { urn }),
    name: name === undefined ? type : `${type} ${name}`,
    ...(property === undefined ? {} : { isSet: true }),
    ...(typeof created === "string" ? { created } : {}),
  };
}

/** The type of a resource and its name in the program. If the state does not have the name, its own name. */
export function calledInProgram(about: About): string {
  const { kind, call, id } = about;
  if (call.name !== undefined) return `${kind.type} ${call.name}`;
  return kind.nameOf(call.inputs, id === undefined ? undefined : kind.parseId(id));
}
