import type * as pulumi from "@pulumi/pulumi";
import * as sdk from "./sdk";
import { type Outline, type OutputParts } from "../describe/outline";
import { isObject } from "../base/values";
import { changeSignOf } from "./changes-in-preview";
import { replaceOutputs } from "./derived-output";
import { isMocked, isPreview } from "./run-mode";

/**
 * Makes the parts of an output unknown that the program does not set. In the preview of a creation or an update the engine shows an input as the
 * output of the same name. These parts would be missing, and a program would read undefined where the type has a value.
 */
export function completeInPreview(
  resource: pulumi.CustomResource,
  { partial }: Outline,
  inputs: Readonly<Record<string, unknown>>,
): void {
  if (partial === undefined || !isPreview() || isMocked()) return;
  const sign = changeSignOf(resource);
  if (sign === undefined) return;
  const names = Object.keys(partial).filter((name) => inputs[name] !== undefined);
  replaceOutputs(resource, names, (original, name) => completeValue(original, sign, partial[name] ?? {}));
}

async function completeValue(original: sdk.Settling, sign: sdk.Settling, parts: OutputParts) {
  const value = await original.promise(true);
  const isKnown = await original.isKnown;
  if (!isObject(value) || (await sign.isKnown)) return { value, isKnown };
  return { value: completed(value, parts), isKnown: true };
}

function completed(value: unknown, parts: OutputParts): unknown {
  if (!isObject(value) || sdk.isUnknown(value)) return value;
  const missing = Object.entries(parts).map(([name, below]) => [
    name,
    value[name] === undefined ? sdk.unknown : completed(value[name], below),
  ]);
  return { ...value, ...Object.fromEntries(missing) };
}
