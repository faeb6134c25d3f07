import { type Kind } from "../process/kind";
import { type OperationSpec } from "../../api/operation";
import { formatDuration } from "../process/duration";
import { ProviderError } from "../engine/errors";
import { WatchTimeout } from "../process/traffic";
import { type Row } from "../engine/row";
import { statusOf, takes } from "../describe/status";
import { type Operation } from "../describe/timeouts";
import { type Properties } from "../state/values";

/** What is waited for, in words. */
interface Goal {
  readonly until: string;
  /** Whether the status tells it already. */
  readonly isPlain?: boolean;
  /** What becomes of it when the time is up. */
  readonly afterwards: string;
  readonly usually?: string;
}

/** Waits that look at the object above a resource, whose status decides what may be done with the resource. */
export class AboveWatch {
  readonly #row: Row;
  readonly #since: number;
  readonly #allowed: number;

  constructor(
    private readonly kind: Kind,
    private readonly id: string,
    private readonly operation: Operation,
    private readonly attempt: string,
    inputs: Properties,
  ) {
    this.#row = kind.session.rows.current;
    this.#since = kind.session.clock.now();
    this.#allowed = kind.allowedTime(operation, inputs);
  }

  /** Whether the service would take an operation now. */
  async takes(op: OperationSpec | undefined): Promise<boolean> {
    const reply = await this.kind.reads.parentNow(this.id);
    return reply !== undefined && takes(op, statusOf(reply));
  }

  /** Waits until the service would take an operation. */
  async accepted(op: OperationSpec | undefined, afterwards: string): Promise<void> {
    if (op?.status === undefined) return;
    const { only, not = [] } = op.status;
    const until = `the ${this.kind.parentName} is ${only?.join(" or ") ?? `no longer ${not.join(" or ")}`}`;
    await this.until({ until, isPlain: true, afterwards }, (status) => {
      if (takes(op, status)) return true;
      if (!this.kind.above?.failed.includes(status)) return false;
      throw new ProviderError(
        `${this.attempt}: the ${this.kind.parentName} is ${status}, which does not change by itself`,
      );
    });
  }

  /** Looks at the object above, and goes on looking until `settled` is true of its status. */
  async until(goal: Goal, settled: (status: string) => boolean | Promise<boolean>): Promise<void> {
    const { kind, id } = this;
    const { session } = kind;
    let last = "";
    const judge = async (reply: Properties | undefined) => {
      if (reply === undefined) {
        throw new ProviderError(`${this.attempt}: there is no ${this.kind.parentName} with the id ${id}`);
      }
      last = statusOf(reply);
      const done = await settled(last);
      if (!done) this.#show(last, goal);
      return done;
    };
    if (await judge(await kind.reads.parentNow(id))) return;
    try {
      const left = Math.max(0, this.#since + this.#allowed - session.clock.now());
      await kind.reads.watchParent(id, left, judge);
    } catch (error) {
      if (!(error instanceof WatchTimeout)) throw error;
      throw new ProviderError(
        `${this.attempt}: after ${formatDuration(this.#allowed)} it still waits until ${goal.until}, ` +
          `and the ${this.kind.parentName} is ${last}. ${goal.afterwards}. To wait longer, set customTimeouts.${this.operation}`,
      );
    }
  }

  #show(status: string, { until, isPlain = false, usually }: Goal): void {
    this.#row.wait(`${this.kind.parentName} ${status}`, usually, isPlain ? undefined : until);
  }
}
