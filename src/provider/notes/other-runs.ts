import { type Clock } from "../base/clock";
import { type Stamp } from "./notes";
import { isElsewhere } from "../base/runs";
import { type Creation, type Journal } from "./journal";
import { cached } from "../../api/cached";

/** How long the list of notes is reused. */
const BELIEVED_MS = 2_000;

/** The notes of this machine about other runs. */
export class OtherRuns {
  #read: { readonly at: number; readonly notes: readonly (Creation & Stamp)[] } | undefined;
  #ids = new Map<string, ReadonlySet<string>>();

  constructor(
    private readonly journal: Journal,
    private readonly clock: Clock,
  ) {}

  /** The ids of the objects of a type that other runs have created, if those runs may still be running. */
  idsOf(type: string): ReadonlySet<string> {
    const notes = this.#notes();
    return cached(this.#ids, type, () => {
      const own = notes.filter((note) => note.type === type && isElsewhere(note, this.clock.now()));
      return new Set(own.flatMap((note) => ("id" in note ? [note.id] : [])));
    });
  }

  /** The note of a resource that a stack of the same name in another backend has left. */
  inAnotherBackend(anywhere: string, place: string | undefined): (Creation & Stamp) | undefined {
    return this.#notes().find(
      (note) => note.anywhere === anywhere && note.place !== place && !isElsewhere(note, this.clock.now()),
    );
  }

  #notes(): readonly (Creation & Stamp)[] {
    const now = this.clock.now();
    if (this.#read === undefined || now - this.#read.at > BELIEVED_MS) {
      this.#read = { at: now, notes: [...this.journal.all(now)].map(([, note]) => note) };
      this.#ids = new Map();
    }
    return this.#read.notes;
  }
}
