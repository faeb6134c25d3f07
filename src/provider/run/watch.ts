import { statusOf } from "../describe/status";
import { ProviderError } from "../base/errors";
import { type Row } from "../engine/display-row";
import { type Properties } from "../base/values";
import { formatDuration } from "../base/duration";
import { type Ports } from "./session";
import { type IsSettled, type Reads, WatchTimeout } from "./traffic";

/** The goal of a watch, in words. */
export interface Goal {
  /** The content of the row while the object has a status. */
  row(status: string): {
    readonly status: string;
    readonly usually?: string | undefined;
    /** The goal of the wait, if the status does not say it. */
    readonly until?: string | undefined;
  };
  /** The text of the error when the time is up. */
  timeUp(last: { readonly status: string; readonly allowed: string }): string;
}

/** Watches one object during one operation. All waits of the operation share its time. */
export class Watch {
  readonly #row: Row;
  #deadline: number | undefined;

  constructor(
    private readonly ports: Pick<Ports, "screen" | "clock">,
    private readonly reads: Pick<Reads<Properties>, "now" | "watch">,
    private readonly id: string,
    private readonly allowedMs: number,
    /** When the time begins. With the first wait, steps before it do not count: an upload may take long. */
    begins: "now" | "with the first wait",
  ) {
    this.#row = ports.screen.rows.current;
    if (begins === "now") this.#deadline = ports.clock.now() + allowedMs;
  }

  /** Looks at the object, and goes on looking until `judge` says true. */
  async until(goal: Goal, judge: IsSettled<Properties>): Promise<void> {
    const { clock } = this.ports;
    let last = "";
    const look: IsSettled<Properties> = async (reply) => {
      if (reply !== undefined) last = statusOf(reply);
      const isDone = await judge(reply);
      if (!isDone && reply !== undefined) this.#show(goal, statusOf(reply));
      return isDone;
    };
    if (await look(await this.reads.now(this.id))) return;
    const deadline = this.deadline();
    try {
      await this.reads.watch(this.id, Math.max(0, deadline - clock.now()), look);
    } catch (error) {
      if (!(error instanceof WatchTimeout)) throw error;
      throw new ProviderError(goal.timeUp({ status: last, allowed: formatDuration(this.allowedMs) }), {
        code: "WAIT_TIMED_OUT",
      });
    }
  }

  /** When the time is up. It begins now if it has not begun. */
  deadline(): number {
    return (this.#deadline ??= this.ports.clock.now() + this.allowedMs);
  }

  #show(goal: Goal, status: string): void {
    const row = goal.row(status);
    this.#row.wait(row.status, row.usually, row.until);
  }
}

/** How `pollUntil` looks. */
interface Polling {
  /** The time of the last look, in milliseconds since the epoch. */
  readonly until: number;
  readonly pauseMs: number | (() => number);
  /** The text of the row during the pauses. */
  readonly row?: string | (() => string);
  /** Whether the first look is done already. */
  readonly isLooked?: boolean;
}

/** Looks again and again until a look finds something. Undefined if the time is up. */
export async function pollUntil<Found>(
  { screen, clock }: Pick<Ports, "screen" | "clock">,
  { until, pauseMs, row, isLooked = false }: Polling,
  look: () => Promise<Found | undefined> | Found | undefined,
): Promise<Found | undefined> {
  const shown = screen.rows.current;
  for (let isDue = !isLooked; ; isDue = true) {
    const found = isDue ? await look() : undefined;
    if (found !== undefined || clock.now() >= until) return found;
    if (row !== undefined) shown.progress(typeof row === "string" ? row : row());
    await clock.sleep(typeof pauseMs === "number" ? pauseMs : pauseMs());
  }
}
