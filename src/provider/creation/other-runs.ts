import { type Clock } from "../process/clock";
import { isElsewhere } from "../process/runs";
import { type Journal } from "./journal";

/** How long the list of notes is reused. */
const BELIEVED_MS = 2_000;

/** The objects that other runs have created, if those runs may still be running, from their notes. */
export class OtherRuns {
  #read: { readonly at: number; readonly ids: ReadonlySet<string> } | undefined;

  constructor(
    private readonly journal: Journal,
    private readonly clock: Clock,
  ) {}

  /** The ids of the objects of a type. */
  idsOf(type: string): ReadonlySet<string> {
    const now = this.clock.now();
    if (this.#read === undefined || now - this.#read.at > BELIEVED_MS) {
      const ids = new Set<string>();
      for (const [, note] of this.journal.all(now)) {
        if ("id" in note && isElsewhere(note, now)) ids.add(`${note.type ?? ""} ${note.id}`);
      }
      this.#read = { at: now, ids };
    }
    const own = [...this.#read.ids].filter((one) => one.startsWith(`${type} `));
    return new Set(own.map((one) => one.slice(type.length + 1)));
  }
}
