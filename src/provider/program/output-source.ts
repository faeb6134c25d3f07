import type * as pulumi from "@pulumi/pulumi";
import * as sdk from "./sdk";

/** The fields of an output that the SDK's types omit. */
interface Traced {
  readonly allResources?: () => Promise<ReadonlySet<pulumi.Resource>>;
  readonly promise?: () => Promise<pulumi.URN | undefined>;
}

/**
 * The URN of the resource that an input comes from, if it comes from one resource of this type. The URN is known before the id. The input
 * already waits for that resource, so this adds no dependency.
 */
export async function sourceOf(value: unknown, type: string): Promise<pulumi.URN | undefined> {
  const { allResources } = sdk.output(value) as Traced;
  const [only, ...others] = (await allResources?.()) ?? [];
  if (only === undefined || others.length > 0) return undefined;
  if ((only as { readonly __pulumiType?: unknown }).__pulumiType !== type) return undefined;
  return (only.urn as unknown as Traced).promise?.();
}
