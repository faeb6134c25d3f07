import { createHash } from "node:crypto";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { type Call } from "./call";
import { isObject } from "../base/values";

/** Within the input that holds a collection's members: the forms in which the program gives them, each part as a text. */
export const FORMS = "__forms";

/**
 * Packed members exist for speed only. The engine's protocol is slow with long texts, so the program hands the members over as a compressed
 * text behind its hash. The state keeps the hash, and a text of the same hash is not looked into.
 */

/** Packs a text. */
export function pack(text: string): string {
  const hash = createHash("sha256").update(text).digest("base64");
  return `${hash}:${deflateRawSync(text, { level: 1 }).toString("base64")}`;
}

/**
 * Whether the members are those of the last time: a packed text of the same hash, or the state's own text, which `ignoreChanges` hands over.
 * The hash is missing after a refresh that found drift, and if the members may contain a secret.
 */
export function isGivenAgain(property: string, olds: Call | undefined, given: unknown): olds is Call {
  const before = olds?.inputs[property];
  if (typeof before !== "string") return false;
  const hash = hashOf(given);
  return given === before || (hash !== undefined && olds?.given === hash);
}

/** The members in the forms of the program. The class hands them over as a packed text, as a text for each part, or as plain values. */
export function formsOf(
  { property, forms }: { readonly property: string; readonly forms: readonly string[] },
  inputs: Readonly<Record<string, unknown>>,
): unknown {
  const given = inputs[property];
  const hash = hashOf(given);
  if (hash !== undefined)
    return inflateRawSync(Buffer.from(String(given).slice(hash.length + 1), "base64")).toString();
  if (isObject(given) && FORMS in given) return given[FORMS];
  return Object.fromEntries(forms.flatMap((form) => (inputs[form] == null ? [] : [[form, inputs[form]]])));
}

const PACKED = /^[A-Za-z0-9+/]{43}=:/;

/** The hash of a packed text; undefined for anything else. */
export const hashOf = (given: unknown): string | undefined =>
  typeof given === "string" ? PACKED.exec(given)?.[0].slice(0, -1) : undefined;
