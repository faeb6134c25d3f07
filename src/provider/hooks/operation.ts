import { isApiError } from "../../api/errors";
import { type OperationSpec } from "../../api/operation";
import { actOnce } from "./actions";
import { formatId, type Ref, type UpdateTask } from "../describe/define-resource";
import { changedInputs, type ChangedInput } from "../state/changed-inputs";
import { formatDuration } from "../process/duration";
import { asProviderError, PartialError, ProviderError, sayingOf } from "../engine/errors";
import { inputAt, type Leaf } from "../describe/fields";
import { keptOf, MEMORY, withoutKept } from "../state/hidden";
import { WatchTimeout } from "../process/traffic";
import { isAboutInputs, REFUSAL_PAUSE_MS, REFUSALS } from "./refused-requests";
import { isForgotten } from "../state/removed-inputs";
import { mayPass, removalPauses } from "./delete-object";
import { type Row } from "../engine/row";
import { bodyFor } from "../state/request-body";
import { asOutputs, type Sent } from "../state/sent";
import { type Kind } from "../process/kind";
import { statusOf, takes } from "../describe/status";
import { type Operation } from "../describe/timeouts";
import { isObject, type Properties, same, valueAt } from "../state/values";

/** One creation, update or deletion on its way: what is known and what has been carried out so far. */
export class Work {
  readonly memory: Properties = {};
  /** What the answer to the last write said, to know its echo when it reads back. */
  #answered: Properties = {};
  #deadline: number | undefined;
  /** Whether the service has taken any of the changes. */
  #carriedOut = false;
  readonly #row: Row;
  readonly #allowed: number;

  constructor(
    readonly kind: Kind,
    readonly operation: Operation,
    readonly ref: Ref,
    readonly inputs: Properties,
    /** The object as it was read last. */
    public live: Properties,
    /** The inputs that the service has been given. */
    readonly applied: Sent,
    private readonly stored: Properties = {},
  ) {
    if (isObject(stored[MEMORY])) Object.assign(this.memory, stored[MEMORY]);
    this.#row = kind.session.rows.current;
    this.#allowed = kind.allowedTime(operation, inputs);
  }

  get attempt(): string {
    return `${this.operation} ${this.kind.nameOf(this.inputs, this.ref)}`;
  }

  /** The outputs to store, as far as the work has come. */
  outputs(more: Properties = {}): Properties {
    const shown = this.kind.outputsOf(this.live, this.ref);
    return {
      ...asOutputs(
        this.kind.leaves,
        this.applied,
        { ...shown, ...more, [MEMORY]: null },
        withoutKept(this.stored),
      ),
      ...keptOf(this.inputs),
    };
  }

  /** The outputs of a creation that is not finished: what the next `up` needs to go on with it. */
  unfinished(): Properties {
    return { ...this.outputs(), [MEMORY]: this.memory };
  }

  /**
   * Runs a step of a resource that exists: whatever fails, the state keeps it and how far it has come. An update that carried out
   * nothing leaves the state as it was.
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

  /** The inputs that still have to be carried out. What the service has anyway needs no request. */
  pending(): ChangedInput[] {
    const shown = this.kind.outputsOf(this.live, this.ref);
    return changedInputs(this.kind.leaves, this.outputs(), this.inputs).filter((change) => {
      const { leaf, value } = change;
      const live = valueAt(shown, leaf.path);
      const there = leaf.local !== true && live !== undefined && same(leaf.comparison, value, live);
      if (there) this.#apply([leaf]);
      return !there;
    });
  }

  /** Settings have nothing to carry out, and neither has what is no longer in the program and stays. */
  recordSettings(): void {
    const isGone = (leaf: Leaf) => isForgotten(leaf) && inputAt(this.inputs, leaf) === undefined;
    this.#apply(this.kind.leaves.filter((leaf) => leaf.change === "none" || isGone(leaf)));
  }

  #carryOut(leaves: readonly Leaf[]): void {
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

  /** What a description's own steps work with. */
  task(pending: readonly ChangedInput[]): UpdateTask<Properties> {
    const changed = (path: string) =>
      pending.filter(({ leaf }) => leaf.path === path || leaf.path.startsWith(`${path}.`));
    // eslint-disable-next-line @typescript-eslint/no-this-alias -- the task's `live` follows the work's
    const work = this;
    return {
      client: this.kind.session.client,
      ref: this.ref,
      inputs: this.inputs,
      memory: this.memory,
      get live() {
        return work.live;
      },
      changed: (path) => changed(path).length > 0,
      act: (path) => actOnce(this, path, () => this.#carryOut(changed(path).map(({ leaf }) => leaf))),
      done: (...paths) => this.#carryOut(paths.flatMap(changed).map(({ leaf }) => leaf)),
      write: async (op, send) => {
        const touched = new Set(pending.map(({ leaf }) => leaf.wirePath.split(".")[0]));
        const shown = this.kind.outputsOf(this.live, this.ref);
        const staying = ({ removed, path }: Leaf) =>
          removed === "stays" && this.applied.has(path) ? (valueAt(shown, path) ?? undefined) : undefined;
        const values = new Map(pending.map(({ leaf, value }): [string, unknown] => [leaf.path, value]));
        for (const leaf of this.kind.leaves) {
          const value = inputAt(this.inputs, leaf) ?? staying(leaf);
          // An object goes whole, for the service may take what it does not find for cleared.
          if (value !== undefined && touched.has(leaf.wirePath.split(".")[0])) values.set(leaf.path, value);
        }
        const { body, carried } = bodyFor(op, this.kind.leaves, values);
        if (carried.length === 0) return;
        const reply = await send(body);
        this.#answered = this.kind.outputsOf(reply, this.ref);
        this.#carryOut(carried);
        if (this.kind.description.statuses === undefined) this.live = reply;
      },
      until: (what, settled) => this.until(what, settled),
      show: (text) => this.#row.progress(text),
    };
  }

  /** Waits until what was written reads back and the object is at rest. */
  async settled(written: readonly ChangedInput[], before: Properties): Promise<void> {
    const old = this.kind.outputsOf(before, this.ref);
    let last = "";
    let unmoved = 0;
    const readsBack = (reply: Properties) => {
      const shown = this.kind.outputsOf(reply, this.ref);
      const values = written.map(({ leaf }) => valueAt(shown, leaf.path) ?? null);
      unmoved = JSON.stringify(values) === last ? unmoved + 1 : 0;
      last = JSON.stringify(values);
      // The service may keep to the old value on purpose: four equal reads say so.
      if (unmoved >= 3) return true;
      return written.every(({ leaf, value }) => {
        const now = valueAt(shown, leaf.path);
        if (now === undefined || same(leaf.comparison, now, value)) return true;
        const answer = valueAt(this.#answered, leaf.path);
        return same(leaf.comparison, now, answer) && !same(leaf.comparison, answer, valueAt(old, leaf.path));
      });
    };
    await this.until("read back as written", (reply) => !this.#busy(reply) && readsBack(reply));
  }

  /** Waits until a creation is done, or fails at once where its status says that it will not be. */
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
   * Carries a step out as soon as the service would take the operation. Where the status has moved on between the look and the request,
   * it is waited for again; it may also have moved there and back.
   */
  async whenAccepted(op: OperationSpec | undefined, step: () => Promise<unknown>): Promise<void> {
    const pauses = removalPauses(this.kind.session, this.#allowed);
    for (let refusals = 1; ;) {
      await this.#accepted(op);
      try {
        await step();
        return;
      } catch (error) {
        const isRefusedDelete = this.operation === "delete" && mayPass(error);
        if (!(isApiError(error, 400) || isRefusedDelete) || this.kind.description.statuses === undefined)
          throw error;
        const reply = await this.kind.reads.now(this.ref);
        if (reply === undefined) throw error;
        if (!this.#accepts(op, reply)) continue;
        if (isRefusedDelete && (await pauses(sayingOf(error)))) continue;
        if (isRefusedDelete) throw error;
        if (isAboutInputs(error, this.inputs) || refusals++ === REFUSALS) throw error;
        await this.kind.session.pause(REFUSAL_PAUSE_MS);
      }
    }
  }

  /** Waits until the service would take an operation. For a delete, an object that is gone is just as well. */
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
    await this.#watch(what, (reply) => reply === undefined || settled(reply));
  }

  #accepts(op: OperationSpec | undefined, reply: Properties): boolean {
    if (!takes(op, statusOf(reply))) return false;
    return op?.status?.only !== undefined || this.operation === "delete" || !this.#busy(reply);
  }

  /** Waits until the object is gone. */
  async gone(): Promise<void> {
    if (this.kind.description.statuses === undefined) return;
    await this.#watch("gone", (reply) => reply === undefined);
  }

  /** Looks at the object, and goes on looking until `settled` is true of it. */
  async until(what: string, settled: (reply: Properties) => boolean | Promise<boolean>): Promise<void> {
    if (this.kind.description.statuses === undefined && (await settled(this.live))) return;
    await this.#watch(what, (reply) => {
      if (reply === undefined)
        throw new ProviderError(`${this.attempt}: it is gone, deleted by somebody else or by the service`);
      this.live = reply;
      return settled(reply);
    });
  }

  async #watch(
    what: string,
    judge: (reply: Properties | undefined) => boolean | Promise<boolean>,
  ): Promise<void> {
    const { kind, ref } = this;
    const { session } = kind;
    const looked = async (reply: Properties | undefined) => {
      const done = await judge(reply);
      if (!done) this.#show(reply, what);
      return done;
    };
    if (await looked(await kind.reads.now(ref))) return;
    try {
      // From the first wait on: an upload before it takes as long as it takes.
      this.#deadline ??= session.clock.now() + this.#allowed;
      const left = Math.max(0, this.#deadline - session.clock.now());
      await kind.reads.watch(ref, left, looked);
    } catch (error) {
      if (!(error instanceof WatchTimeout)) throw error;
      throw new ProviderError(this.#timeoutMessage(what));
    }
  }

  #timeoutMessage(what: string): string {
    const status = statusOf(this.live);
    const next =
      this.operation === "delete"
        ? "It stays in the state; the next run tries again"
        : "It stays in the state, and the next `pulumi up` goes on waiting";
    return (
      `${this.attempt}: after ${formatDuration(this.#allowed)} it is still not ${what}` +
      `${status === "" ? "" : ` but ${status}`}. ${next}. To wait longer, set customTimeouts.${this.operation}`
    );
  }

  #show(reply: Properties | undefined, what: string): void {
    if (reply === undefined) return;
    const usual = this.operation === "create" ? this.kind.description.statuses?.usually : undefined;
    this.#row.wait(statusOf(reply), usual, this.#busy(reply) ? undefined : what);
  }

  #busy(reply: Properties): boolean {
    return this.kind.description.statuses?.busy.includes(statusOf(reply)) ?? false;
  }

  #failFast(reply: Properties): void {
    const status = statusOf(reply);
    if (!this.kind.description.statuses?.failed?.includes(status)) return;
    throw new ProviderError(
      `${this.attempt}: its status is ${status}, which does not change by itself. ` +
        "To make another one in its place, run `pulumi up --replace` with its URN",
    );
  }
}
