import { type Found } from "../../engine/provider-interface";
import { type Collection } from "../collection";
import { membersThere, scopeIn } from "../compare-with-import";
import { heldIn, storedFor } from "../members/in-state";
import { plainMember } from "../members/member";

/** Reads all members that an id covers for the engine's import. The inputs have them in the form that programs use. */
export async function readForImport(collection: Collection, { id }: { readonly id: string }): Promise<Found> {
  const { description, property, type } = collection;
  const attempt = `import ${type} ${id}`;
  const scope = scopeIn(collection, attempt, id);
  const stored = storedFor(await membersThere(collection, attempt, scope));
  const state = { ...collection.stateWith(scope, stored), isAdopted: true };
  return {
    id,
    state,
    inputs: { ...scope, [property]: heldIn(description, state).map((held) => plainMember(held).inputs) },
  };
}
