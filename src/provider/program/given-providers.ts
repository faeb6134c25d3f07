import type * as pulumi from "@pulumi/pulumi";
import * as sdk from "./sdk";

/** The parts of a resource that the SDK's types omit. */
export interface Parent extends pulumi.Resource {
  readonly __name?: string;
  readonly __pulumiType: string;
  readonly __parentResource?: Parent;
  /** The providers for its children: its own, and those of its parents for other packages. */
  readonly __providers: Readonly<Record<string, Explicit>>;
  __transformations?: pulumi.ResourceTransformation[];
  [GIVEN]?: readonly Explicit[];
}

/** An explicit provider of any package. */
export interface Explicit extends pulumi.ProviderResource {
  readonly __name?: string;
  getPackage(): string;
}

/** A registered symbol, so that a second copy of the package finds them too. */
const GIVEN = Symbol.for("pulumi-nodecloud.given-providers");

/** The options of a resource that name providers. */
interface Options {
  readonly provider?: pulumi.ProviderResource;
  readonly providers?: Readonly<Record<string, pulumi.ProviderResource>> | pulumi.ProviderResource[];
}

const note: pulumi.ResourceTransformation = ({ resource, opts }) => {
  const { provider, providers = {} } = opts as Options;
  const given = [provider, ...Object.values(providers)].filter((one) => one !== undefined);
  if (given.length > 0) Object.defineProperty(resource, GIVEN, { value: given, configurable: true });
  return undefined;
};

/**
 * Notes from now on which providers the options of each resource name. The SDK keeps only the providers that result for the children, which do not
 * tell whether a component was given the provider of its parent once more. `transforms` run after the constructor has returned, which is too late for its children.
 */
export function noteGivenProviders(opts: pulumi.ResourceOptions = {}): void {
  let one = (opts.parent ?? sdk.getStackResource()) as Parent | undefined;
  // The children of a resource inherit the list that it has when they are created.
  for (; one !== undefined; one = one.__parentResource) {
    const { __transformations: noted = [] } = one;
    if (!noted.includes(note)) one.__transformations = [...noted, note];
  }
}

/** The providers that a resource is given itself for its children, without those that it inherits. */
function givenTo({ __providers: all, __parentResource: above, [GIVEN]: noted = [] }: Parent): Explicit[] {
  const inherited = Object.values(above?.__providers ?? {});
  return Object.values(all).filter((one) => noted.includes(one) || !inherited.includes(one));
}

/** The nearest resource, from a parent upward, that is given a provider that counts, and its providers that do. */
export function nearestGiven(
  parent: pulumi.Resource | undefined,
  counts: (provider: Explicit) => boolean,
): { readonly by: Parent; readonly providers: readonly Explicit[] } | undefined {
  for (let one = parent as Parent | undefined; one !== undefined; one = one.__parentResource) {
    const providers = givenTo(one).filter(counts);
    if (providers.length > 0) return { by: one, providers };
  }
  return undefined;
}

/** Whether a resource with this type token has an explicit provider, its own or that of a parent. */
export function hasExplicit(type: string, { provider, parent }: pulumi.CustomResourceOptions): boolean {
  const isOwn = (one: Explicit) => type.startsWith(`${one.getPackage()}:`);
  return provider !== undefined || nearestGiven(parent, isOwn) !== undefined;
}
