import type * as pulumi from "@pulumi/pulumi";
import { type Outline } from "../describe/outline";
import { IN_EACH_STATE } from "../state/codec";
import { replaceOutputs } from "./derived-output";
import { valueOf } from "./known-value";
import { isMocked, isPreview, onceInRun } from "./run-mode";
import * as sdk from "./sdk";

/** In a preview, makes the SDK resolve the sign of a resource. */
export const withSign = (): Readonly<Record<string, undefined>> =>
  isPreview() && !isMocked() ? { [IN_EACH_STATE]: undefined } : {};

/** In a preview, an output that is unknown if the run creates or changes the resource. */
export const changeSignOf = (resource: pulumi.Resource): sdk.Settling | undefined =>
  (resource as unknown as Readonly<Record<string, sdk.Settling | undefined>>)[IN_EACH_STATE];

/**
 * The URNs of the resources that a value comes from or `dependsOn` names, once all of them are as the program wants them. Unknown in a preview that
 * creates or updates one of them, as a read before that would return something else than the later read.
 */
export function settledBefore(
  value: pulumi.Output<unknown>,
  dependsOn: pulumi.InvokeOutputOptions["dependsOn"],
): pulumi.Output<string[]> {
  const named = sdk.output(dependsOn as pulumi.Input<pulumi.Resource[] | pulumi.Resource> | undefined);
  const implied = Promise.all([sdk.getAllResources(value), sdk.getAllResources(named)]);
  return sdk
    .all([named, implied.then(([ofValue, ofNamed]) => [...ofValue, ...ofNamed])])
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

/** A resource that the run creates or changes. */
interface Changing {
  readonly outline: Outline;
  readonly name: string;
  readonly id: string | undefined;
}

const changing = onceInRun((): Changing[] => []);

/** In a preview, notes a resource that the run creates or changes, once the engine says so. */
export function noteChange(resource: pulumi.CustomResource, outline: Outline, name: string): void {
  const sign = changeSignOf(resource);
  if (sign === undefined) return;
  const changes = changing();
  const note = async () => {
    if (!(await sign.isKnown)) changes.push({ outline, name, id: await valueOf(resource.id) });
  };
  // The error of a resource that fails is the program's.
  note().catch(() => undefined);
}

/**
 * The names of the resources that the run has changed when the program comes here, in a preview: also those on which it does not say that it depends, as
 * in a function that an output calls.
 */
export async function changedBefore(isRead: (one: Changing) => boolean): Promise<readonly string[]> {
  if (!isPreview() || isMocked()) return [];
  const changes = changing();
  await new Promise(setImmediate);
  return changes.filter(isRead).map(({ outline: { type }, name }) => `${type} ${name}`);
}

/** Makes the outputs of a resource that is only read unknown in a preview that changes what its id comes from: `up` reads after that. */
export function readLater(
  resource: pulumi.CustomResource,
  { type, properties }: Outline,
  { id, dependsOn }: pulumi.CustomResourceOptions,
): void {
  if (id === undefined || !isPreview() || isMocked()) return;
  const look = async () => {
    if (!(await sdk.settling(settledBefore(sdk.output(id), dependsOn)).isKnown)) return false;
    const own = await valueOf(sdk.output(id));
    return (await changedBefore((one) => one.outline.type === type && one.id === own)).length === 0;
  };
  let looked: Promise<boolean> | undefined;
  const isSettled = () => (looked ??= look());
  replaceOutputs(resource, properties, async (original) => {
    const value = await original.promise(true);
    return { value, isKnown: (await original.isKnown) && (await isSettled()) };
  });
}
