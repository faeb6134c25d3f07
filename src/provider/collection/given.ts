import type * as pulumi from "@pulumi/pulumi";
import * as sdk from "../program/sdk";
import { FORMS, GUARDED } from "../state/hidden";
import { hasTransforms } from "../program/mocks";
import { pack } from "./packed";

/**
 * How a class hands the members of a collection over. Transforms of the program's are shown what goes to the engine, so with them all goes as
 * the program gives it.
 */
export function givenMembers(
  property: string,
  given: Readonly<Record<string, unknown>>,
  opts: pulumi.ResourceOptions,
): Record<string, unknown> {
  const { [property]: packed, ...besides } = packedMembers(property, given);
  if (packed === undefined) return {};
  // The transforms of what is above are known once that is registered.
  const isSeen = urnOfParent(opts).then(() => hasTransforms(opts));
  const asGiven = Object.entries(given).map(([form, value]) => [
    form,
    isSeen.then((seen) => (seen ? value : form === property ? packed : undefined)),
  ]);
  return { ...Object.fromEntries(asGiven), ...besides };
}

/**
 * The members as one text where all is plain, for the engine's own way takes its time with each value. Where there are outputs among them,
 * each member that has one goes as it is, so that what is not known yet is only that.
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
    [GUARDED]: sdk.output(sdk.isSecret(sdk.output(forms))).apply((isSecret) => (isSecret ? true : undefined)),
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
