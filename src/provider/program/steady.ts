import type * as pulumi from "@pulumi/pulumi";
import * as sdk from "./sdk";
import { type Description } from "../describe/define-resource";
import { type Outline } from "../describe/outline";
import { accountsOfThisRun } from "./accounts";
import { isMocked, isPreview } from "./mocks";
import type * as looking from "./steady-reads";

type MakeOutput = new (
  resources: pulumi.Resource,
  promise: Promise<unknown>,
  isKnown: Promise<boolean>,
  isSecret: Promise<boolean>,
  allResources: Promise<Set<pulumi.Resource>>,
) => pulumi.Output<unknown>;

// Few previews look anything up: what it takes is loaded by the first that does.
// eslint-disable-next-line @typescript-eslint/no-require-imports -- where it is not needed it must not be loaded
const load = () => require("./steady-reads") as typeof looking;

/**
 * Keeps outputs known in a preview that no update in place can touch: they are read live where the engine leaves them unknown, for a dynamic
 * provider has no preview of updates, and all that depends on them would show as changed. What is made or replaced has no known id in a
 * preview, and stays unknown.
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
  return new (sdk.Output as unknown as MakeOutput)(
    resource,
    settled.then(({ value }) => value),
    settled.then(({ isKnown }) => isKnown),
    original.isSecret,
    original.allResources(),
  );
}
