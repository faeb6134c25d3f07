import { keyOfParts } from "../base/key";
import { type Properties } from "../base/values";
import { type Place } from "./journal";
import { type NoteKind } from "./notes";

/** The note of an update or a deletion in which a run was interrupted. The engine forgets it with the next `up`, also if that is refused. */
export interface CutOffNote {
  readonly operation: "updating" | "deleting";
}

export const cutOffNotes: NoteKind<CutOffNote> = {
  folder: "cut-off",
  isNote: (noted): noted is CutOffNote & Properties =>
    noted["operation"] === "updating" || noted["operation"] === "deleting",
};

/** The key of what a resource of a stack manages, under whichever name: see `objectIn`. */
export const cutOffKey = ({ backend, stack }: Place, type: string, object: string): string =>
  keyOfParts("cut off", backend, stack, type, object);
