import { formatId } from "../describe/define-resource";
import { attempting } from "../engine/errors";
import { ObjectOperation } from "../object/object-operation";
import { type Kind } from "../process/kind";
import { ADOPTED } from "../state/hidden-properties";
import { setInputs } from "../state/sent";
import { type Properties } from "../state/values";
import { compareForImport } from "./compare-with-import";

/** Adopts the object that the option `import` names. Fails if its values differ from the inputs. It writes nothing. */
export const adopt = (kind: Kind, inputs: Properties, importId: string) =>
  attempting(`import ${kind.type} ${importId}`, async () => {
    const { ref, live } = await compareForImport(kind, importId, inputs);
    const applied = setInputs(kind.leaves, inputs);
    const operation = new ObjectOperation(kind, "create", { ref, inputs, live, applied });
    const outs = operation.outputs(await kind.description.extraOutputs?.(kind.session.client, ref, live, {}));
    return { id: formatId(ref), outs: { ...outs, [ADOPTED]: true } };
  });
