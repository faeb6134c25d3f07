import { isNotFound } from "../../../api/errors";
import { type UpdateTask } from "../../describe/define-resource";
import { deniedThough } from "../../engine/errors";
import { updateTask, type UpdateTarget } from "../../object/update-task";
import { changedInputs } from "../../state/update-or-replace";
import { asStored } from "../../state/sent";
import { type Properties, snakeKeys } from "../../state/values";
import { type Held, type Wanted } from "../members/member";
import { heldFrom } from "../members/from-answers";
import { type PlanRun } from "./plan-run";

/** Updates a member in place; false where somebody has deleted it. */
export async function updateMember(run: PlanRun, held: Held, wanted: Wanted): Promise<boolean> {
  const { session, item, description } = run.collection;
  let reply: Properties | undefined;
  const task = taskOf(run, held, wanted, (answer) => (reply = answer));
  try {
    await session.writing(async () => description.item.update?.(task));
  } catch (error) {
    if (!isNotFound(error)) throw error;
    if ((await item.reads.now(run.refOf(held.id))) === undefined) return false;
    const attempt = `update ${run.nameOf({ kind: "change", held, wanted })}`;
    throw deniedThough(attempt, "It is unchanged", error);
  }
  if (reply !== undefined) run.keep(heldFrom(description, wanted, reply));
  run.done++;
  return true;
}

/** The update of a member as the state has it: it is not read first. */
function taskOf(
  run: PlanRun,
  held: Held,
  wanted: Wanted,
  answered: (reply: Properties) => void,
): UpdateTask<Properties> {
  const { item: kind } = run.collection;
  const shown = { ...held.inputs, ...held.answered };
  const applied = new Map(Object.entries(held.inputs));
  const target: UpdateTarget = {
    kind,
    ref: run.refOf(held.id),
    inputs: run.inputsOf(wanted),
    memory: {},
    live: { id: held.id, ...(snakeKeys(shown) as Properties) },
    applied,
    carriedOut: (_, reply) => {
      if (reply !== undefined) answered(reply);
    },
    until: () => Promise.resolve(),
  };
  const stored = asStored(kind.leaves, applied, shown);
  return updateTask(target, changedInputs(kind.leaves, stored, { inputs: wanted.inputs }));
}
