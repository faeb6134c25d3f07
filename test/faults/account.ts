import { same } from "../../src/provider/state/values";
import { type TestEmulator } from "../helpers/emulator";
import { type Kind, SUBJECTS } from "./kinds";

/** An object as the emulator keeps it. */
export interface LiveObject extends Record<string, unknown> {
  readonly id: number | string;
}

/** Asks the control API of an emulator. */
export type Control = TestEmulator["control"];

/** The objects of a kind that somebody asked for: the service makes backups of its own besides. */
export async function objectsOf(control: Control, kind: string): Promise<LiveObject[]> {
  const { body } = await control<{ data: LiveObject[] }>("GET", `/objects/${kind}`);
  return body.data.filter(({ type }) => type !== "auto");
}

/** What is wrong, each in a line; empty where nothing is. */
export type Problems = string[];

/** What a state says of one resource. */
export interface Known {
  readonly id: string;
  readonly inputs: Readonly<Record<string, unknown>>;
}

/** The own part of an id, as the emulator's objects have it. */
export const ownId = (id: string): string => (id.startsWith("private/") ? id : (id.split("/").at(-1) ?? id));

const brief = (object: LiveObject): string => {
  const { id, label, domain, name, target, status } = object;
  const told = Object.entries({ label, domain, name, target, status }).filter(([, value]) => value != null);
  return `${String(id)} (${told.map(([field, value]) => `${field} ${String(value)}`).join(", ")})`;
};

export interface Holding {
  readonly kind: Kind;
  /** All objects of the kind that were not there before. */
  readonly found: readonly LiveObject[];
  /** What the state knows; undefined where it knows of no resource. */
  readonly known: Known | undefined;
  /** Whether the program was changed. */
  readonly changed?: boolean;
}

/** Holds an account against a program with one resource: it must be there once, as the program wants it, and be what the state names. */
export function judgeHolding({ kind, found, known, changed = false }: Holding): Problems {
  const { count, shown } = SUBJECTS[kind];
  const problems: Problems = [];
  if (known === undefined) problems.push("lost: the state knows of no resource");
  if (found.length < count) problems.push(`lost: ${found.length} of ${count} objects are there`);
  if (found.length > count) problems.push(`doubled: ${found.map(brief).join("; ")}`);
  if (known !== undefined && kind !== "DomainRecordSet") {
    const own = ownId(known.id);
    if (!found.some(({ id }) => String(id) === own)) {
      problems.push(`lost: the state names ${known.id}, which is not there`);
    }
  }
  if (shown !== undefined) {
    const [field, first, then] = shown;
    const wanted = changed ? then : first;
    const wrong = found.filter((object) => !same("value", object[field], wanted));
    for (const object of wrong) {
      problems.push(
        `false: ${brief(object)} has ${field} ${JSON.stringify(object[field])}, not ${JSON.stringify(wanted)}`,
      );
    }
  }
  return problems;
}

/** What nobody owns must at least be named, by its id or by a name of its own. */
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
  // A record has no name of its own: it is told by its name in its domain, or with its target.
  const byContent =
    typeof target === "string" &&
    told.includes(String(name)) &&
    (told.includes(target) || /of domain \d/.test(told));
  return byId || byName || byContent;
}

/** After a destroy nothing is left, or what is left is named. */
export function judgeDestroyed(kind: Kind, left: readonly LiveObject[], told: string): Problems {
  if (SUBJECTS[kind].undeletable === true) return judgeOrphans(left, told);
  return left.map((object) => `left after destroy: ${brief(object)}`);
}
