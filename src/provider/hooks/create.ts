import { createOrResume } from "../creation/create-or-resume";
import { formatId } from "../describe/define-resource";
import { attempting } from "../engine/errors";
import { type Lifecycle } from "../engine/lifecycle";
import { type Kind } from "../process/kind";
import { ADOPTED } from "../state/hidden";
import { setInputs } from "../state/sent";
import { type Properties } from "../state/values";
import { type Adoption } from "./adoption";
import { complete } from "./complete";
import { compareForImport } from "./import";
import { ObjectOperation } from "./object-operation";

/** Adopts the object that the option `import` names, goes on with what an interrupted run has left, or creates the object. */
export const createHook =
  (kind: Kind, adoption: Adoption): Lifecycle["create"] =>
  async (inputs) => {
    const importId = adoption.idIn(inputs);
    return importId === undefined ? create(kind, inputs) : adopt(kind, inputs, importId);
  };

const adopt = (kind: Kind, inputs: Properties, importId: string) =>
  attempting(`import ${kind.type} ${importId}`, async () => {
    const { ref, live } = await compareForImport(kind, importId, inputs);
    const applied = setInputs(kind.leaves, inputs);
    const operation = new ObjectOperation(kind, "create", { ref, inputs, live, applied });
    const outs = operation.outputs(await kind.description.more?.(kind.session.client, ref, live, {}));
    return { id: formatId(ref), outs: { ...outs, [ADOPTED]: true } };
  });

const create = (kind: Kind, inputs: Properties) =>
  attempting(`create ${kind.nameOf(inputs)}`, () =>
    kind.inTurn(inputs, () =>
      createOrResume(kind, inputs, async (ref, { reply, applied, stored }) => {
        const operation = new ObjectOperation(kind, "create", { ref, inputs, live: reply, applied, stored });
        return { id: formatId(ref), outs: await complete(operation, true) };
      }),
    ),
  );
