import { isDeepStrictEqual } from "node:util";
import { asProviderError, ProviderError } from "../base/errors";
import { note } from "../kind/warnings";
import { type ServedKind } from "../kind/kind";
import { type Call, type State, whoIs } from "../state/call";
import { outputsOfState, stateIn } from "../state/codec";
import { PartialError } from "../state/partial-error";
import { type Created, type StateCall } from "../state/provider-interface";

/** A creation or an update that has failed half-way. */
interface Left {
  readonly call: Call & { readonly state?: State };
  readonly failure: PartialError;
}

type Update = (call: StateCall) => State | Promise<State>;

/**
 * If the program has an error hook, the engine repeats a creation or an update that has failed half-way, in the same run and with the state before it. Such a repetition goes on
 * with what the first try has left, as the next run would: nothing is created or carried out twice.
 */
export class Repeats {
  readonly #left = new Map<string, Left>();

  constructor(private readonly kind: ServedKind) {}

  create(call: Call, create: () => Created | Promise<Created>, update: Update): Created | Promise<Created> {
    const left = this.#leftBy(call);
    const made = left === undefined ? create() : this.#continued(call, left, create, update);
    return this.#remembering(call, made);
  }

  update(call: StateCall, update: Update): Promise<State> {
    const left = this.#leftBy(call);
    const again = left === undefined ? call : { ...call, state: this.#stateOf(left, call) };
    return this.#remembering(
      call,
      Promise.resolve(update(again)).catch((error: unknown) => {
        throw left === undefined ? error : this.#stillLeft(left, error);
      }),
    );
  }

  async #continued(
    call: Call,
    left: Left,
    create: () => Created | Promise<Created>,
    update: Update,
  ): Promise<Created> {
    const { id } = left.failure;
    note({ kind: this.kind, call, id }, "its creation is repeated, and goes on with what there is");
    try {
      return { id, state: await update({ ...call, id, state: this.#stateOf(left, call) }) };
    } catch (error) {
      // The hook may have removed it.
      if (error instanceof ProviderError && error.code === "GONE") return create();
      throw this.#stillLeft(left, error);
    }
  }

  #leftBy(call: Left["call"]): Left | undefined {
    const left = this.#left.get(whoIs(call));
    if (left === undefined) return undefined;
    const isSame = isDeepStrictEqual(asked(left.call), asked(call));
    return isSame ? left : undefined;
  }

  /** The state that the failed try has left, as the engine would hand it over. */
  #stateOf({ failure: { state } }: Left, call: Left["call"]): State {
    return stateIn(outputsOfState(state, this.kind.account.at), call);
  }

  /** The failure of a repetition. The resource stays in the state. */
  #stillLeft({ call, failure: { id, state } }: Left, error: unknown): PartialError {
    if (error instanceof PartialError) return error;
    const attempt = `${call.state === undefined ? "create" : "update"} ${this.kind.nameOf(call.inputs)}`;
    return new PartialError(id, state, asProviderError(error, attempt));
  }

  #remembering<Answer>(call: Left["call"], answer: Answer | Promise<Answer>): Promise<Answer> {
    return Promise.resolve(answer).then(
      (found) => {
        this.#left.delete(whoIs(call));
        return found;
      },
      (error: unknown) => {
        if (error instanceof PartialError) this.#left.set(whoIs(call), { call, failure: error });
        throw error;
      },
    );
  }
}

const asked = ({ inputs, state }: Left["call"]) => ({ inputs, state });
