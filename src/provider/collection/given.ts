import * as sdk from "../sdk";
import { GUARDED } from "../hidden";
import { pack } from "./packed";

/**
 * How a class hands the members of a collection over: as one text where all is plain, for the engine's own way takes its time with each
 * value. Where there are outputs among them, each member that has one goes as it is, so that what is not known yet is only that.
 */
export function givenMembers(
  property: string,
  given: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const set = Object.entries(given).filter(([, value]) => value !== undefined);
  if (set.length === 0) return {};
  const forms = Object.fromEntries(set);
  if (isPlain(forms)) return { [property]: pack(JSON.stringify(forms)) };
  return {
    [property]: Object.fromEntries(set.map(([form, value]) => [form, partly(value)])),
    // Whether a secret is among them is known only when all outputs are.
    [GUARDED]: sdk.output(sdk.isSecret(sdk.output(forms))).apply((isSecret) => (isSecret ? true : undefined)),
  };
}

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
