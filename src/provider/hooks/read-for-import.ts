import { inputsOfObject } from "../adoption/inputs-of-object";
import { managedHere } from "../adoption/other-owners";
import { ProviderError } from "../engine/errors";
import { type FoundForImport } from "../engine/provider-interface";
import { findById } from "../object/look-up";
import { type Kind } from "../process/kind";
import { asStored, setInputs } from "../state/sent";

/** Reads an existing object for the engine's import: it manages all that a program can declare of the object. */
export async function readForImport(kind: Kind, { id }: { readonly id: string }): Promise<FoundForImport> {
  const attempt = `import ${kind.type} ${id}`;
  const { description, leaves, session } = kind;
  const { ref, live } = await findById(kind, attempt, id);
  const shown = kind.outputsOf(live, ref);
  const { inputs, refused, missing } = inputsOfObject({ description, ref, shown });
  if (refused !== undefined && missing === undefined) throw new ProviderError(`${attempt}: ${refused}`);
  const more = await description.extraOutputs?.(session.client, ref, live, {});
  const stored = asStored(leaves, setInputs(leaves, inputs), { ...shown, ...more });
  const refusal = await managedHere(session, description, [ref]);
  return { id, state: { ...stored, isAdopted: true }, inputs, refusal };
}
