import { schemaFailures } from "../../src/provider/hooks/check-schema";
import { type Description } from "../../src/provider/describe/define-resource";
import { type Properties } from "../../src/provider/state/values";

/** The description that a class is run by, without the type of its answers. */
export const descriptionOf = (resource: { readonly description: unknown }): Description =>
  resource.description as Description;

/** What a resource's rules between inputs say, for inputs that are right by themselves. */
export function rulesOf(description: Description, inputs: Properties, olds: Properties = {}): string[] {
  expect(schemaFailures(description, inputs)).toEqual([]);
  return (description.rules?.(inputs, olds) ?? []).map(({ property, reason }) => `${property} ${reason}`);
}
