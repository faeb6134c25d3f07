import type * as pulumi from "@pulumi/pulumi";
import * as sdk from "./sdk";
import { handedInputs } from "../state/handed";
import { hasTransforms } from "./run-mode";
import { FORMS, pack } from "../state/packed-members";

/**
 * The inputs by which a class hands the members over. The program's transforms see what goes to the engine, so with transforms the members
 * go as the program gives them.
 */
export function memberInputs(
  property: string,
  given: Readonly<Record<string, unknown>>,
  opts: pulumi.ResourceOptions,
): Record<string, unknown> {
  const { [property]: packed, ...besides } = packedMembers(property, given);
  if (packed === undefined) return {};
  // The transforms of the parent are known once it is registered.
  const isSeen = urnOfParent(opts).then(() => hasTransforms(opts));
  const asGiven = Object.entries(given).map(([form, value]) => [
    form,
    isSeen.then((seen) => (seen ? value : form === property ? packed : undefined)),
  ]);
  return { ...Object.fromEntries(asGiven), ...besides };
}

/**
 * The members as one packed text where all values are plain, because the engine is slow with many values. Where the members contain outputs,
 * each member with an output goes as it is, so that only that member is unknown while its output is.
 */
export function packedMembers(
  property: string,
  given: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const set = Object.entries(given).filter(([, value]) => value !== undefined);
  if (set.length === 0) return {};
  const forms = Object.fromEntries(set);
  if (isPlain(forms)) return { [property]: pack(JSON.stringify(forms)) };
  return {
    [property]: { [FORMS]: Object.fromEntries(set.map(([form, value]) => [form, partly(value)])) },
    // Whether a secret is among them is known only when all outputs are.
    ...handedInputs({
      guarded: sdk.output(sdk.isSecret(sdk.output(forms))).apply((isSecret) => (isSecret ? true : undefined)),
    }),
  };
}

const urnOfParent = async ({ parent }: pulumi.ResourceOptions): Promise<unknown> =>
  parent === undefined ? undefined : (parent.urn as unknown as { promise(): Promise<string> }).promise();

function partly(value: unknown): unknown {
  if (typeof value === "string") return JSON.stringify(value);
  if (sdk.Output.isInstance(value) || value instanceof Promise) {
    return sdk.output(value).apply((inner) => JSON.stringify(inner));
  }
  if (Array.isArray(value)) return value.map(member);
  return Object.fromEntries(Object.entries(value as object).map(([key, inner]) => [key, member(inner)]));
}

const member = (value: unknown): unknown => (isPlain(value) ? JSON.stringify(value) : value);

function isPlain(value: unknown): boolean {
  if (typeof value !== "object" || value === null) {
    return typeof value === "number" ? Number.isFinite(value) : typeof value !== "function";
  }
  if (Array.isArray(value)) return value.every(isPlain);
  const prototype: unknown = Object.getPrototypeOf(value);
  return (prototype === Object.prototype || prototype === null) && Object.values(value).every(isPlain);
}
