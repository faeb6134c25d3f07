import { jsonIn } from "../base/json";
import { kinds } from "../kinds";

/** Fields whose values are credentials. The log does not keep them, and the page does not show them. */
const SECRETS = ["token", "authorization", ...kinds.flatMap(({ secrets }) => secrets)];

/** Fields that can contain a program's own secrets. The log keeps them for tests, and the page does not show them. */
const PRIVATE = kinds.flatMap(({ privateInputs }) => privateInputs);

const NEVER_KEPT: ReadonlySet<string> = new Set(SECRETS);
const NEVER_SHOWN: ReadonlySet<string> = new Set([...SECRETS, ...PRIVATE]);
const NAMES_A_SECRET = new RegExp(SECRETS.join("|"), "i");

const REDACTED = "[redacted]";

function without(names: ReadonlySet<string>, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => without(names, item));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      names.has(key.toLowerCase()) && inner !== null ? REDACTED : without(names, inner),
    ]),
  );
}

/** Returns the value without credentials. The log of requests keeps this form. */
export const keepable = (value: unknown): unknown =>
  typeof value === "string" ? keepableText(value, value.length) : without(NEVER_KEPT, value);

/** Returns the value without credentials and private inputs. The page shows this form. */
export const showable = (value: unknown): unknown => without(NEVER_SHOWN, value);

/** Returns the start of a text without credentials. A text that names a credential and is not JSON is replaced as a whole. */
export function keepableText(text: string, length: number): string {
  if (!NAMES_A_SECRET.test(text.slice(0, length))) return startOf(text, length);
  const value = jsonIn(text);
  if (typeof value !== "object") return `[redacted: ${text.length} characters]`;
  return startOf(JSON.stringify(without(NEVER_KEPT, value)), length);
}

function startOf(text: string, length: number): string {
  if (text.length <= length) return text;
  // A copy: a slice would keep the whole text in memory.
  const start = Buffer.from(text.slice(0, length)).toString();
  return `${start}… [${text.length} characters]`;
}
