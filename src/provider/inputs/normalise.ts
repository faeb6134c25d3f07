import { isDeepStrictEqual } from "node:util";
import { type CommonDescription, type Description } from "../describe/define-resource";
import { inputAt, leavesOf, withoutEmpty } from "../describe/fields";
import { type CheckCall } from "../state/provider-interface";
import { isSecretAt, secretPathsOf } from "../state/secret-inputs";
import { hasUnknown, type Properties, same, setAt } from "../base/values";

/** Adds inputs that are derived from other inputs. An input that `ignoreChanges` keeps stays as it is. */
export async function derive({ derived = {} }: Description, inputs: Properties): Promise<void> {
  for (const [path, { from, of }] of Object.entries(derived)) {
    const value = inputs[from];
    if (inputs[path] === undefined && value !== undefined && !hasUnknown(value))
      inputs[path] = await of(value);
  }
}

/**
 * The inputs, with the former spelling of each that means the same as before. For a dynamic resource the engine itself compares inputs, and would name
 * another spelling in the row of a change. A list with a secret stays as the program has it, as the engine knows the secret by its place in it.
 */
export function spelledAsBefore(description: CommonDescription, { olds, ...call }: CheckCall): Properties {
  const { inputs } = call;
  if (olds === undefined) return inputs;
  const respelt = leavesOf(description.fields).filter((leaf) => {
    const [before, now] = [inputAt(olds.inputs, leaf), inputAt(inputs, leaf)];
    return now !== undefined && !isDeepStrictEqual(before, now) && same(leaf.comparison, before, now);
  });
  if (respelt.length === 0) return inputs;
  const secret = secretPathsOf(description, call);
  const kept = structuredClone(inputs);
  for (const leaf of respelt) {
    const isPlaced = Array.isArray(inputAt(inputs, leaf)) && isSecretAt(secret, leaf.path);
    if (!isPlaced) setAt(kept, leaf.path, inputAt(olds.inputs, leaf));
  }
  return kept;
}

/** The inputs in the form of the state: ids are text, and nothing is null. */
export function normalise(description: CommonDescription, news: Properties): Properties {
  const set = Object.fromEntries(Object.entries(news).filter(([, value]) => value != null));
  const inputs = structuredClone(withoutEmpty(description.fields, set));
  for (const leaf of leavesOf(description.fields)) {
    const value = inputAt(inputs, leaf);
    if (leaf.comparison === "id" && typeof value === "number") setAt(inputs, leaf.path, String(value));
  }
  return inputs;
}
