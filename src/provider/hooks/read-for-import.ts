import { inputsOfObject } from "../adoption/inputs-of-object";
import { attempting, ProviderError } from "../engine/errors";
import { type Lifecycle } from "../engine/provider-interface";
import { findById } from "../object/look-up";
import { type Kind } from "../process/kind";
import { ADOPTED } from "../state/hidden-properties";
import { asOutputs, setInputs } from "../state/sent";

/** Reads an existing object for the engine's import: it manages all that a program can declare of the object. */
export const readForImportHook =
  (kind: Kind): Lifecycle["readForImport"] =>
  (id) => {
    const attempt = `import ${kind.type} ${id}`;
    return attempting(attempt, async () => {
      const { description, leaves, session } = kind;
      const { ref, live } = await findById(kind, attempt, id);
      const shown = kind.outputsOf(live, ref);
      const { inputs, refused, missing } = inputsOfObject({ description, ref, shown });
      if (refused !== undefined && missing === undefined) throw new ProviderError(`${attempt}: ${refused}`);
      const more = await description.extraOutputs?.(session.client, ref, live, {});
      const props = asOutputs(leaves, setInputs(leaves, inputs), { ...shown, ...more });
      return { id, props: { ...props, [ADOPTED]: true }, inputs };
    });
  };
