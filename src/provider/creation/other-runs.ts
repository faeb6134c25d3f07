import { type Clock } from "../process/clock";
import { isElsewhere } from "../process/runs";
import { type Journal } from "./journal";
import { cached } from "../process/cached";

/** How long the list of notes is reused. */
const BELIEVED_MS = 2_000;

/** The objects that other runs have created, if those runs may still be running, from their notes. */
export class OtherRuns {
  #read: { readonly at: number; readonly ids: ReadonlyMap<string, ReadonlySet<string>> } | undefined;

  constructor(
    private readonly journal: Journal,
    private readonly clock: Clock,
  ) {}

  /** The ids of the objects of a type. */
  idsOf(type: string): ReadonlySet<string> {
    const now = this.clock.now();
    if (this.#read === undefined || now - this.#read.at > BELIEVED_MS) {
      const ids = new Map<string, Set<string>>();
      for (const [, note] of this.journal.all(now)) {
        if ("id" in note && isElsewhere(note, now))
          cached(ids, note.type ?? "", () => new Set<string>()).add(note.id);
      }
      this.#read = { at: now, ids };
    }
    return this.#read.ids.get(type) ?? new Set();
  }
}
