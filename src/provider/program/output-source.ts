import type * as pulumi from "@pulumi/pulumi";
import * as sdk from "./sdk";

/** What the SDK keeps of an output beside its value. */
interface Traced {
  readonly allResources?: () => Promise<ReadonlySet<pulumi.Resource>>;
  readonly promise?: () => Promise<pulumi.URN | undefined>;
}

/**
 * The URN of the one resource that an input comes from, where that is of this type: it is known before the resource's id is. The input waits
 * for that resource already, so this adds no dependency.
 */
export async function sourceOf(value: unknown, type: string): Promise<pulumi.URN | undefined> {
  const { allResources } = sdk.output(value) as Traced;
  const [only, ...others] = (await allResources?.()) ?? [];
  if (only === undefined || others.length > 0) return undefined;
  if ((only as { readonly __pulumiType?: unknown }).__pulumiType !== type) return undefined;
  return (only.urn as unknown as Traced).promise?.();
}
