import { inputsOfObject } from "../ownership/inputs-of-object";
import { adoptionOf } from "../ownership/adoption-claims";
import { managedHere } from "../ownership/this-stack";
import { ProviderError } from "../base/errors";
import { type FoundForImport } from "../state/provider-interface";
import { ownerOf } from "../kind/warnings";
import { findToImport } from "../object/look-up";
import { type ObjectKind } from "../kind/kind";
import { type Call } from "../state/call";
import { asStored, setInputs } from "../state/sent";

/** Reads an existing object for the engine's import: it manages all that a program can declare of the object. */
export async function readForImport(
  kind: ObjectKind,
  call: Call & { readonly id: string },
): Promise<FoundForImport> {
  const { id } = call;
  const attempt = `import ${kind.type} ${id}`;
  const { description, leaves, account, run } = kind;
  const asked = kind.parseId(id);
  // A set may delete it meanwhile.
  const refuseDeleted = () => {
    if (asked !== undefined) adoptionOf(kind).refuseDeleted(asked);
  };
  const { ref, live } = await findToImport(kind, id).finally(refuseDeleted);
  const shown = kind.outputsOf(live, ref);
  const { inputs, refused, missing } = inputsOfObject({ description, ref, shown });
  if (refused !== undefined && missing === undefined)
    throw new ProviderError(`${attempt}: ${refused}`, { code: "IMPORT_REFUSED" });
  const more = await description.extraOutputs?.(account.client, ref, live, {});
  const stored = asStored(leaves, setInputs(leaves, inputs), { ...shown, ...more });
  const refusal = await managedHere(kind, description, [ref]);
  refuseDeleted();
  // With `--exclude` and `--target` the engine asks nothing else about the resource, and deletes that of the old owner.
  run.owners.reads(description, ref, ownerOf(description, call));
  return { id, state: { ...stored, isAdopted: true }, inputs, refusal };
}
