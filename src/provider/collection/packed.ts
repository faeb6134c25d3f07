import { createHash } from "node:crypto";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { FORMS, GIVEN } from "../state/hidden";
import { isObject, type Properties } from "../state/values";

/**
 * A text made small for its way from the program to the plugin, behind a hash of it: the engine's protocol takes its time with long texts, and
 * of one that is the same as the last time nothing but the hash is looked at.
 */
export function pack(text: string): string {
  const hash = createHash("sha256").update(text).digest("base64");
  return `${hash}:${deflateRawSync(text, { level: 1 }).toString("base64")}`;
}

const PACKED = /^[A-Za-z0-9+/]{43}=:/;

/** The hash of a packed text; undefined for anything else. */
export const hashOf = (given: unknown): string | undefined =>
  typeof given === "string" ? PACKED.exec(given)?.[0].slice(0, -1) : undefined;

/**
 * Whether what is given is that of the last time: a packed text of the same hash, or the state's own text, which `ignoreChanges` hands over. A
 * refresh that found drift drops the hash, and so does what may hold a secret.
 */
export function isGivenAgain(property: string, olds: Properties, given: unknown): boolean {
  if (typeof olds[property] !== "string") return false;
  const hash = hashOf(given);
  return given === olds[property] || (hash !== undefined && olds[GIVEN] === hash);
}

/** The text that was packed; anything else as it is. */
export function unpack(given: unknown): unknown {
  const hash = hashOf(given);
  return hash === undefined
    ? given
    : inflateRawSync(Buffer.from(String(given).slice(hash.length + 1), "base64")).toString();
}

/** The members as the plugin is handed them, in the forms in which programs give them: one text, each part as a text, or as they are. */
export function formsOf(
  { property, forms }: { readonly property: string; readonly forms: readonly string[] },
  inputs: Readonly<Record<string, unknown>>,
): unknown {
  const given = inputs[property];
  if (hashOf(given) !== undefined) return unpack(given);
  if (isObject(given) && FORMS in given) return given[FORMS];
  return Object.fromEntries(forms.flatMap((form) => (inputs[form] == null ? [] : [[form, inputs[form]]])));
}
