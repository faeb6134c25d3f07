import { schemaFailures } from "../../src/provider/inputs/check-schema";
import { type Description } from "../../src/provider/describe/define-resource";
import { type Properties } from "../../src/provider/state/values";

/** The description of a class, without the type of its answers. */
export const descriptionOf = (resource: { readonly description: unknown }): Description =>
  resource.description as Description;

/** The failures of a resource's rules between inputs, for inputs that are valid by themselves. */
export function rulesOf(description: Description, inputs: Properties, olds: Properties = {}): string[] {
  expect(schemaFailures(description, inputs)).toEqual([]);
  return (description.rules?.(inputs, olds) ?? []).map(({ property, reason }) => `${property} ${reason}`);
}
