import { isNotFound } from "../../../api/errors";
import { deniedThough } from "../../engine/errors";
import { updateTask, type UpdateTarget } from "../../object/update-task";
import { changedInputs } from "../../state/update-or-replace";
import { type Properties, snakeKeys } from "../../state/values";
import { asObject, heldFrom } from "../members/as-objects";
import { type Held, type Wanted } from "../members/member";
import { type PlanRun } from "./plan-run";

/** Updates a member in place, as the state has it: it is not read first. False if somebody has deleted it. */
export async function updateMember(run: PlanRun, held: Held, wanted: Wanted): Promise<boolean> {
  const { session, item, description } = run.collection;
  const { sent, outputs } = asObject(held);
  let answer: Properties | undefined;
  const target: UpdateTarget = {
    kind: item,
    ref: run.refOf(held.id),
    inputs: run.inputsOf(wanted),
    memory: {},
    live: { id: held.id, ...(snakeKeys(outputs) as Properties) },
    applied: sent,
    carriedOut: (_, reply) => (answer = reply ?? answer),
    until: () => Promise.resolve(),
  };
  const changed = changedInputs(item.leaves, { sent, outputs }, { inputs: wanted.inputs });
  try {
    await session.writing(async () => description.item.update?.(updateTask(target, changed)));
  } catch (error) {
    if (!isNotFound(error)) throw error;
    if ((await item.reads.now(target.ref)) === undefined) return false;
    const attempt = `update ${run.nameOf({ kind: "change", held, wanted })}`;
    throw deniedThough(attempt, "It is unchanged", error);
  }
  if (answer !== undefined) run.keep(heldFrom(description, wanted, answer));
  run.done++;
  return true;
}
