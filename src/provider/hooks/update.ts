import { type StateCall } from "../state/provider-interface";
import { withHolder } from "../ownership/unique-names";
import { forgetKnownActions, refusalAfterCutOff } from "../object/act-once";
import { applyChanges, completeCreation } from "../object/apply-changes";
import { gone, lookUp } from "../object/look-up";
import { ObjectOperation } from "../object/object-operation";
import { type ObjectKind } from "../kind/kind";
import { type State } from "../state/call";
import { effectsOf } from "../state/describe-changes";
import { changedInputs } from "../state/update-or-replace";
import { refuseDenied } from "../object/guard";
import { isInterrupted } from "../object/readiness";
import { inTurn, notePeer } from "../object/turns";

/** Carries out what the program changed, and the rest of a creation that is not finished. */
export async function update(kind: ObjectKind, call: StateCall): Promise<State> {
  const { id, state } = call;
  const found = await lookUp(kind, id, "now");
  if (found === undefined) throw gone(kind, call);
  const { ref, live } = found;
  const changed = changedInputs(kind.leaves, { ...state, outputs: kind.outputsOf(live, ref) }, call);
  refuseDenied(
    { kind, call, id },
    { operation: "update", ...effectsOf(kind.description, changed, call.inputs) },
  );
  const refusal = await refusalAfterCutOff(kind, ref, call, changed, "operation");
  if (refusal !== undefined) throw refusal;
  const begun = { ...found, call, applied: new Map(state.sent), stored: state };
  const operation = new ObjectOperation(kind, "update", begun);
  forgetKnownActions(operation, state.sent);
  const work = () => (state.memory === undefined ? applyChanges : completeCreation)(operation);
  try {
    const step = { ref, attempt: operation.attempt, operation: "update" } as const;
    const updated = await (isInterrupted(kind.description, changed)
      ? inTurn(kind, call, step, work)
      : work());
    notePeer(kind, call, id);
    return updated;
  } catch (error) {
    throw await withHolder(error, kind, call, operation.attempt);
  }
}
