import { type CommonDescription, type Description } from "../describe/define-resource";
import { inputAt, leavesOf, withoutEmpty } from "../describe/fields";
import { hasUnknown, type Properties, setAt } from "../state/values";

/** Adds inputs that are derived from other inputs. An input that `ignoreChanges` keeps stays as it is. */
export async function derive({ derived = {} }: Description, inputs: Properties): Promise<void> {
  for (const [path, { from, of }] of Object.entries(derived)) {
    const value = inputs[from];
    if (inputs[path] === undefined && value !== undefined && !hasUnknown(value))
      inputs[path] = await of(value);
  }
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
