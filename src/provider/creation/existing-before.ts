import { type Description } from "../describe/define-resource";
import { type PendingCreation } from "../engine/stack-state";
import { type ObjectKind } from "../kind/kind";
import { hasDerivedName } from "../inputs/autoname-formula";
import { type Call } from "../state/call";
import { statusOf, takes } from "../describe/status";
import { hasUnknown, UNKNOWN } from "../base/values";
import { areAlike } from "../notes/journal";

/** Whether a label that is not derived is all that tells an object from others. Two stacks may use the same one. */
function isOnlyLabelled(description: Description, call: Call): boolean {
  const { autoname, unique } = description;
  return autoname !== undefined && unique === undefined && !hasDerivedName(description, call);
}

/**
 * The ids of the objects that equal a new resource. The state keeps them with the pending creation, so that a run on another machine knows that these
 * are not its objects. Undefined if it is not known, or if the resource needs no such evidence.
 */
export async function existingBefore(kind: ObjectKind, call: Call): Promise<string | undefined> {
  const { description, run, known } = kind;
  if (!isOnlyLabelled(description, call) || !run.configuration.validate) return undefined;
  const parent = kind.parentOf(call.inputs);
  const isPartlyUnknown = description.identity.some((path) => hasUnknown(call.inputs[path]));
  if (call.autonamed === UNKNOWN || parent === UNKNOWN || isPartlyUnknown) return UNKNOWN;
  if (description.parent?.statuses !== undefined && !(await isListable(kind, parent))) return undefined;
  const there = await kind.reads.listed(parent).catch((error: unknown) => {
    // What the token may not read is no evidence.
    if (kind.account.hides(error)) return undefined;
    throw error;
  });
  const ids = there?.equalTo(call.inputs).map((reply) => description.idOf(reply));
  if (ids === undefined || ids.length === 0) return ids?.join(",");
  // If this run is interrupted too, the object of the first one is still this resource's.
  const pending = await known.pendingCreation(call, "check");
  return evidenceIn(description, call, pending) ?? ids.join(",");
}

/** Whether the status of the parent allows to list its objects. */
export async function isListable(
  { reads, description: { waitsForStatusOf: requires } }: ObjectKind,
  parentId: string,
): Promise<boolean> {
  const found = await reads.parentSeen(parentId);
  return found != null && takes(requires?.read, statusOf(found));
}

/** The ids of those that the first interrupted creation with these inputs had found. Undefined if the state does not tell. */
export function evidenceIn(
  description: Description,
  call: Call,
  pending: PendingCreation | undefined,
): string | undefined {
  if (!isOnlyLabelled(description, call) || pending?.isOpen !== true) return undefined;
  return pending.requested.find((one) => areAlike(description, call, one))?.before;
}
