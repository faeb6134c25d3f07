import { fewPaths, withSegment } from "../base/property-paths";
import * as sdk from "./sdk";

type FoundSecrets = readonly { readonly path: string; readonly value: unknown }[];

/**
 * The paths of the secret inputs, and of the outputs in the option `additionalSecretOutputs`. The engine does not tell them to a dynamic provider.
 * Undefined if there are none. A value without an output contains no secret.
 */
export function secretPaths(
  inputs: Readonly<Record<string, unknown>>,
  outputs: readonly string[] = [],
): Promise<string[] | undefined> | string[] | undefined {
  const found = outputsIn(inputs, "");
  if (found.length > 0) return settled(found, outputs);
  return outputs.length > 0 ? [...outputs] : undefined;
}

async function settled(found: FoundSecrets, outputs: readonly string[]): Promise<string[] | undefined> {
  const paths = new Set(outputs);
  await Promise.all(found.map(({ path, value }) => addSecret(path, value, paths)));
  if (paths.size === 0) return undefined;
  return fewPaths([...paths]);
}

async function addSecret(path: string, value: unknown, paths: Set<string>): Promise<void> {
  try {
    if (sdk.Output.isInstance(value)) {
      const output = sdk.settling(value);
      if (await output.isSecret) paths.add(path);
      else await addBelow(path, await output.promise(), paths);
    } else {
      await addBelow(path, await (value as Promise<unknown>), paths);
    }
  } catch {
    // The engine reports an input that fails.
  }
}

const addBelow = async (path: string, value: unknown, paths: Set<string>): Promise<void> => {
  await Promise.all(outputsIn(value, path).map((inner) => addSecret(inner.path, inner.value, paths)));
};

/** The outputs and promises in a value, each with its path. */
function outputsIn(value: unknown, path: string): { readonly path: string; readonly value: unknown }[] {
  if (typeof value !== "object" || value === null) return [];
  if (sdk.Output.isInstance(value) || value instanceof Promise) return [{ path, value }];
  if ("__pulumiResource" in value || "__pulumiAsset" in value || "__pulumiArchive" in value) return [];
  if (Array.isArray(value)) return value.flatMap((item, index) => outputsIn(item, withSegment(path, index)));
  return Object.entries(value).flatMap(([name, inner]) => outputsIn(inner, withSegment(path, name)));
}
