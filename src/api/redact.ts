import { type Secrets } from "./secrets";
import { printableLine } from "./text";

const REDACTED = "[redacted]";

/** Fields of requests and answers whose values are never shown. */
const SECRET_FIELDS = ["root_pass", "password", "user_data", "stackscript_data", "token", "authorization"];

const BY_CREDENTIAL = /\b(bearer|basic)\s+[^\s"'<>,;]+/gi;
const BY_FIELD = new RegExp(`("(?:${SECRET_FIELDS.join("|")})"\\s*:\\s*)"(?:[^"\\\\]|\\\\.)*"?`, "gi");

/** The values of secret fields anywhere in a request body. */
export function secretsIn(value: unknown, key = ""): string[] {
  if (SECRET_FIELDS.includes(key.toLowerCase()))
    return leavesIn(value).filter((leaf) => typeof leaf === "string");
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => secretsIn(inner, name));
}

/** The texts and numbers in a value, at any depth. Booleans reveal nothing. */
export const textsIn = (value: unknown): string[] =>
  leavesIn(value).flatMap((leaf) =>
    typeof leaf === "string" || typeof leaf === "number" ? [String(leaf)] : [],
  );

const leavesIn = (value: unknown): unknown[] =>
  typeof value === "object" && value !== null ? Object.values(value).flatMap(leavesIn) : [value];

/** Removes these secrets from a text, in every spelling that may be echoed, and values that look like a secret from their context. */
export const redact = (text: string, secrets: Secrets): string =>
  withoutValues(text, secrets).replace(BY_CREDENTIAL, `$1 ${REDACTED}`).replace(BY_FIELD, `$1"${REDACTED}"`);

function withoutValues(text: string, secrets: Secrets): string {
  const find = secrets.in(text);
  if (find === undefined) return text;
  const kept: string[] = [];
  let from = 0;
  for (let at = 0; at < text.length;) {
    const length = find(at);
    if (length > 0) kept.push(text.slice(from, at), REDACTED);
    at += Math.max(1, length);
    if (length > 0) from = at;
  }
  return kept.length === 0 ? text : kept.join("") + text.slice(from);
}

/** How much of a text an excerpt reads, as a multiple of its length: an escape can be ten times as long as its character. */
const LOOKED_AT = 10;

/** The start of a text on one printable line, for messages. It is redacted before it is cut, so no part of a secret remains. */
export function excerpt(text: string, secrets: Secrets, length = 100): string {
  const start = text.trimStart().slice(0, LOOKED_AT * length + 1000);
  const line = printableLine(redact(start, secrets).replace(/\s+/g, " "));
  return line.length <= length ? line : `${line.slice(0, length)}…`;
}

/** A safe copy of a lower layer's error: its name, code and redacted message. The error itself can contain the request. */
export function safeCause(error: unknown, secrets: Secrets): Error | undefined {
  if (!(error instanceof Error)) return undefined;
  const safe = new Error(printableLine(redact(error.message, secrets)));
  safe.name = error.name;
  const code = codeOf(error);
  return code === undefined ? safe : Object.assign(safe, { code });
}

/** The message of an error. It does not use `instanceof`: in jest, system errors come from another realm. */
export const messageIn = (error: unknown): string =>
  typeof error === "object" && error !== null && "message" in error ? String(error.message) : String(error);

/** The code of a system error: `ECONNRESET`. */
export const codeOf = (error: unknown): string | undefined =>
  typeof error === "object" && error !== null && "code" in error && typeof error.code === "string"
    ? error.code
    : undefined;
