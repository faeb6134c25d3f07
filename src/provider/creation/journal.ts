import { createHash } from "node:crypto";
import { type Description } from "../describe/define-resource";
import { inputAt, leavesOf } from "../describe/fields";
import { isAutomatic, PROGRAM_NAME, RESOURCE_NAME, URN, urnOf } from "../state/hidden";
import { type NoteKind, type Notes } from "../process/notes";
import { hasUnknown, type Properties, stableJson } from "../state/values";

/** A creation whose end the state may not know of. It holds ids and labels, no values. */
export type Creation = Noted & (Made | Asked);

/** The notes of creations. */
export type Journal = Notes<Creation>;

/** What every note of a creation says beside the object. */
export interface Noted {
  /** How messages call the resource. */
  readonly called?: string;
  /** The stack and the account, as a key. */
  readonly place?: string;
  readonly type?: string;
  /** The automatic name, so that the next run takes the same. */
  readonly name?: string;
  /** A hash of what no update changes and of what the object is known by. Earlier versions had it in the key. */
  readonly fixed?: string;
}

/** The object is there. */
export interface Made {
  readonly id: string;
}

/** The object was asked for, and has no id yet. */
export interface Asked {
  /** The ids of the objects that were there before. */
  readonly before: readonly string[];
  /** Whether the service is known to have taken the request. */
  readonly accepted: boolean;
  /** All that was asked for was answered, so that nothing of it comes later. */
  readonly answered?: boolean;
}

export const creations: NoteKind<Creation> = {
  folder: "creations",
  isNote: (noted): noted is Creation & Properties => {
    const { id, before } = noted;
    return (
      typeof id === "string" || (Array.isArray(before) && before.every((one) => typeof one === "string"))
    );
  },
};

/** What every note of a creation says of the resource. */
export function notedOf(description: Description, inputs: Properties): Noted {
  const { autoname, type } = description;
  const name = autoname === undefined ? undefined : inputs[autoname.path];
  const fixed = fixedIn(description, inputs);
  return { type, ...(fixed === undefined ? {} : { fixed }), ...(typeof name === "string" ? { name } : {}) };
}

/** A hash of what no update changes and of what the object is known by, an automatic name apart; undefined in a preview that does not know all of it. */
export function fixedIn(description: Description, inputs: Properties): string | undefined {
  const { autoname, fields, identity } = description;
  const automatic = isAutomatic(inputs) ? autoname?.path : undefined;
  const fixed = leavesOf(fields).filter(
    ({ path, local, change }) =>
      path !== automatic &&
      change !== "none" &&
      (local === true || change === "replace" || identity.includes(path)),
  );
  if (fixed.some((leaf) => hasUnknown(inputAt(inputs, leaf)))) return undefined;
  return keyOfParts(...fixed.map((leaf) => [leaf.path, stableJson(inputAt(inputs, leaf) ?? null)]));
}

/** Whether a note is about something that other inputs than these made. */
export const isOther = ({ fixed }: Creation, wanted: string | undefined): boolean =>
  fixed !== undefined && wanted !== undefined && fixed !== wanted;

/** Which stack of which backend, and which account. */
export interface Place {
  readonly baseUrl: string;
  readonly backend: string;
  /** Empty where this process was told of none. */
  readonly stack: string;
}

/**
 * The same for the same resource of the same stack against the same account, whatever its inputs are. A kind that keeps no URN is known by its
 * name and its inputs.
 */
export function creationKey(
  { type, autoname }: Description,
  { baseUrl, backend, stack }: Place,
  inputs: Properties,
): string {
  const urn = urnOf(inputs);
  const who = urn ?? [inputs[PROGRAM_NAME] ?? "", stableJson(shownIn(inputs, autoname?.path))];
  return keyOfParts("creation", baseUrl, backend, stack, type, who);
}

/** The key of a note that an earlier version wrote. */
export const formerKey = ({ type, autoname }: Description, baseUrl: string, inputs: Properties): string =>
  keyOfParts(
    baseUrl,
    type,
    inputs[URN] ?? "",
    inputs[RESOURCE_NAME] ?? "",
    stableJson(shownIn(inputs, autoname?.path)),
  );

/** The inputs that a program sees, an automatic name apart. */
function shownIn(inputs: Properties, autoname: string | undefined): Properties {
  const automatic = isAutomatic(inputs) ? autoname : undefined;
  return Object.fromEntries(
    Object.entries(inputs).filter(([name]) => name !== automatic && !name.startsWith("__")),
  );
}

/** A key of all that tells one note from another, in a form that can be the name of a file. */
export const keyOfParts = (...parts: unknown[]): string =>
  createHash("sha256").update(JSON.stringify(parts)).digest("hex");
