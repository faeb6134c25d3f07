import type * as pulumi from "@pulumi/pulumi";
import { settling } from "./sdk";

/** The value of an output, or undefined if it is unknown in this preview. */
export async function valueOf<Value>(output: pulumi.Output<Value>): Promise<Value | undefined> {
  const known = settling(output);
  return (await known.isKnown) ? known.promise() : undefined;
}
