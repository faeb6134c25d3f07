import type * as pulumi from "@pulumi/pulumi";
import * as state from "@pulumi/pulumi/runtime/state";

/**
 * What resources need of the SDK when a program runs, from those of its files that the language host has loaded by then. The SDK's index
 * also loads what serialises closures, a third of a second for a program that needs nothing else of it. Types come from the index.
 */
export { Asset } from "@pulumi/pulumi/asset/asset";
export { Config } from "@pulumi/pulumi/config";
export { RunError } from "@pulumi/pulumi/errors";
export { debug, info, warn } from "@pulumi/pulumi/log";
export { all, getAllResources, isSecret, output, Output, secret, unsecret } from "@pulumi/pulumi/output";
export { createUrn, CustomResource, mergeOptions, ProviderResource } from "@pulumi/pulumi/resource";
export { getOrganization, getProject, getStack } from "@pulumi/pulumi/metadata";
export { getConfig } from "@pulumi/pulumi/runtime/config";
export { invoke } from "@pulumi/pulumi/runtime/invoke";
export { getStackResource } from "@pulumi/pulumi/runtime/stack";

/** What the SDK keeps of the run of a program. Its types leave it out. */
export const { getStore } = state as unknown as { getStore(): unknown };

/** What every output of the SDK has besides what its types show. */
export interface Settling<Value = unknown> {
  readonly isKnown: Promise<boolean>;
  readonly isSecret: Promise<boolean>;
  promise(withUnknowns?: boolean): Promise<Value>;
  allResources(): Promise<Set<pulumi.Resource>>;
}

/** An output with what its types leave out. */
export const settling = <Value>(output: pulumi.Output<Value>): Settling<Value> =>
  output as unknown as Settling<Value>;
