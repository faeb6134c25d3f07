import { type Description } from "./define";
import { type Creation, creationKey, fixedIn, formerKey, isOther, notedOf } from "./journal";
import { type Stamp } from "./notes";
import { forget, isElsewhere } from "./recall";
import { type Session } from "./session";
import { type Properties } from "./values";

/** How long an orphan of a killed command may take: as long as its last request, and some. */
const ORPHAN_MS = 90_000;
const LOOK_MS = 1_000;

/** The note of the creation of one resource. */
export class CreationNote {
  readonly #key: string;
  readonly #former: string;

  constructor(
    private readonly session: Session,
    private readonly description: Description,
    private readonly inputs: Properties,
  ) {
    this.#key = creationKey(description, session.place, inputs);
    this.#former = formerKey(description, session.baseUrl, inputs);
  }

  /** What is noted, whoever noted it. */
  recall(): (Creation & Stamp) | undefined {
    const { journal, clock } = this.session;
    return journal.recall(this.#key, clock.now()) ?? journal.recall(this.#former, clock.now());
  }

  /** Whether a note is of a run that may still go on, and not of this one. */
  isElsewhere(noted: Stamp): boolean {
    return isElsewhere(noted, this.session.clock.now());
  }

  /** Whether a note is about something that these inputs do not ask for. */
  isOther(noted: Creation): boolean {
    return isOther(noted, fixedIn(this.description, this.inputs));
  }

  /** Notes that the object is asked for. It comes before the request: a run that is cut off in it must be known to have asked. */
  asked(before: readonly string[], accepted = false): void {
    this.#write({ before, accepted });
  }

  made(id: string): void {
    this.#write({ id });
  }

  forget(): void {
    forget(this.session, this.#key, this.#former);
  }

  /**
   * Waits while another run is at it. The engine lets no two runs change a stack at a time, so that can only be the plugin of a command that was
   * killed, which ends soon.
   */
  async free(): Promise<void> {
    const { clock, rows } = this.session;
    const row = rows.current;
    const deadline = clock.now() + ORPHAN_MS;
    for (let noted = this.recall(); noted?.run !== undefined; noted = this.recall()) {
      if (!this.isElsewhere(noted) || clock.now() >= deadline) return;
      row.progress(`waiting for the end of process ${noted.run.pid}, which a killed command has left`);
      await clock.sleep(LOOK_MS, new AbortController().signal);
    }
  }

  #write(what: { readonly id: string } | { readonly before: readonly string[]; readonly accepted: boolean }) {
    const { session, description, inputs } = this;
    session.journal.note(this.#key, { ...what, ...notedOf(description, inputs) }, session.clock.now());
  }
}
