import { type Clock } from "../process/clock";
import { formatDuration } from "../process/duration";
import { type RowLog } from "./log";

/** Figures are refreshed after two seconds, later after a tenth of the time gone: without a terminal each message is a line that stays. */
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
  /** One message after the other: those under way at once may arrive in any order, and the last one stays. */
  #told: Promise<unknown> = Promise.resolve();

  constructor(
    /** The row is the stack's where it is left out. */
    private readonly urn: string | undefined,
    private readonly log: RowLog,
    private readonly clock: Clock,
  ) {
    this.#since = clock.now();
    this.#shownAt = this.#since;
  }

  /** Shows how far the work is. Work that is done in no time shows nothing. */
  progress(text: string): void {
    this.#progress(WORK, text);
  }

  /** Shows a wait, the usual time first, for a terminal cuts off what comes last. */
  wait(status: string, usual: string | undefined, until: string | undefined): void {
    const now = this.clock.now();
    if (status !== this.#status.text) this.#status = { text: status, since: now };
    const age = now - this.#status.since;
    const parts = [
      ...(usual === undefined ? [] : [`${usual} usually`]),
      age < 1_000 ? status : `${status} ${formatDuration(age)}`,
      ...(until === undefined ? [] : [`waiting until ${until}`]),
    ];
    this.#progress(`${status} ${until ?? ""}`, parts.join(", "));
  }

  /** Shows that the work waits for the API. */
  busy(text: string): void {
    const now = this.clock.now();
    if (now - this.#busyAt < BUSY_EVERY_MS) return;
    this.#busyAt = now;
    this.#show("busy", text);
  }

  /** Takes the last message away. Resolves when the engine has done so. */
  async clear(): Promise<void> {
    if (this.#isEmpty) return;
    this.#isEmpty = true;
    await this.#tell(() => this.log.clear(this.urn));
  }

  /** A new fact shows at once; the same one with other figures takes its time. */
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
