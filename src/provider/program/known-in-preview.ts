import type * as pulumi from "@pulumi/pulumi";
import type * as sdk from "./sdk";
import { type Description } from "../describe/define-resource";
import { type Outline } from "../describe/outline";
import { accountsOfThisRun } from "./accounts";
import { derivedOutput } from "./derived-output";
import { isMocked, isPreview } from "./run-mode";
import type * as looking from "./known-in-preview-reads";

// Few previews read anything, so the code for it is loaded on first use.
// eslint-disable-next-line @typescript-eslint/no-require-imports -- it must not be loaded if it is not needed
const load = () => require("./known-in-preview-reads") as typeof looking;

/**
 * Keeps outputs known in a preview if no update in place can change them. A dynamic provider has no preview of updates, so the engine makes all outputs
 * unknown, and dependents would show as changed. Unknown outputs are therefore read live. A resource that is created or replaced has no known id in a
 * preview, and its outputs stay unknown.
 */
export function keepSteady(
  resource: pulumi.CustomResource,
  { steady }: Outline,
  inputs: Readonly<Record<string, unknown>>,
  description: () => Description,
): void {
  if (steady === undefined || !isPreview() || isMocked()) return;
  const accounts = accountsOfThisRun();
  let looked: Promise<Readonly<Record<string, unknown>>> | undefined;
  const live = () => (looked ??= load().liveOutputs(resource, description(), steady, inputs, accounts));
  for (const path of steady.outputs) {
    const original = (resource as unknown as Record<string, sdk.Settling | undefined>)[path];
    if (original === undefined) continue;
    let kept: pulumi.Output<unknown> | undefined;
    const get = () => (kept ??= keptKnown(resource, original, async () => (await live())[path]));
    Object.defineProperty(resource, path, { configurable: true, enumerable: true, get });
  }
}

function keptKnown(
  resource: pulumi.Resource,
  original: sdk.Settling,
  live: () => Promise<unknown>,
): pulumi.Output<unknown> {
  const settled = (async () => {
    const value = await original.promise(true);
    if (await original.isKnown) return { value, isKnown: true };
    const now = await live();
    return now === undefined ? { value, isKnown: false } : { value: now, isKnown: true };
  })();
  return derivedOutput(resource, original, settled);
}
