import { schemaFailures } from "../../src/provider/inputs/check-schema";
import { type Description } from "../../src/provider/describe/define-resource";
import { callIn } from "../../src/provider/state/handed";
import { type Properties } from "../../src/provider/base/values";

/** The description of a class, without the type of its answers. */
export const descriptionOf = (resource: { readonly description: unknown }): Description =>
  resource.description as Description;

/** The failures of a resource's rules between inputs, for inputs that are valid by themselves. */
export function rulesOf(description: Description, inputs: Properties, olds: Properties = {}): string[] {
  const call = callIn(inputs);
  expect(schemaFailures(description, call)).toEqual([]);
  return (description.rules?.(call.inputs, olds, call.importId !== undefined) ?? []).map(
    ({ property, reason }) => `${property} ${reason}`,
  );
}
