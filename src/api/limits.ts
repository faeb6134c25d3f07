/** How large an answer, or a list, may be. docs/api-client.md gives the reasons. */
export const LIMITS = {
  /** Of the body of an answer, after unpacking. */
  bytes: 16 * 1024 * 1024,
  /** Of the body as it comes over the connection. */
  packedBytes: 16 * 1024 * 1024,
  /** Of the body of an answer that is an error. */
  errorBytes: 256 * 1024,
  /** How deep lists and objects may lie in each other. */
  depth: 64,
  /** How many values of any kind an answer may hold. */
  values: 500_000,
  /** How many pages a list may have. */
  pages: 4_000,
  /** How many pages may be added to a list while it is read. */
  growth: 100,
  /** How many pages in a row may bring nothing that was not on a page before. */
  repeats: 3,
  /** How many items a list may have. */
  items: 200_000,
} as const;

/** Which bound an answer has gone over. Those of time and headers are given elsewhere: by `timeoutMs`, and by Node.js. */
export type Limit = keyof typeof LIMITS | "time" | "headers";

/** How much of the service's own words a message repeats. */
export const WORDS = { reasons: 10, reason: 500, field: 100 } as const;

/** Thrown inside of the client where an answer goes over a bound. */
export class OverLimit extends Error {
  constructor(
    readonly limit: Limit,
    readonly status?: number,
  ) {
    super(`over the limit of ${limit}`);
  }
}

/** The bound of its JSON that a text goes over. It is looked at before it is parsed: what it would become takes many times its room. */
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
