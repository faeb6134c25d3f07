import { announceEarlier } from "../creation/announce-earlier";
import { type Ref } from "../describe/define-resource";
import { attempting } from "../engine/errors";
import { type Lifecycle } from "../engine/provider-interface";
import { warn } from "../engine/warnings";
import { type Kind } from "../process/kind";
import { stackInUrn } from "../describe/urn";
import { urnOf } from "../state/hidden-properties";
import { type Properties } from "../state/values";
import { type AdoptionClaims } from "../adoption/adoption-claims";
import { deletePauses, deleteOnce } from "../object/delete-retries";
import { lookUpBelow } from "../object/look-up";
import { ObjectOperation } from "../object/object-operation";

/** Deletes an object, or only forgets it where another resource has it or the service has no such operation. */
export const deleteHook =
  (kind: Kind, adoption: AdoptionClaims): Lifecycle["delete"] =>
  (id, props) =>
    attempting(`delete ${kind.nameOf(props, kind.parseId(id))}`, async (attempt) => {
      announceEarlier(kind.session, stackInUrn(urnOf(props)));
      const ref = kind.parseId(id);
      if (ref === undefined || adoption.forgets(ref, props)) return;
      if (kind.description.delete === undefined) await leave(kind, id, props, attempt);
      else if (kind.isWaitedFor) await removeAndWait(kind, id, ref, props, attempt);
      else await deleteOnce(kind, ref, pausesOf(kind, props));
    });

const pausesOf = (kind: Kind, props: Properties) =>
  deletePauses(kind.session, kind.allowedTime("delete", props));

const find = (kind: Kind, id: string, props: Properties, attempt: string) =>
  lookUpBelow(kind, id, { recency: "now", operation: "delete", attempt }, props);

/** Leaves in the account what cannot be deleted. */
async function leave(kind: Kind, id: string, props: Properties, attempt: string): Promise<void> {
  if ((await find(kind, id, props, attempt)) === undefined) return;
  const { undeletable = "" } = kind.description;
  warn({ kind, inputs: props, id }, `stays in the account as ${id}: ${undeletable}`);
}

/** Deletes an object when its status allows it, and waits until it is gone. */
async function removeAndWait(
  kind: Kind,
  id: string,
  ref: Ref,
  props: Properties,
  attempt: string,
): Promise<void> {
  const pauses = pausesOf(kind, props);
  let found = await find(kind, id, props, attempt);
  if (found === undefined) {
    // A single read may be wrong. If the delete succeeds, the object existed.
    const wasThere = await deleteOnce(kind, ref, pauses, { isUnseen: true });
    if (wasThere) found = await find(kind, id, props, attempt);
  }
  if (found === undefined) return;
  const { live } = found;
  const operation = new ObjectOperation(kind, "delete", { ref, inputs: props, live, applied: new Map() });
  await operation.watch.whenAccepted(kind.description.waitsForStatusOf?.delete, () =>
    deleteOnce(kind, ref, pauses, { repeatsRefusals: false }),
  );
  await operation.watch.gone();
}
