import { type Operation } from "../describe/define-resource";
import { type OperationSpec } from "../../api/operation";
import { statusOf, takes } from "../describe/status";
import { ProviderError } from "../base/errors";
import { type ObjectKind } from "../kind/kind";
import { Watch } from "../run/watch";
import { type Told } from "../state/call";

/** The goal of a wait, in words. */
interface ParentGoal {
  readonly until: string;
  /** Whether the status tells it already. */
  readonly isPlain?: boolean;
  /** Says what becomes of the resource when the time is up. */
  readonly afterwards: string;
  readonly usually?: string;
}

/** Waits for the parent of a resource, whose status decides what may be done with the resource. */
export class ParentWatch {
  readonly #watch: Watch;

  constructor(
    private readonly kind: ObjectKind,
    private readonly id: string,
    private readonly operation: Operation,
    private readonly attempt: string,
    told: Told,
  ) {
    const { reads } = kind;
    this.#watch = new Watch(kind, reads.parents, id, kind.allowedTime(operation, told), "now");
  }

  /** Whether the status allows an operation now. */
  async takes(op: OperationSpec | undefined): Promise<boolean> {
    const reply = await this.kind.reads.parents.now(this.id);
    return reply !== undefined && takes(op, statusOf(reply));
  }

  /** Waits until the status allows an operation. */
  async accepted(op: OperationSpec | undefined, afterwards: string): Promise<void> {
    if (op?.status === undefined) return;
    const { parentName } = this.kind;
    const { only, not = [] } = op.status;
    const until = `the ${parentName} is ${only?.join(" or ") ?? `no longer ${not.join(" or ")}`}`;
    await this.until({ until, isPlain: true, afterwards }, (status) => {
      if (takes(op, status)) return true;
      if (this.kind.description.parent?.statuses?.failed.includes(status) !== true) return false;
      throw new ProviderError(
        `${this.attempt}: the ${parentName} is ${status}, which does not change by itself`,
        { code: "FAILED_STATUS" },
      );
    });
  }

  /** Looks at the parent, and goes on looking until `settled` is true of its status. */
  async until(goal: ParentGoal, settled: (status: string) => boolean | Promise<boolean>): Promise<void> {
    const { kind, attempt, operation } = this;
    const { until, isPlain = false, usually, afterwards } = goal;
    const name = kind.parentName;
    await this.#watch.until(
      {
        row: (status) => ({ status: `${name} ${status}`, usually, until: isPlain ? undefined : until }),
        timeUp: ({ status, allowed }) =>
          `${attempt}: after ${allowed} it is still waiting until ${until}; ` +
          `the ${name} is ${status}. ${afterwards}. To wait longer, set customTimeouts.${operation}`,
      },
      (reply) => {
        if (reply === undefined)
          throw new ProviderError(`${attempt}: there is no ${name} with the id ${this.id}`, { code: "GONE" });
        return settled(statusOf(reply));
      },
    );
  }
}
