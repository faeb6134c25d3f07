import type * as pulumi from "@pulumi/pulumi";
import { changeSignOf } from "../provider/program/known-in-preview";
import * as sdk from "../provider/program/sdk";

/** Whether a value is or contains an output or a promise. */
export function hasOutput(value: unknown): boolean {
  if (value instanceof Promise || sdk.Output.isInstance(value)) return true;
  return typeof value === "object" && value !== null && Object.values(value).some(hasOutput);
}

/**
 * The URNs of the resources that the arguments come from or `dependsOn` names, once all of them are as the program wants them. Unknown in a preview
 * that creates or updates one of them, as a read before that would return something else than the later read.
 */
export function settledBefore(
  args: pulumi.Output<unknown>,
  dependsOn: pulumi.InvokeOutputOptions["dependsOn"],
): pulumi.Output<string[]> {
  const named = sdk.output(dependsOn as pulumi.Input<pulumi.Resource[] | pulumi.Resource> | undefined);
  const implied = Promise.all([sdk.getAllResources(args), sdk.getAllResources(named)]);
  return sdk
    .all([named, implied.then(([ofArgs, ofNamed]) => [...ofArgs, ...ofNamed])])
    .apply(([list, others]) => {
      const resources = new Set(
        [list ?? [], others].flat().flatMap((resource) => customResourcesOf(resource as pulumi.Resource)),
      );
      const urns = [...resources].map((resource) =>
        sdk.all([resource.urn, resource.id, changeSignOf(resource)]).apply(([known]) => known),
      );
      return sdk.all(urns).apply((list) => list.sort());
    });
}

/** The resources with an id. For a component, the resources in it. */
function customResourcesOf(resource: pulumi.Resource): pulumi.CustomResource[] {
  // A dependency known only by its URN has no id.
  if (sdk.CustomResource.isInstance(resource))
    return (resource.id as unknown) === undefined ? [] : [resource];
  const { __childResources: children = [] } = resource as { __childResources?: Iterable<pulumi.Resource> };
  return [...children].flatMap(customResourcesOf);
}
