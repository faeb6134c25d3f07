import type * as pulumi from "@pulumi/pulumi";
import * as outputs from "@pulumi/pulumi/output";
import * as config from "@pulumi/pulumi/runtime/config";
import * as state from "@pulumi/pulumi/runtime/state";

/**
 * The parts of the SDK that resources need in a program, from files that the language host has already loaded. The SDK's index also loads the
 * code that serialises closures, which takes a third of a second. Types come from the index.
 */
export { Asset } from "@pulumi/pulumi/asset/asset";
export { Config } from "@pulumi/pulumi/config";
export { RunError } from "@pulumi/pulumi/errors";
export { debug, hasErrors, info, warn } from "@pulumi/pulumi/log";
export { all, getAllResources, isSecret, output, Output, secret, unsecret } from "@pulumi/pulumi/output";
export { createUrn, CustomResource, mergeOptions, ProviderResource } from "@pulumi/pulumi/resource";
export { getOrganization, getProject, getStack } from "@pulumi/pulumi/metadata";
export { allConfig, getConfig } from "@pulumi/pulumi/runtime/config";
export { invoke } from "@pulumi/pulumi/runtime/invoke";
export { getStackResource } from "@pulumi/pulumi/runtime/stack";

/** The value that stands for an unknown one, also within a value. The SDK's types omit it. */
export const { isUnknown, unknown } = outputs as unknown as {
  isUnknown(value: unknown): boolean;
  unknown: unknown;
};

/** Whether a setting of the stack is a secret. The SDK's types omit it. */
export const { isConfigSecret } = config as unknown as { isConfigSecret(key: string): boolean };

/** The SDK's data about the run of a program. Its types omit it. */
export const { getStore } = state as unknown as { getStore(): unknown };

/** The same, of the run of an inline program only. */
export const { getLocalStore } = state as unknown as { getLocalStore(): unknown };

/** The members of an output that the SDK's types omit. */
export interface Settling<Value = unknown> {
  readonly isKnown: Promise<boolean>;
  readonly isSecret: Promise<boolean>;
  promise(withUnknowns?: boolean): Promise<Value>;
  allResources(): Promise<Set<pulumi.Resource>>;
}

/** An output with the members that its types omit. */
export const settling = <Value>(output: pulumi.Output<Value>): Settling<Value> =>
  output as unknown as Settling<Value>;
