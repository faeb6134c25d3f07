import { adopt } from "../ownership/adopt";
import { adoptionOf } from "../ownership/adoption-claims";
import { createOrResume } from "../creation/create-or-resume";
import { formatId } from "../describe/define-resource";
import { type Created } from "../state/provider-interface";
import { byCreating } from "../ownership/other-owners";
import { completeCreation } from "../object/apply-changes";
import { ObjectOperation } from "../object/object-operation";
import { type ObjectKind } from "../kind/kind";
import { type Call } from "../state/call";
import { refuseReplacement } from "../object/guard";
import { failPeer, notePeer } from "../object/turns";

/** Adopts the object that the option `import` names, goes on with what an interrupted run has left, or creates the object. */
export function create(kind: ObjectKind, call: Call): Promise<Created> {
  kind.known.creates(call);
  const read = call.isRead === true ? call.importId : undefined;
  const importId = adoptionOf(kind).idIn(call) ?? read;
  if (importId !== undefined) return adopt(kind, call, importId);
  return kind.withCreationSlot(call.inputs, async () => {
    await refuseReplacement(kind, call, byCreating(kind, call));
    return createOrResume(kind, call, async (ref, { reply, applied, stored }) => {
      const operation = new ObjectOperation(kind, "create", { ref, call, live: reply, applied, stored });
      if (ref.parent === undefined)
        kind.run.declared.parents.set(`${kind.type} ${ref.id}`, {
          inputs: call.inputs,
          isMade: true,
        });
      const state = await completeCreation(operation).catch((error: unknown) => {
        failPeer(kind, call);
        throw error;
      });
      notePeer(kind, call, formatId(ref));
      return { id: formatId(ref), state };
    });
  });
}
