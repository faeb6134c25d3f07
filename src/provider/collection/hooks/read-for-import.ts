import { attempting, ProviderError } from "../../engine/errors";
import { ADOPTED, SET } from "../../state/hidden-properties";
import { type Properties } from "../../state/values";
import { type Collection } from "../collection";
import { membersThere } from "../compare-with-import";
import { heldIn, outputsFor } from "../members/in-state";
import { plainMember } from "../members/member";

/** Reads all members that an id covers for the engine's import. The inputs have them in the form that programs use. */
export function readForImport(
  collection: Collection,
  id: string,
): Promise<{ id: string; props: Properties; inputs: Properties }> {
  const { description, property, type } = collection;
  const attempt = `import ${type} ${id}`;
  return attempting(attempt, async () => {
    const scope = description.fromId(id);
    if (scope === undefined) {
      throw new ProviderError(
        `${attempt}: "${id}" is not the id of a ${type}; the id has the form ${description.id.form}`,
      );
    }
    const outputs = outputsFor(description, await membersThere(collection, attempt, scope));
    const set = [...Object.keys(scope), property].join(",");
    return {
      id,
      props: { ...scope, ...outputs, [SET]: set, [ADOPTED]: true },
      inputs: { ...scope, [property]: heldIn(description, outputs).map((held) => plainMember(held).inputs) },
    };
  });
}
