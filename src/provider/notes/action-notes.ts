import { type Description, formatId, type Ref } from "../describe/define-resource";
import { type Leaf, leavesOf } from "../describe/fields";
import { type Place } from "./journal";
import { keyOfParts } from "../base/key";
import { type NoteKind } from "./notes";
import { type Properties } from "../base/values";

/** The note of an action. It is written before the request, and holds hashes, no values. */
export interface ActionNote {
  /** A hash of the inputs that ask for it. */
  readonly wanted: string;
  /** Whether the service is known to have accepted the request. */
  readonly accepted: boolean;
  /** The permanent mark that the action changes, before the action. */
  readonly trace?: string;
}

export const actionNotes: NoteKind<ActionNote> = {
  folder: "actions",
  isNote: (noted): noted is ActionNote & Properties =>
    typeof noted["wanted"] === "string" && typeof noted["accepted"] === "boolean",
};

/** The key of an action on an object, for one stack. */
export const actionKey = (description: Description, place: Place, ref: Ref, path: string): string =>
  keyOfParts("action", place.baseUrl, place.backend, place.stack, description.type, formatId(ref), path);

/** A hash of the inputs at and below a path. Undefined if none is set. Two spellings of an id count as equal. */
export function wantedAt(
  { fields }: Description,
  path: string,
  valueOf: (leaf: Leaf) => unknown,
): string | undefined {
  const values = leavesOf(fields).flatMap((leaf) => {
    if (leaf.path !== path && !leaf.path.startsWith(`${path}.`)) return [];
    const value = valueOf(leaf) ?? undefined;
    if (value === undefined) return [];
    return [[leaf.path, leaf.comparison === "id" ? String(value).split("/").at(-1) : value]];
  });
  return values.length === 0 ? undefined : keyOfParts(...values);
}
