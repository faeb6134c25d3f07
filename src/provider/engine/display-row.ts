import { type Clock } from "../base/clock";
import { formatDuration } from "../base/duration";
import { type RowLog } from "./log";

/** Times are refreshed every two seconds, later after a tenth of the elapsed time: without a terminal each message is a permanent line. */
const EVERY_MS = 2_000;
const SHARE = 0.1;
const WORK = "work";
const BUSY_EVERY_MS = 5_000;

/** The row of one resource in the engine's display while the resource is worked on. */
export class Row {
  readonly #since: number;
  #status = { text: "", since: 0 };
  #fact = WORK;
  #shownAt: number;
  #busyAt = -Infinity;
  #isEmpty = true;
  /** Messages are sent one after the other: parallel ones could arrive in any order, and the last one stays. */
  #told: Promise<unknown> = Promise.resolve();

  constructor(
    /** If omitted, the row is that of the stack. */
    private readonly urn: string | undefined,
    private readonly log: RowLog,
    private readonly clock: Clock,
  ) {
    this.#since = clock.now();
    this.#shownAt = this.#since;
  }

  /** Shows the progress of the work. Short work shows nothing. */
  progress(text: string): void {
    this.#progress(WORK, text);
  }

  /** Shows a wait. The status and its age come first, as a terminal cuts off the end. */
  wait(status: string, usual: string | undefined, until: string | undefined): void {
    const now = this.clock.now();
    if (status !== this.#status.text) this.#status = { text: status, since: now };
    const age = now - this.#status.since;
    const of = usual === undefined ? "" : ` of ${usual}`;
    const parts = [
      age < 1_000 && of === "" ? status : `${status} ${formatDuration(age)}${of}`,
      ...(until === undefined ? [] : [`waiting until ${until}`]),
    ];
    this.#progress(`${status} ${until ?? ""}`, parts.join(", "));
  }

  /** Shows a wait for something else than the object. `fact`: the part of the text that is not a time. */
  waitFor(fact: string, text: string): void {
    this.#progress(fact, text);
  }

  /** Shows that the work waits for the API. */
  busy(text: string): void {
    const now = this.clock.now();
    if (now - this.#busyAt < BUSY_EVERY_MS) return;
    this.#busyAt = now;
    this.#show("busy", text);
  }

  /** Removes the last message. Resolves when the engine has done so. */
  async clear(): Promise<void> {
    if (this.#isEmpty) return;
    this.#isEmpty = true;
    await this.#tell(() => this.log.clear(this.urn));
  }

  /** Shows a new fact at once, and a known fact with another time after a pause. */
  #progress(fact: string, text: string): void {
    if (this.urn === undefined) return;
    const now = this.clock.now();
    const pause = Math.max(EVERY_MS, SHARE * (now - this.#since));
    if (fact !== this.#fact || now - this.#shownAt >= pause) this.#show(fact, text);
  }

  #show(fact: string, text: string): void {
    this.#fact = fact;
    this.#shownAt = this.clock.now();
    this.#isEmpty = false;
    void this.#tell(() => this.log.progress(this.urn, text));
  }

  #tell(message: () => Promise<unknown>): Promise<unknown> {
    this.#told = this.#told.then(message);
    return this.#told;
  }
}
