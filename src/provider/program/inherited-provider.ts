import type * as pulumi from "@pulumi/pulumi";
import { type Outline } from "../describe/outline";
import { type Explicit, nearestGiven } from "./given-providers";
import { DYNAMIC_PACKAGE, PLUGIN_PACKAGE, settingsOf } from "./provider";
import { refuse } from "./refuse";
import * as sdk from "./sdk";
import { type TypeAndName } from "./registrar";

/** Where programs import the classes and the `Provider` of a package of the engine. */
const ENTRIES: Readonly<Record<string, string>> = {
  [DYNAMIC_PACKAGE]: '"pulumi-nodecloud"',
  [PLUGIN_PACKAGE]: '"pulumi-nodecloud/plugin"',
};

/** Other dynamic resources have providers of the same package of the engine. */
const isOurs = (provider: Explicit): boolean =>
  provider.getPackage() === PLUGIN_PACKAGE || settingsOf(provider) !== undefined;

/**
 * Refuses a resource that would not use the provider that the program means. The SDK looks for a provider of the class's own package, and would take
 * the default provider, which may have another account, if the nearest one is of the other entry.
 */
export function refuseOtherEntry(
  { type }: Pick<Outline, "type">,
  { type: token, name }: TypeAndName,
  { provider, parent = sdk.getStackResource() }: pulumi.CustomResourceOptions,
): void {
  const own = token.split(":", 1)[0] ?? token;
  const isOwn = (one: Explicit) => one.getPackage() === own;
  const entry = ENTRIES[own] ?? own;
  const refused = (found: string, advice: string) =>
    refuse(
      `${type} ${name}: ${found}, but this ${type} is imported from ${entry}: ${advice}`,
      "PLUGIN_MISMATCH",
    );
  if (provider !== undefined) {
    const explicit = provider as Explicit;
    if (isOwn(explicit)) return;
    const advice = isOurs(explicit) ? SAME_ENTRY : `use a Provider from ${entry}`;
    return refused(`its provider ${explicit.__name} is from ${originOf(explicit)}`, advice);
  }
  const nearest = nearestGiven(parent, (one) => isOwn(one) || isOurs(one));
  const [found] = nearest?.providers ?? [];
  if (nearest === undefined || found === undefined || nearest.providers.some(isOwn)) return;
  const { by } = nearest;
  refused(
    `its parent ${by.__pulumiType} ${by.__name} has the provider ${found.__name} from ${originOf(found)}`,
    `${SAME_ENTRY}, or add a Provider from ${entry} to the providers of the parent`,
  );
}

const SAME_ENTRY = "import both from the same entry";

/** Where a provider comes from: an entry of this package, or another package of the engine. */
const originOf = (provider: Explicit): string =>
  (isOurs(provider) && ENTRIES[provider.getPackage()]) || `the package ${provider.getPackage()}`;

/** Whether a resource may be a provider of either entry. */
export const isOfEntry = (one: pulumi.Resource): boolean =>
  sdk.ProviderResource.isInstance(one) && (one as Explicit).getPackage() in ENTRIES;

/** The provider that a data function inherits from its parent: that of either entry, or the parent itself if it is one. */
export function inheritedProvider(parent: pulumi.Resource | undefined): pulumi.Resource | undefined {
  if (parent === undefined || settingsOf(parent) !== undefined) return parent;
  const nearest = nearestGiven(parent, (one) => one.getPackage() in ENTRIES)?.providers ?? [];
  return nearest.find((one) => settingsOf(one) !== undefined) ?? nearest[0];
}
