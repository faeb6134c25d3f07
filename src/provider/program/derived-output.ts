import type * as pulumi from "@pulumi/pulumi";
import * as sdk from "./sdk";

type MakeOutput = new (
  resources: pulumi.Resource,
  promise: Promise<unknown>,
  isKnown: Promise<boolean>,
  isSecret: Promise<boolean>,
  allResources: Promise<Set<pulumi.Resource>>,
) => pulumi.Output<unknown>;

/** A value, and whether it is known. */
interface Settled {
  readonly value: unknown;
  readonly isKnown: boolean;
}

/** Puts other outputs in the place of a resource's outputs with these names, each when it is read first. */
export function replaceOutputs(
  resource: pulumi.Resource,
  names: readonly string[],
  settle: (original: sdk.Settling, name: string) => Promise<Settled>,
): void {
  for (const name of names) {
    const original = (resource as unknown as Record<string, sdk.Settling | undefined>)[name];
    if (original === undefined) continue;
    let derived: pulumi.Output<unknown> | undefined;
    const get = () => (derived ??= derivedOutput(resource, original, settle(original, name)));
    Object.defineProperty(resource, name, { configurable: true, enumerable: true, get });
  }
}

/** An output in place of another one of the same resource: it is as secret, and depends on the same resources. */
function derivedOutput(
  resource: pulumi.Resource,
  original: sdk.Settling,
  settled: Promise<Settled>,
): pulumi.Output<unknown> {
  return new (sdk.Output as unknown as MakeOutput)(
    resource,
    settled.then(({ value }) => value),
    settled.then(({ isKnown }) => isKnown),
    original.isSecret,
    original.allResources(),
  );
}
