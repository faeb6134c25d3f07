import { type Description, formatId, type Ref } from "../describe/define-resource";
import { type Leaf, leavesOf } from "../describe/fields";
import { keyOfParts, type Place } from "../creation/journal";
import { type NoteKind } from "../process/notes";
import { type Properties } from "../state/values";

/** An action that a run asked for. It is written before the request, and holds hashes, no values. */
export interface ActionNote {
  /** What the inputs were that asked for it. */
  readonly wanted: string;
  /** Whether the service is known to have taken the request. */
  readonly accepted: boolean;
  /** What the action changes for good, as it was before. */
  readonly trace?: string;
}

export const actionNotes: NoteKind<ActionNote> = {
  folder: "actions",
  isNote: (noted): noted is ActionNote & Properties =>
    typeof noted["wanted"] === "string" && typeof noted["accepted"] === "boolean",
};

/** The same for the same action on the same object, managed by the same stack. */
export const actionKey = (description: Description, place: Place, ref: Ref, path: string): string =>
  keyOfParts("action", place.baseUrl, place.backend, place.stack, description.type, formatId(ref), path);

/** A hash of the inputs at and below a path; undefined where none is set. Two spellings of an id are the same. */
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
