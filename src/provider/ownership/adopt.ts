import { formatId } from "../describe/define-resource";
import { attempting } from "../base/errors";
import { ownerOf } from "../kind/warnings";
import { ObjectOperation } from "../object/object-operation";
import { type ObjectKind } from "../kind/kind";
import { type Call } from "../state/call";
import { setInputs } from "../state/sent";
import { compareForImport } from "./compare-with-import";

/** Adopts the object that the option `import` names. Fails if its values differ from the inputs. It writes nothing. */
export const adopt = (kind: ObjectKind, call: Call, importId: string) =>
  attempting(`import ${kind.type} ${importId}`, async () => {
    const { ref, live } = await compareForImport(kind, importId, call);
    const applied = setInputs(kind.leaves, call.inputs);
    const operation = new ObjectOperation(kind, "create", { ref, call, live, applied });
    const owner = ownerOf(kind.description, { ...call, state: { outputs: live } });
    kind.run.owners.adopts(kind.description, ref, owner);
    const more = await kind.description.extraOutputs?.(kind.account.client, ref, live, {});
    return { id: formatId(ref), state: { ...operation.state(more), isAdopted: true } };
  });
