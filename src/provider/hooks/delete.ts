import { adoptionOf } from "../adoption/adoption-claims";
import { isWaitedFor, type Ref } from "../describe/define-resource";
import { type StateCall } from "../engine/provider-interface";
import { warn } from "../engine/warnings";
import { type Kind } from "../process/kind";
import { type Told } from "../state/call";
import { deletePauses, deleteOnce } from "../object/delete-retries";
import { lookUpBelow } from "../object/look-up";
import { ObjectOperation } from "../object/object-operation";

/** Deletes an object, or only forgets it where another resource has it or the service has no such operation. */
export async function remove(kind: Kind, call: StateCall): Promise<void> {
  const ref = kind.parseId(call.id);
  if (ref === undefined || adoptionOf(kind).forgets(ref, call)) return;
  if (kind.description.delete === undefined) await leave(kind, call);
  else if (isWaitedFor(kind.description)) await removeAndWait(kind, ref, call);
  else await deleteOnce(kind, ref, pausesOf(kind, call));
}

const pausesOf = (kind: Kind, told: Told) => deletePauses(kind.session, kind.allowedTime("delete", told));

const find = (kind: Kind, call: StateCall) => {
  const attempt = `delete ${kind.nameOf(call.inputs, kind.parseId(call.id))}`;
  return lookUpBelow(kind, call.id, { recency: "now", operation: "delete", attempt }, call);
};

/** Leaves in the account what cannot be deleted. */
async function leave(kind: Kind, call: StateCall): Promise<void> {
  if ((await find(kind, call)) === undefined) return;
  const { undeletable = "" } = kind.description;
  warn({ kind, call, id: call.id }, `stays in the account as ${call.id}: ${undeletable}`);
}

/** Deletes an object when its status allows it, and waits until it is gone. */
async function removeAndWait(kind: Kind, ref: Ref, call: StateCall): Promise<void> {
  const pauses = pausesOf(kind, call);
  let found = await find(kind, call);
  if (found === undefined) {
    // A single read may be wrong. If the delete succeeds, the object existed.
    const wasThere = await deleteOnce(kind, ref, pauses, { isUnseen: true });
    if (wasThere) found = await find(kind, call);
  }
  if (found === undefined) return;
  const operation = new ObjectOperation(kind, "delete", { ref, call, live: found.live, applied: new Map() });
  await operation.watch.whenAccepted(kind.description.waitsForStatusOf?.delete, () =>
    deleteOnce(kind, ref, pauses, { repeatsRefusals: false }),
  );
  await operation.watch.gone();
}
