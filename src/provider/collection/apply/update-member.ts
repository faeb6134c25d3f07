import { isNotFound } from "../../../api/errors";
import { type UpdateTask } from "../../describe/define-resource";
import { deniedThough } from "../../engine/errors";
import { bodyFor } from "../../state/request-body";
import { changedInputs } from "../../state/changed-inputs";
import { asOutputs } from "../../state/sent";
import { type Properties } from "../../state/values";
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
    throw deniedThough(attempt, "It stays as it was", error);
  }
  if (reply !== undefined) run.keep(heldFrom(description, wanted, reply));
  run.done++;
  return true;
}

function taskOf(
  run: PlanRun,
  held: Held,
  wanted: Wanted,
  answered: (reply: Properties) => void,
): UpdateTask<Properties> {
  const { session, item } = run.collection;
  const { leaves } = item;
  const shown = { ...held.inputs, ...held.answered };
  const stored = asOutputs(leaves, new Map(Object.entries(held.inputs)), shown);
  const changed = changedInputs(leaves, stored, wanted.inputs);
  const values = new Map(changed.map(({ leaf, value }): [string, unknown] => [leaf.path, value]));
  return {
    client: session.client,
    ref: run.refOf(held.id),
    inputs: run.inputsOf(wanted),
    memory: {},
    live: {},
    changed: (path) => values.has(path),
    write: async (op, send) => answered(await send(bodyFor(op, leaves, values).body)),
    act: () => Promise.reject(new TypeError("a member has no actions")),
    done: () => undefined,
    until: () => Promise.resolve(),
    show: () => undefined,
  };
}
