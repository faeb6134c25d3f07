const REDACTED = "[redacted]";

/** Fields of requests and answers whose values are never shown. */
const SECRET_FIELDS = ["root_pass", "password", "user_data", "stackscript_data", "token", "authorization"];

/** The values of secret fields anywhere in a request body. */
export function secretsIn(value: unknown, key = ""): string[] {
  if (SECRET_FIELDS.includes(key.toLowerCase())) return texts(value);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => secretsIn(inner, name));
}

/** Every text in a value, however deep. */
function texts(value: unknown): string[] {
  if (typeof value === "string") return value === "" ? [] : [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(texts);
}

/** Shorter values are no secrets, but would tear holes into every message. */
const SHORTEST_SECRET = 4;

/** The text without these secrets, in the spellings a server may echo them in, and without what looks like one by its place. */
export function redact(text: string, secrets: readonly string[]): string {
  const real = secrets.filter((secret) => secret.length >= SHORTEST_SECRET);
  const spellings = real.flatMap((secret) => [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
    htmlEscaped(secret),
  ]);
  // The longest first, so that no part of a secret is left where another one is a piece of it.
  const known = [...new Set(spellings)]
    .sort((a, b) => b.length - a.length)
    .reduce((rest, secret) => rest.replaceAll(secret, REDACTED), text);
  return known
    .replace(/\b(bearer|basic)\s+[^\s"'<>,;]+/gi, `$1 ${REDACTED}`)
    .replace(
      new RegExp(`("(?:${SECRET_FIELDS.join("|")})"\\s*:\\s*)"(?:[^"\\\\]|\\\\.)*"?`, "gi"),
      `$1"${REDACTED}"`,
    );
}

/** The start of a text on one line, for messages, redacted before it is cut so that no half of a secret stays. */
export function excerpt(text: string, secrets: readonly string[], length = 100): string {
  const line = redact(text, secrets).replace(/\s+/g, " ").trim();
  return line.length <= length ? line : `${line.slice(0, length)}…`;
}

/** What may be kept of a lower layer's error: its name, code and redacted message. Never the error itself, which can hold the request. */
export function safeCause(error: unknown, secrets: readonly string[]): Error | undefined {
  if (!(error instanceof Error)) return undefined;
  const safe = new Error(redact(error.message, secrets));
  safe.name = error.name;
  const code = codeOf(error);
  return code === undefined ? safe : Object.assign(safe, { code });
}

/** The code of a system error: `ECONNRESET`. */
export function codeOf(error: unknown): string | undefined {
  return typeof error === "object" && error !== null && "code" in error && typeof error.code === "string"
    ? error.code
    : undefined;
}

function htmlEscaped(text: string): string {
  const entities: Readonly<Record<string, string>> = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&quot;",
    "'": "&#39;",
  };
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}
