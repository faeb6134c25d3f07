import { sayingOf, ProviderError } from "../base/errors";
import { statusOf } from "../describe/status";
import { onlyLooks } from "../engine/command-line";
import { type CutOff } from "../engine/stack-state";
import { note } from "../kind/warnings";
import { type ServedKind } from "../kind/kind";
import { cutOffKey } from "../notes/cut-off-notes";
import { moveOf } from "../object/account-of-object";
import { objectOf } from "../object/guard";
import { type State } from "../state/call";
import { type Calls, type Difference, type ReadResult, type StateCall } from "../state/provider-interface";

type Read = () => Promise<ReadResult | undefined>;
type Compare = (call: StateCall) => Difference | Promise<Difference>;

/**
 * Compares resources that an interrupted run was updating or deleting. Their objects may differ from the state, so "unchanged" is said only after a read, as
 * a refresh does it.
 */
export class AfterCutOff {
  /** The objects that a refresh of this run has read. */
  readonly #refreshed = new Set<string>();
  /** The object as it was read for a comparison, by which the update is done too. */
  readonly #found = new Map<string, State>();

  constructor(private readonly kind: ServedKind) {}

  /** A refresh that a user asks for settles what an interrupted run has left. */
  async hasRefreshed(call: StateCall): Promise<void> {
    this.#refreshed.add(call.id);
    if (this.kind.run.cutOff.has(this.#keyOf(call)) && !onlyLooks()) await this.settles(call);
  }

  /** The call with the state that was read, for an update of what differs. */
  asFound<Given extends Calls["update"]>(call: Given): Given {
    const state = this.#found.get(call.id);
    return state === undefined ? call : { ...call, state: { ...call.state, ...state } };
  }

  async compare(call: StateCall, read: Read, compare: Compare): Promise<Difference> {
    const operation = await this.#operationOf(call);
    if (operation === undefined) return compare(call);
    const found = await this.#look(call, operation, read);
    if (typeof found === "string") {
      const difference = await compare(call);
      // A replacement goes on, whatever was left of the old object.
      if (difference.replaces.length > 0) return difference;
      throw this.#refusal(call, operation, found);
    }
    const now = { ...call, state: { ...call.state, ...found } };
    const difference = await compare(now);
    // The object may have what the program wants, and the state not yet.
    if (!difference.changes) {
      const then = await compare(call);
      if (!then.changes) this.kind.run.cutOff.forget(this.#keyOf(call));
      return then;
    }
    this.#found.set(call.id, found);
    if (difference.replaces.length === 0)
      note(
        { kind: this.kind, call, id: call.id },
        `an interrupted run was ${operation} it, so it was read and compared with the program`,
      );
    return difference;
  }

  /** The state has all that an operation of this run has done: nothing is left of the interrupted one. */
  async settles(call: StateCall): Promise<void> {
    const { cutOff } = this.kind.run;
    const key = this.#keyOf(call);
    if (cutOff.has(key) && (await this.kind.screen.log.engineIsAlive())) cutOff.forget(key);
  }

  async #operationOf(call: StateCall): Promise<CutOff | undefined> {
    if (!call.state.isManaged || moveOf(this.kind, call) !== undefined) return undefined;
    // Asked in any case: later calls ask for the answer under the name of the resource.
    const operation = await this.#inState(call);
    if (this.#refreshed.has(call.id)) return undefined;
    const { run, clock } = this.kind;
    const key = this.#keyOf(call);
    return operation ?? (run.cutOff.has(key) ? run.cutOff.recall(key, clock.now())?.operation : undefined);
  }

  async #inState(call: StateCall): Promise<CutOff | undefined> {
    const { known, run } = this.kind;
    if (!run.mayBeCutOff && !run.cutOff.has(this.#keyOf(call))) return undefined;
    for (const operation of ["deleting", "updating"] as const)
      if (await known.wasCutOff(operation, call, "check", objectOf(call))) return operation;
    return undefined;
  }

  #keyOf(call: StateCall): string {
    const { run, type } = this.kind;
    return cutOffKey(run.place, type, objectOf(call));
  }

  /** The state as a refresh makes it, or why there is none. */
  async #look({ id, state }: StateCall, operation: CutOff, read: Read): Promise<State | string> {
    const { known } = this.kind;
    try {
      const found = await read();
      if (found === undefined) return "it no longer exists";
      // The service may still carry out the deletion.
      const status = statusOf(found.state.outputs);
      const isGoing = operation === "deleting" && status !== statusOf(state.outputs);
      if (isGoing) return `its status is ${status}, so it may be gone soon`;
      // A refresh that the user asks for settles it, and not this one.
      return { ...found.state, isDoubtful: state.isDoubtful };
    } catch (error) {
      return `it cannot be read: ${sayingOf(error)}`;
    } finally {
      // The engine has not asked for this read, so nothing leaves the state by it.
      known.isRefreshing(id);
      known.denied.delete(id);
    }
  }

  #refusal({ id, inputs }: StateCall, operation: CutOff, why: string): ProviderError {
    const { kind } = this;
    return new ProviderError(
      `update ${kind.nameOf(inputs, kind.parseId(id))}: an interrupted run was ${operation} it, and ${why}. Run \`pulumi up --refresh\``,
      { code: "INTERRUPTED" },
    );
  }
}
