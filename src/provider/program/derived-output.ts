import type * as pulumi from "@pulumi/pulumi";
import * as sdk from "./sdk";

type MakeOutput = new (
  resources: pulumi.Resource,
  promise: Promise<unknown>,
  isKnown: Promise<boolean>,
  isSecret: Promise<boolean>,
  allResources: Promise<Set<pulumi.Resource>>,
) => pulumi.Output<unknown>;

/** An output in place of another one of the same resource: it is as secret, and depends on the same resources. */
export function derivedOutput(
  resource: pulumi.Resource,
  original: sdk.Settling,
  settled: Promise<{ readonly value: unknown; readonly isKnown: boolean }>,
): pulumi.Output<unknown> {
  return new (sdk.Output as unknown as MakeOutput)(
    resource,
    settled.then(({ value }) => value),
    settled.then(({ isKnown }) => isKnown),
    original.isSecret,
    original.allResources(),
  );
}
