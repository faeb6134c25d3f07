import { createOrResume } from "../creation/create-or-resume";
import { formatId } from "../describe/define-resource";
import { attempting } from "../engine/errors";
import { type Lifecycle } from "../engine/provider-interface";
import { type Kind } from "../process/kind";
import { type Properties } from "../state/values";
import { type AdoptionClaims } from "../adoption/adoption-claims";
import { finishOperation } from "../object/finish-operation";
import { adopt } from "../adoption/adopt";
import { ObjectOperation } from "../object/object-operation";

/** Adopts the object that the option `import` names, goes on with what an interrupted run has left, or creates the object. */
export const createHook =
  (kind: Kind, adoption: AdoptionClaims): Lifecycle["create"] =>
  async (inputs) => {
    const importId = adoption.idIn(inputs);
    return importId === undefined ? create(kind, inputs) : adopt(kind, inputs, importId);
  };

const create = (kind: Kind, inputs: Properties) =>
  attempting(`create ${kind.nameOf(inputs)}`, () =>
    kind.inTurn(inputs, () =>
      createOrResume(kind, inputs, async (ref, { reply, applied, stored }) => {
        const operation = new ObjectOperation(kind, "create", { ref, inputs, live: reply, applied, stored });
        return { id: formatId(ref), outs: await finishOperation(operation, true) };
      }),
    ),
  );
