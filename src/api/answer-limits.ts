/** Limits on the size of an answer and of a list. docs/api-client.md gives the reasons. */
export const LIMITS = {
  /** The body of an answer, after decompression. */
  bytes: 16 * 1024 * 1024,
  /** The body of an answer, before decompression. */
  packedBytes: 16 * 1024 * 1024,
  /** The body of an error answer. */
  errorBytes: 256 * 1024,
  /** How deep lists and objects may be nested. */
  depth: 64,
  /** How many values of any type an answer may contain. */
  values: 500_000,
  /** How many pages a list may have. */
  pages: 4_000,
  /** How many pages may be added to a list while it is read. */
  growth: 100,
  /** How many consecutive pages may contain only items of earlier pages. */
  repeats: 3,
  /** How many items a list may have. */
  items: 200_000,
} as const;

/** The limit that an answer exceeds. `timeoutMs` sets the limit of time, and Node.js that of headers. */
export type Limit = keyof typeof LIMITS | "time" | "headers";

/** How much of the API's text a message repeats. */
export const WORDS = { reasons: 10, reason: 500, field: 100 } as const;

/** Thrown inside the client if an answer exceeds a limit. */
export class OverLimit extends Error {
  constructor(
    readonly limit: Limit,
    readonly status?: number,
  ) {
    super(`over the limit of ${limit}`);
  }
}

/** Returns the limit that a JSON text exceeds. The check comes before parsing, as the parsed value takes many times the memory. */
export function overJsonLimit(text: string): "depth" | "values" | undefined {
  let depth = 0;
  let values = 1;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        at = endOfString(text, at);
        break;
      case OPEN_LIST:
      case OPEN_OBJECT:
        values++;
        if (++depth > LIMITS.depth) return "depth";
        break;
      case CLOSE_LIST:
      case CLOSE_OBJECT:
        depth--;
        break;
      case COMMA:
        values++;
    }
    if (values > LIMITS.values) return "values";
  }
  return undefined;
}

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text.charCodeAt(end - 1 - escapes) === BACKSLASH) escapes++;
    if (escapes % 2 === 0) return end;
  }
  return text.length;
}
