import { type OperationSpec } from "../../api/operation";
import { isAwaited } from "../describe/fields";
import { type ObjectKind } from "../kind/kind";
import { type ChangedInput } from "../state/update-or-replace";
import { type State } from "../state/call";
import { settleEarlierActions } from "./act-once";
import { untilReady, withdrawReadiness } from "./readiness";
import { type ObjectOperation } from "./object-operation";
import { untilRendered, withdrawRendering } from "./served";
import { updateTask } from "./update-task";

/** Does the rest of a creation, waits until it is done, and carries out the inputs that the creation did not take. */
export async function completeCreation(operation: ObjectOperation): Promise<State> {
  await operation.keeping("creation", () => finish(operation));
  return applyChanges(operation);
}

/** Carries out the inputs that changed, and returns what the state then has. */
export function applyChanges(operation: ObjectOperation): Promise<State> {
  return operation.keeping("changes", async () => {
    await carryOut(operation);
    operation.recordSettings();
    const { description, account } = operation.kind;
    return operation.state(
      await description.extraOutputs?.(account.client, operation.ref, operation.live, {}),
    );
  });
}

/** Does the rest of a creation, and waits until it is done. */
async function finish(operation: ObjectOperation): Promise<void> {
  const { account, description } = operation.kind;
  if (description.finishCreation !== undefined)
    await account.traffic.writing(async () => description.finishCreation?.(updateTask(operation, [])));
  await operation.watch.ready();
}

/** Carries out the inputs that changed, and waits until they read back. */
async function carryOut(operation: ObjectOperation): Promise<void> {
  const { account, description } = operation.kind;
  // What an interrupted update has sent counts as changed only until the object shows it.
  const isAsked = withdrawReadiness(operation);
  const isRendered = withdrawRendering(operation);
  await settleEarlierActions(operation);
  // Only the object at rest shows whether what a failed update has sent took effect.
  if (operation.begun.size > 0) await operation.until("at rest", (reply) => !operation.watch.isBusy(reply));
  let before = operation.live;
  const changed = operation.pending();
  if (changed.length > 0) {
    await operation.watch.whenAccepted(requirementOf(operation.kind, changed), async () => {
      const pending = operation.pending();
      before = operation.live;
      await account.traffic.writing(async () => description.update?.(updateTask(operation, pending)));
      operation.carriedOut(
        pending.flatMap(({ leaf, value }) =>
          leaf.notSent === true && !isAwaited(leaf, value) ? [leaf] : [],
        ),
      );
    });
  }
  // What an interrupted update has begun may still be running.
  if (changed.length > 0 || operation.operation === "update") await operation.settled(changed, before);
  if (isAsked) await untilReady(operation);
  if (isRendered) await untilRendered(operation);
}

/** The operation that carries out these changes. Its status requirements are waited for. */
function requirementOf(
  { description }: ObjectKind,
  changed: readonly ChangedInput[],
): OperationSpec | undefined {
  const update = description.waitsForStatusOf?.update;
  if (typeof update !== "function") return update;
  return update((path) => changed.some(({ leaf }) => leaf.path === path));
}
