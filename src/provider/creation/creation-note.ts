import { lookUntil } from "../process/watch";
import { type Kind } from "../process/kind";
import { SETTLED_MS } from "./lost-answers";
import { type Asked, type Creation, creationKey, formerKey, isOther, type Noted, notedOf } from "./journal";
import { keyOfPlace } from "./announce-earlier";
import { type Stamp } from "../process/notes";
import { type About, calledInProgram } from "../engine/warnings";
import { isElsewhere } from "../process/runs";
import { type Session } from "../process/session";
import { type Properties } from "../state/values";

/** How long an orphan of a killed command may take: as long as its last request, and some. */
const ORPHAN_MS = 90_000;
const LOOK_MS = 1_000;

/** How old a note gets while there is still something asked for. */
const RENEWAL_MS = 10_000;

/** What was noted, and when. */
export type AskedBefore = Asked & Stamp;

/** When all that was asked for has come or never will. */
export const settledAt = ({ at, answered }: AskedBefore): number =>
  answered === true ? at : at + SETTLED_MS;

/** The note of the creation of one resource. */
export class CreationNote {
  #renewed = 0;
  #described: Noted | undefined;

  constructor(
    private readonly session: Session,
    private readonly key: string,
    /** The key of a note that an earlier version wrote. */
    private readonly former: string,
    /** What the note says of the resource, worked out when it is needed: most resources have none. */
    private readonly describe: () => Noted,
  ) {}

  /** What is noted, whoever noted it. */
  recall(): (Creation & Stamp) | undefined {
    const { journal, clock } = this.session;
    return journal.recall(this.key, clock.now()) ?? journal.recall(this.former, clock.now());
  }

  /** What a run has asked for that is over, whatever it was. Nothing is taken from a run that goes on. */
  recallAsked(): AskedBefore | undefined {
    const noted = this.recall();
    return noted !== undefined && "before" in noted && !this.isElsewhere(noted) ? noted : undefined;
  }

  /** Whether a note is of a run that may still go on, and not of this one. */
  isElsewhere(noted: Stamp): boolean {
    return isElsewhere(noted, this.session.clock.now());
  }

  /** Whether a note is about something that these inputs do not ask for. */
  isOther(noted: Creation): boolean {
    return isOther(noted, this.#noted.fixed);
  }

  /** Notes that the object is asked for. It comes before the request: a run that is cut off in it must be known to have asked. */
  asked(before: readonly string[], { accepted = false, answered = false } = {}): void {
    this.#renewed = this.session.clock.now();
    this.#write({ before, accepted, answered });
  }

  /** Notes from time to time that there is still something asked for: what was asked for last comes last. */
  stillAsking(before: readonly string[]): void {
    if (this.session.clock.now() - this.#renewed >= RENEWAL_MS) this.asked(before);
  }

  made(id: string): void {
    this.#write({ id });
  }

  forget(): void {
    this.session.journal.forget(this.key);
    this.session.journal.forget(this.former);
  }

  /**
   * Waits while another run is at it. The engine lets no two runs change a stack at a time, so that can only be the plugin of a command that was
   * killed, which ends soon.
   */
  async free(): Promise<void> {
    const { session } = this;
    const until = session.clock.now() + ORPHAN_MS;
    const row = (pid: number) => `waiting for the end of process ${pid}, which a killed command has left`;
    const orphan = () => {
      const noted = this.recall();
      return noted !== undefined && this.isElsewhere(noted) ? noted.run : undefined;
    };
    const first = orphan();
    if (first === undefined) return;
    await lookUntil(
      session,
      { until, pauseMs: LOOK_MS, row: row(first.pid) },
      () => orphan() === undefined || undefined,
    );
  }

  get #noted(): Noted {
    return (this.#described ??= this.describe());
  }

  #write(what: { readonly id: string } | Asked): void {
    this.session.journal.note(this.key, { ...what, ...this.#noted }, this.session.clock.now());
  }
}

/** The note of a resource that is one object. */
export function noteOf(kind: Kind, inputs: Properties): CreationNote {
  const { session, description } = kind;
  return new CreationNote(
    session,
    creationKey(description, session.place, inputs),
    formerKey(description, session.baseUrl, inputs),
    () => ({ ...notedOf(description, inputs), ...whose({ kind, inputs }) }),
  );
}

/** What a note says of the resource and where it is kept, for a run whose program has lost it. */
export const whose = (about: About): Pick<Noted, "called" | "place"> => {
  const { session } = about.kind;
  return {
    called: calledInProgram(about),
    place: keyOfPlace(session.place, session.stack.inProject ?? ""),
  };
};
