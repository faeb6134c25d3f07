import { createHash } from "node:crypto";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { FORMS, GIVEN } from "../../state/hidden-properties";
import { isObject, type Properties } from "../../state/values";

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
export function isGivenAgain(property: string, olds: Properties, given: unknown): boolean {
  if (typeof olds[property] !== "string") return false;
  const hash = hashOf(given);
  return given === olds[property] || (hash !== undefined && olds[GIVEN] === hash);
}

/** Has the state remember the given members by their hash. */
export function rememberGiven(inputs: Properties, given: unknown): void {
  const hash = hashOf(given);
  if (hash !== undefined) inputs[GIVEN] = hash;
}

/** Keeps what the state remembers of them. */
export function keepGiven(inputs: Properties, olds: Properties): void {
  if (olds[GIVEN] !== undefined) inputs[GIVEN] = olds[GIVEN];
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
