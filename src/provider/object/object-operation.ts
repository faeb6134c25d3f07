import { formatId, type Ref, type Operation } from "../describe/define-resource";
import { inputAt, type Leaf } from "../describe/fields";
import { asProviderError } from "../base/errors";
import { PartialError } from "../state/partial-error";
import { type ObjectKind } from "../kind/kind";
import { lacksOwnerTag } from "../run/owner-tags";
import { changedInputs, type ChangedInput } from "../state/update-or-replace";
import { type Call, type Sent, type State } from "../state/call";
import { isForgotten } from "../state/removed-inputs";
import { asLastWritten, driftedIn } from "../state/drift";
import { asStored } from "../state/sent";
import { type Properties, same, valueAt } from "../base/values";
import { ObjectWatch } from "./object-watch";
import { type UpdateTarget } from "./update-task";

type Stored = Pick<State, "outputs" | "memory" | "isAdopted" | "begun">;

/** The known facts about an object when an operation on it begins. */
interface Begun {
  readonly ref: Ref;
  readonly call: Call;
  /** The object as it was read last. */
  readonly live: Properties;
  /** The inputs that the service has been given. */
  readonly applied: Sent;
  /** The values that the state has. */
  readonly stored?: Stored;
}

/** A running creation, update or deletion of an object: what is known and what has been carried out so far. */
export class ObjectOperation implements UpdateTarget {
  readonly ref: Ref;
  readonly call: Call;
  readonly applied: Sent;
  readonly memory: Properties = {};
  live: Properties;
  /** The answer to the last write, to recognise its values when they are read back. */
  #answered: Properties = {};
  /** Whether the service has taken any of the changes. */
  #carriedOut = false;
  readonly #stored: Stored;
  /** The inputs that were changed outside Pulumi before an update, and that the update does not write. */
  readonly #drifted: Set<Leaf>;
  readonly watch: ObjectWatch;

  constructor(
    readonly kind: ObjectKind,
    readonly operation: Operation,
    { ref, call, live, applied, stored = { outputs: {} } }: Begun,
  ) {
    this.ref = ref;
    this.call = call;
    this.live = live;
    this.applied = applied;
    this.#stored = stored;
    const { outputs } = stored;
    const found = { sent: applied, outputs };
    const drifted = operation === "update" ? driftedIn(kind.leaves, found, this.#shown(live)) : [];
    this.#drifted = new Set(drifted.filter(({ path }) => !this.begun.has(path)));
    Object.assign(this.memory, stored.memory);
    this.watch = new ObjectWatch(this);
  }

  get inputs(): Properties {
    return this.call.inputs;
  }

  /** The inputs that a failed update has sent and that were not seen at the object. */
  get begun(): ReadonlySet<string> {
    return this.#stored.begun ?? new Set();
  }

  get isAdopted(): boolean {
    return this.#stored.isAdopted === true;
  }

  get attempt(): string {
    return `${this.operation} ${this.kind.nameOf(this.inputs, this.ref)}`;
  }

  /** The state to store at this point of the operation. */
  state(more: Properties = {}): State {
    const state = this.#found(more);
    return { ...state, outputs: asLastWritten(state.outputs, this.#drifted, this.#stored.outputs) };
  }

  /** The object as it is, and what has been sent. */
  #found(more: Properties = {}): State {
    const shown = { ...this.#shown(this.live), ...more };
    const { isAdopted } = this;
    return { ...asStored(this.kind.leaves, this.applied, shown, this.#stored.outputs), isAdopted };
  }

  /**
   * Runs a step on an object that exists. If it fails, the state keeps the object and what has been carried out. An update that carried out
   * nothing leaves the state unchanged.
   */
  async keeping<Result>(what: "creation" | "changes", step: () => Promise<Result>): Promise<Result> {
    const unfinished = what === "creation";
    try {
      return await step();
    } catch (error) {
      if (this.operation === "update" && !unfinished && !this.#carriedOut) throw error;
      // The next `up` needs the memory to continue an unfinished creation.
      const state = { ...this.state(), ...(unfinished ? { memory: this.memory } : { isUnfinished: true }) };
      throw new PartialError(formatId(this.ref), state, asProviderError(error, this.attempt));
    }
  }

  /** The inputs that differ from what was sent. */
  wanted(): ChangedInput[] {
    return changedInputs(this.kind.leaves, { ...this.#found(), begun: this.begun }, this.call);
  }

  /**
   * The inputs that still have to be carried out. A value that the object already has needs no request. So an update whose answer was
   * lost is not sent again: the next run reads the object first.
   */
  pending(): ChangedInput[] {
    const shown = this.#shown(this.live);
    const changed = this.wanted().filter((change) => {
      const { leaf, value, isRespelt } = change;
      const live = valueAt(shown, leaf.path);
      const there =
        isRespelt || (leaf.notSent !== true && live !== undefined && same(leaf.comparison, value, live));
      if (there) this.#apply([leaf]);
      return !there;
    });
    const tags = this.kind.leaves.find(({ path }) => path === "tags");
    const isTagged = tags === undefined || changed.some(({ leaf }) => leaf === tags);
    if (isTagged || this.operation !== "create" || !lacksOwnerTag(this.kind.run, this.live)) return changed;
    const surely = { isCertain: true, isAsked: false, isRespelt: false, isThere: false };
    return [...changed, { leaf: tags, change: "update", value: shown["tags"] ?? [], ...surely }];
  }

  /** Counts an input as not sent. */
  withdraw(path: string): void {
    this.applied.delete(path);
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
      this.#drifted.delete(leaf);
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
    await this.until("read back as written", (reply) => !this.watch.isBusy(reply) && readsBack(reply));
  }

  /** Looks at the object, and goes on looking until `settled` is true of it. */
  until(what: string, settled: (reply: Properties) => boolean | Promise<boolean>): Promise<void> {
    return this.watch.until(what, settled);
  }
}
