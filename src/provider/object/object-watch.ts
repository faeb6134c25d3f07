import { isApiError } from "../../api/errors";
import { type OperationSpec } from "../../api/operation";
import { type Operation } from "../describe/define-resource";
import { statusOf, takes } from "../describe/status";
import { ProviderError, sayingOf } from "../base/errors";
import { type Goal, Watch } from "../run/watch";
import { type Call } from "../state/call";
import { type Properties, valueAt } from "../base/values";
import { deletePauses, mayPass } from "./delete-retries";
import { isAboutInputs, REFUSAL_PAUSE_MS, REFUSALS } from "./refused-requests";
import { type ActionTarget } from "./act-once";

/** An operation on an object that is watched meanwhile. */
interface WatchedOperation extends ActionTarget {
  readonly operation: Operation;
  readonly call: Call;
  /** Its name in messages: `create Node web (12)`. */
  readonly attempt: string;
}

/** The waits of one operation on an object. They share the time that the operation is given. */
export class ObjectWatch {
  readonly #target: WatchedOperation;
  /** The time for all waits together, in milliseconds. */
  readonly allowed: number;
  readonly #watch: Watch;

  constructor(target: WatchedOperation) {
    const { kind, operation, call, ref } = target;
    this.#target = target;
    this.allowed = kind.allowedTime(operation, call);
    const reads = kind.reads.below(ref.parent);
    this.#watch = new Watch(kind, reads, ref.id, this.allowed, "with the first wait");
  }

  /** Waits until a creation is done. Fails at once if the status says that it never will be. */
  async ready(): Promise<void> {
    const { statuses } = this.#target.kind.description;
    if (statuses === undefined) return;
    const ready =
      typeof statuses.ready === "function" ? statuses.ready(this.#target.call.inputs) : statuses.ready;
    await this.until(ready.join(" or "), (reply) => {
      this.#failFast(reply);
      return ready.includes(statusOf(reply));
    });
    const { assigned = [] } = statuses;
    const hasAll = (reply: Properties) => assigned.every((path) => valueAt(reply, path) !== null);
    if (hasAll(this.#target.live)) return;
    await this.until(`given ${assigned.join(", ")}`, (reply) => {
      this.#failFast(reply);
      return hasAll(reply);
    });
  }

  /**
   * Runs a step as soon as the status allows the operation. If the service refuses it because the status changed after it was read, it waits
   * again. The status may also have changed and changed back.
   */
  async whenAccepted(op: OperationSpec | undefined, step: () => Promise<unknown>): Promise<void> {
    const { clock, description, reads } = this.#target.kind;
    const pauses = deletePauses(this.#target.kind, this.allowed);
    for (let refusals = 1; ;) {
      await this.#accepted(op);
      try {
        await step();
        return;
      } catch (error) {
        const isRefusedDelete = this.#target.operation === "delete" && mayPass(error);
        if (!(isApiError(error, 400) || isRefusedDelete) || description.statuses === undefined) throw error;
        const reply = await reads.now(this.#target.ref);
        if (reply === undefined) throw error;
        if (!this.#accepts(op, reply)) continue;
        if (isRefusedDelete && (await pauses(sayingOf(error)))) continue;
        if (isRefusedDelete) throw error;
        if (isAboutInputs(error, this.#target.call.inputs) || refusals++ === REFUSALS) throw error;
        await clock.sleep(REFUSAL_PAUSE_MS);
      }
    }
  }

  /** Waits until the status allows an operation. For a delete, it is enough that the object is gone. */
  async #accepted(op: OperationSpec | undefined): Promise<void> {
    if (this.#target.kind.description.statuses === undefined) return;
    const only = op?.status?.only;
    const settled = (reply: Properties) => {
      if (this.#accepts(op, reply)) return true;
      if (only !== undefined) this.#failFast(reply);
      return false;
    };
    const what = only?.join(" or ") ?? "at rest";
    if (this.#target.operation !== "delete") return this.until(what, settled);
    await this.#watch.until(this.#goal(what), (reply) => reply === undefined || settled(reply));
  }

  #accepts(op: OperationSpec | undefined, reply: Properties): boolean {
    const status = statusOf(reply);
    if (!takes(op, status)) return false;
    return op?.status?.only !== undefined || this.#target.operation === "delete" || !this.#isBusyIn(status);
  }

  /** When the time of the operation is up. */
  deadline(): number {
    return this.#watch.deadline();
  }

  /** Waits until the object is gone. */
  async gone(): Promise<void> {
    if (this.#target.kind.description.statuses === undefined) return;
    await this.#watch.until(this.#goal("gone"), (reply) => reply === undefined);
  }

  /** Looks at the object, and goes on looking until `settled` is true of it. */
  async until(what: string, settled: (reply: Properties) => boolean | Promise<boolean>): Promise<void> {
    if (this.#target.kind.description.statuses === undefined && (await settled(this.#target.live))) return;
    await this.#watch.until(this.#goal(what), (reply) => {
      if (reply === undefined)
        throw new ProviderError(
          `${this.#target.attempt}: it no longer exists: somebody else or the service deleted it`,
          { code: "GONE" },
        );
      this.#target.live = reply;
      return settled(reply);
    });
  }

  /** The goal of a watch of the object, in words. */
  #goal(what: string): Goal {
    const { operation, attempt, kind } = this.#target;
    const usually = operation === "create" ? kind.description.statuses?.usually : undefined;
    const next =
      operation === "delete"
        ? "It stays in the state; the next run tries again"
        : "It stays in the state, and the next `pulumi up` continues to wait";
    return {
      row: (status) => ({ status, usually, until: this.#isBusyIn(status) ? undefined : what }),
      timeUp: ({ status, allowed }) =>
        `${attempt}: after ${allowed} it is not ${what} yet${status === "" ? "" : `; its status is ${status}`}. ` +
        `${next}. To wait longer, set customTimeouts.${operation}`,
    };
  }

  /** Whether the service works on the object. */
  isBusy(reply: Properties): boolean {
    return this.#isBusyIn(statusOf(reply));
  }

  #isBusyIn(status: string): boolean {
    return this.#target.kind.description.statuses?.busy.includes(status) ?? false;
  }

  #failFast(reply: Properties): void {
    const status = statusOf(reply);
    if (!this.#target.kind.description.statuses?.failed?.includes(status)) return;
    throw new ProviderError(
      `${this.#target.attempt}: its status is ${status}, which does not change by itself. ` +
        "To replace it, run `pulumi up --replace` with its URN",
      { code: "FAILED_STATUS" },
    );
  }
}
