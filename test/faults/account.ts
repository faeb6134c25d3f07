import { same } from "../../src/provider/base/values";
import { type TestEmulator } from "../helpers/emulator";
import { type Kind, SUBJECTS } from "./kinds";

/** An object as the emulator stores it. */
export interface LiveObject extends Record<string, unknown> {
  readonly id: number | string;
}

/** Sends a request to the control API of an emulator. */
export type Control = TestEmulator["control"];

/** The objects of a kind that a request created. The service also creates backups by itself. */
export async function objectsOf(control: Control, kind: string): Promise<LiveObject[]> {
  const { body } = await control<{ data: LiveObject[] }>("GET", `/objects/${kind}`);
  return body.data.filter(({ type }) => type !== "auto");
}

/** The problems, each in a line. Empty if there are none. */
export type Problems = string[];

/** One resource in a state. */
export interface Known {
  readonly id: string;
  readonly inputs: Readonly<Record<string, unknown>>;
}

/** The last part of an id, which is the id of the emulator's object. */
export const ownId = (id: string): string => (id.startsWith("private/") ? id : (id.split("/").at(-1) ?? id));

const brief = (object: LiveObject): string => {
  const { id, label, domain, name, target, status } = object;
  const told = Object.entries({ label, domain, name, target, status }).filter(([, value]) => value != null);
  return `${String(id)} (${told.map(([field, value]) => `${field} ${String(value)}`).join(", ")})`;
};

export interface Holding {
  readonly kind: Kind;
  /** All objects of the kind that are new. */
  readonly found: readonly LiveObject[];
  /** The resource in the state, or undefined if the state has none. */
  readonly known: Known | undefined;
  /** Whether the program was changed. */
  readonly changed?: boolean;
}

/** Compares an account with a program of one resource: its object must exist once, with the program's values and the id in the state. */
export function judgeHolding({ kind, found, known, changed = false }: Holding): Problems {
  const { count, shown } = SUBJECTS[kind];
  const problems: Problems = [];
  if (known === undefined) problems.push("lost: the state does not have the resource");
  if (found.length < count) problems.push(`lost: ${found.length} of ${count} objects exist`);
  if (found.length > count) problems.push(`duplicated: ${found.map(brief).join("; ")}`);
  if (known !== undefined && kind !== "DomainRecordSet") {
    const own = ownId(known.id);
    if (!found.some(({ id }) => String(id) === own)) {
      problems.push(`lost: the state names ${known.id}, which does not exist`);
    }
  }
  if (shown !== undefined) {
    const [field, first, then] = shown;
    const wanted = changed ? then : first;
    const wrong = found.filter((object) => !same("value", object[field], wanted));
    for (const object of wrong) {
      problems.push(
        `wrong: ${brief(object)} has ${field} ${JSON.stringify(object[field])}, not ${JSON.stringify(wanted)}`,
      );
    }
  }
  return problems;
}

/** A message must name an object that no state owns, by its id or by a unique name. */
export function judgeOrphans(orphans: readonly LiveObject[], told: string): Problems {
  return orphans
    .filter((orphan) => !isNamed(orphan, told))
    .map((orphan) => `orphan not named: ${brief(orphan)}`);
}

function isNamed({ id, label, domain, name, target }: LiveObject, told: string): boolean {
  const own = String(id);
  const byId = new RegExp(`(?<![\\w.-])${own.replace(/\W/g, "\\$&")}(?![\\w.]*\\d)`).test(told);
  const names = [label, domain].filter((text): text is string => typeof text === "string" && text !== "");
  const byName = names.some((text) => told.includes(text));
  // A record has no unique name. Messages use its name in its domain, or its name with its target.
  const byContent =
    typeof target === "string" &&
    told.includes(String(name)) &&
    (told.includes(target) || /of domain \d/.test(told));
  return byId || byName || byContent;
}

/** After a destroy no object remains, or a message names it. */
export function judgeDestroyed(kind: Kind, left: readonly LiveObject[], told: string): Problems {
  if (SUBJECTS[kind].undeletable === true) return judgeOrphans(left, told);
  return left.map((object) => `left after destroy: ${brief(object)}`);
}
