import { isApiError } from "../../api/errors";
import { type OperationSpec } from "../../api/operation";
import { formatId, type Ref } from "../describe/define-resource";
import { inputAt, type Leaf } from "../describe/fields";
import { statusOf, takes } from "../describe/status";
import { type Operation } from "../describe/timeouts";
import { asProviderError, PartialError, ProviderError, sayingOf } from "../engine/errors";
import { type Kind } from "../process/kind";
import { type Goal, type Judge, Watch } from "../process/watch";
import { changedInputs, type ChangedInput } from "../state/changed-inputs";
import { keptOf, MEMORY, withoutKept } from "../state/hidden";
import { isForgotten } from "../state/removed-inputs";
import { asOutputs, type Sent } from "../state/sent";
import { isObject, type Properties, same, valueAt } from "../state/values";
import { mayPass, deletePauses } from "./delete-retries";
import { isAboutInputs, REFUSAL_PAUSE_MS, REFUSALS } from "./refused-requests";
import { type UpdateTarget } from "./update-task";

/** What is known of an object when an operation on it begins. */
interface Begun {
  readonly ref: Ref;
  readonly inputs: Properties;
  /** The object as it was read last. */
  readonly live: Properties;
  /** The inputs that the service has been given. */
  readonly applied: Sent;
  /** What the state has. */
  readonly stored?: Properties;
}

/** A running creation, update or deletion of an object: what is known and what has been carried out so far. */
export class ObjectOperation implements UpdateTarget {
  readonly ref: Ref;
  readonly inputs: Properties;
  readonly applied: Sent;
  readonly memory: Properties = {};
  live: Properties;
  /** The answer to the last write, to recognise its values when they are read back. */
  #answered: Properties = {};
  /** Whether the service has taken any of the changes. */
  #carriedOut = false;
  readonly #stored: Properties;
  readonly #allowed: number;
  readonly #watch: Watch;

  constructor(
    readonly kind: Kind,
    readonly operation: Operation,
    { ref, inputs, live, applied, stored = {} }: Begun,
  ) {
    this.ref = ref;
    this.inputs = inputs;
    this.live = live;
    this.applied = applied;
    this.#stored = stored;
    if (isObject(stored[MEMORY])) Object.assign(this.memory, stored[MEMORY]);
    this.#allowed = kind.allowedTime(operation, inputs);
    const watched = {
      now: () => kind.reads.now(ref),
      watch: (timeoutMs: number, judge: Judge) => kind.reads.watch(ref, timeoutMs, judge),
    };
    this.#watch = new Watch(kind.session, watched, this.#allowed, "with the first wait");
  }

  get attempt(): string {
    return `${this.operation} ${this.kind.nameOf(this.inputs, this.ref)}`;
  }

  /** The outputs to store, as far as the operation has come. */
  outputs(more: Properties = {}): Properties {
    const shown = { ...this.#shown(this.live), ...more, [MEMORY]: null };
    return {
      ...asOutputs(this.kind.leaves, this.applied, shown, withoutKept(this.#stored)),
      ...keptOf(this.inputs),
    };
  }

  /** The outputs of an unfinished creation, with what the next `up` needs to continue it. */
  unfinished(): Properties {
    return { ...this.outputs(), [MEMORY]: this.memory };
  }

  /**
   * Runs a step on an object that exists. If it fails, the state keeps the object and what has been carried out. An update that carried out
   * nothing leaves the state unchanged.
   */
  async keeping<Result>(unfinished: boolean, step: () => Promise<Result>): Promise<Result> {
    try {
      return await step();
    } catch (error) {
      if (this.operation === "update" && !unfinished && !this.#carriedOut) throw error;
      const properties = unfinished ? this.unfinished() : this.outputs();
      throw new PartialError(formatId(this.ref), properties, asProviderError(error, this.attempt));
    }
  }

  /** The inputs that still have to be carried out. A value that the object already has needs no request. */
  pending(): ChangedInput[] {
    const shown = this.#shown(this.live);
    return changedInputs(this.kind.leaves, this.outputs(), this.inputs).filter((change) => {
      const { leaf, value } = change;
      const live = valueAt(shown, leaf.path);
      const there = leaf.local !== true && live !== undefined && same(leaf.comparison, value, live);
      if (there) this.#apply([leaf]);
      return !there;
    });
  }

  /** Records inputs that need no request: settings, and removed inputs whose values stay. */
  recordSettings(): void {
    const isGone = (leaf: Leaf) => isForgotten(leaf) && inputAt(this.inputs, leaf) === undefined;
    this.#apply(this.kind.leaves.filter((leaf) => leaf.change === "none" || isGone(leaf)));
  }

  carriedOut(leaves: readonly Leaf[], reply?: Properties): void {
    if (reply !== undefined) {
      this.#answered = this.#shown(reply);
      if (this.kind.description.statuses === undefined) this.live = reply;
    }
    this.#carriedOut ||= leaves.length > 0;
    this.#apply(leaves);
  }

  #apply(leaves: readonly Leaf[]): void {
    for (const leaf of leaves) {
      const value = inputAt(this.inputs, leaf);
      if (value === undefined) this.applied.delete(leaf.path);
      else this.applied.set(leaf.path, value);
    }
  }

  #shown(reply: Properties): Properties {
    return this.kind.outputsOf(reply, this.ref);
  }

  /** Waits until the written values are read back and the object is not busy. */
  async settled(written: readonly ChangedInput[], before: Properties): Promise<void> {
    const old = this.#shown(before);
    let last = "";
    let unmoved = 0;
    const readsBack = (reply: Properties) => {
      const shown = this.#shown(reply);
      const values = written.map(({ leaf }) => valueAt(shown, leaf.path) ?? null);
      unmoved = JSON.stringify(values) === last ? unmoved + 1 : 0;
      last = JSON.stringify(values);
      // The service may keep the old value on purpose. Four equal reads show that.
      if (unmoved >= 3) return true;
      return written.every(({ leaf, value }) => {
        const now = valueAt(shown, leaf.path);
        if (now === undefined || same(leaf.comparison, now, value)) return true;
        const answer = valueAt(this.#answered, leaf.path);
        return same(leaf.comparison, now, answer) && !same(leaf.comparison, answer, valueAt(old, leaf.path));
      });
    };
    await this.until("read back as written", (reply) => !this.#busy(statusOf(reply)) && readsBack(reply));
  }

  /** Waits until a creation is done. Fails at once if the status says that it never will be. */
  async ready(): Promise<void> {
    const { statuses } = this.kind.description;
    if (statuses === undefined) return;
    const ready = typeof statuses.ready === "function" ? statuses.ready(this.inputs) : statuses.ready;
    await this.until(ready.join(" or "), (reply) => {
      this.#failFast(reply);
      return ready.includes(statusOf(reply));
    });
    const { assigned = [] } = statuses;
    const hasAll = (reply: Properties) => assigned.every((path) => valueAt(reply, path) !== null);
    if (hasAll(this.live)) return;
    await this.until(`there with ${assigned.join(", ")}`, (reply) => {
      this.#failFast(reply);
      return hasAll(reply);
    });
  }

  /**
   * Runs a step as soon as the status allows the operation. If the service refuses it because the status changed after it was read, it waits
   * again. The status may also have changed and changed back.
   */
  async whenAccepted(op: OperationSpec | undefined, step: () => Promise<unknown>): Promise<void> {
    const { session, description, reads } = this.kind;
    const pauses = deletePauses(session, this.#allowed);
    for (let refusals = 1; ;) {
      await this.#accepted(op);
      try {
        await step();
        return;
      } catch (error) {
        const isRefusedDelete = this.operation === "delete" && mayPass(error);
        if (!(isApiError(error, 400) || isRefusedDelete) || description.statuses === undefined) throw error;
        const reply = await reads.now(this.ref);
        if (reply === undefined) throw error;
        if (!this.#accepts(op, reply)) continue;
        if (isRefusedDelete && (await pauses(sayingOf(error)))) continue;
        if (isRefusedDelete) throw error;
        if (isAboutInputs(error, this.inputs) || refusals++ === REFUSALS) throw error;
        await session.pause(REFUSAL_PAUSE_MS);
      }
    }
  }

  /** Waits until the status allows an operation. For a delete, it is enough that the object is gone. */
  async #accepted(op: OperationSpec | undefined): Promise<void> {
    if (this.kind.description.statuses === undefined) return;
    const only = op?.status?.only;
    const settled = (reply: Properties) => {
      if (this.#accepts(op, reply)) return true;
      if (only !== undefined) this.#failFast(reply);
      return false;
    };
    const what = only?.join(" or ") ?? "at rest";
    if (this.operation !== "delete") return this.until(what, settled);
    await this.#watch.until(this.#goal(what), (reply) => reply === undefined || settled(reply));
  }

  #accepts(op: OperationSpec | undefined, reply: Properties): boolean {
    const status = statusOf(reply);
    if (!takes(op, status)) return false;
    return op?.status?.only !== undefined || this.operation === "delete" || !this.#busy(status);
  }

  /** Waits until the object is gone. */
  async gone(): Promise<void> {
    if (this.kind.description.statuses === undefined) return;
    await this.#watch.until(this.#goal("gone"), (reply) => reply === undefined);
  }

  /** Looks at the object, and goes on looking until `settled` is true of it. */
  async until(what: string, settled: (reply: Properties) => boolean | Promise<boolean>): Promise<void> {
    if (this.kind.description.statuses === undefined && (await settled(this.live))) return;
    await this.#watch.until(this.#goal(what), (reply) => {
      if (reply === undefined)
        throw new ProviderError(
          `${this.attempt}: it no longer exists: somebody else or the service deleted it`,
        );
      this.live = reply;
      return settled(reply);
    });
  }

  /** What a watch says of the object. */
  #goal(what: string): Goal {
    const { operation, attempt, kind } = this;
    const usually = operation === "create" ? kind.description.statuses?.usually : undefined;
    const next =
      operation === "delete"
        ? "It stays in the state; the next run tries again"
        : "It stays in the state, and the next `pulumi up` continues to wait";
    return {
      row: (status) => ({ status, usually, until: this.#busy(status) ? undefined : what }),
      timeUp: ({ status, allowed }) =>
        `${attempt}: after ${allowed} it is not ${what} yet${status === "" ? "" : `; its status is ${status}`}. ` +
        `${next}. To wait longer, set customTimeouts.${operation}`,
    };
  }

  #busy(status: string): boolean {
    return this.kind.description.statuses?.busy.includes(status) ?? false;
  }

  #failFast(reply: Properties): void {
    const status = statusOf(reply);
    if (!this.kind.description.statuses?.failed?.includes(status)) return;
    throw new ProviderError(
      `${this.attempt}: its status is ${status}, which does not change by itself. ` +
        "To replace it, run `pulumi up --replace` with its URN",
    );
  }
}
