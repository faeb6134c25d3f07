import type * as pulumi from "@pulumi/pulumi";
import { type Description } from "../describe/define-resource";
import { type Outline } from "../describe/outline";
import { accountsOfThisRun } from "./accounts";
import { IN_EACH_STATE } from "../state/codec";
import { same } from "../base/values";
import { changeSignOf } from "./changes-in-preview";
import { replaceOutputs } from "./derived-output";
import { isMocked, isPreview } from "./run-mode";
import * as sdk from "./sdk";
import { isUrnInState } from "./state-of-resource";
import type * as looking from "./known-in-preview-reads";

// Few previews read anything, so the code for it is loaded on first use.
// eslint-disable-next-line @typescript-eslint/no-require-imports -- it must not be loaded if it is not needed
const load = () => require("./known-in-preview-reads") as typeof looking;

/**
 * Makes the id known in the preview of a first import, which the engine takes for a creation. The object stays as it is, except that a collection may
 * get other members.
 */
export function knowImportedId(
  resource: pulumi.CustomResource,
  { membersProperty }: Outline,
  id: string | undefined,
): void {
  if (id === undefined || !isPreview() || isMocked()) return;
  replaceOutputs(
    resource,
    membersProperty === undefined ? ["id", IN_EACH_STATE] : ["id"],
    async (original, name) => {
      const value = await original.promise(true);
      if (await original.isKnown) return { value, isKnown: true };
      // A resource of the state that is replaced gets another id.
      const isThere = await isUrnInState(sdk.settling(resource.urn).promise() as Promise<string>);
      return isThere ? { value, isKnown: false } : { value: name === "id" ? id : "", isKnown: true };
    },
  );
}

/**
 * Keeps outputs known in a preview if no update in place can change them. A dynamic provider has no preview of updates, so the engine makes all outputs
 * unknown, and dependents would show as changed. Unknown outputs are therefore read live. A resource that is created or replaced has no known id in a
 * preview, and its outputs stay unknown.
 *
 * The engine takes inputs for outputs. Those that the service may rewrite are unknown unless the object has the same value already.
 */
export function knowOutputs(
  resource: pulumi.CustomResource,
  { steady = { outputs: [] }, rewritten = [] }: Outline,
  inputs: Readonly<Record<string, unknown>>,
  description: () => Description,
): void {
  if (!isPreview() || isMocked()) return;
  const accounts = accountsOfThisRun();
  let looked: Promise<Readonly<Record<string, unknown>>> | undefined;
  const live = () => (looked ??= load().liveOutputs(resource, description(), steady, inputs, accounts));
  replaceOutputs(resource, steady.outputs, async (original, path) => {
    const value = await original.promise(true);
    if (await original.isKnown) return { value, isKnown: true };
    const now = (await live())[path];
    return now === undefined ? { value, isKnown: false } : { value: now, isKnown: true };
  });
  const sign = changeSignOf(resource);
  const given = rewritten.filter((name) => inputs[name] !== undefined);
  replaceOutputs(resource, given, async (original, name) => {
    const value = await original.promise(true);
    const isKnown = await original.isKnown;
    const isSure = !isKnown || (await sign?.isKnown) !== false || same("value", value, (await live())[name]);
    return { value, isKnown: isKnown && isSure };
  });
}
