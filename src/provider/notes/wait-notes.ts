import { keyOfParts } from "../base/key";
import { type Properties } from "../base/values";
import { type NoteKind, type Notes } from "./notes";

/** How long earlier waits on this machine lasted, in milliseconds. */
export interface WaitNote {
  readonly lasted: readonly number[];
}

export const waitNotes: NoteKind<WaitNote> = {
  folder: "waits",
  isNote: (noted): noted is WaitNote & Properties =>
    Array.isArray(noted["lasted"]) && noted["lasted"].every((one) => typeof one === "number"),
};

/** How many waits of a kind are remembered. */
const KEPT = 5;

const keyOf = (type: string, what: string): string => keyOfParts("wait", type, what);

/** Remembers how long a wait for something lasted. */
export function noteWait(notes: Notes<WaitNote>, type: string, what: string, ms: number, now: number): void {
  const key = keyOf(type, what);
  notes.note(key, { lasted: [ms, ...(notes.recall(key, now)?.lasted ?? [])].slice(0, KEPT) }, now);
}

/** How long a wait for something usually lasts: the median of the last ones. */
export function usualWait(
  notes: Notes<WaitNote>,
  type: string,
  what: string,
  now: number,
): number | undefined {
  const lasted = [...(notes.recall(keyOf(type, what), now)?.lasted ?? [])].sort((one, other) => one - other);
  return lasted[Math.floor(lasted.length / 2)];
}
