/** The length of the secret that begins at this position of a text. 0 if none does. */
export type Find = (at: number) => number;

/** Values that messages must not show. */
export interface Secrets {
  /** Returns a function that finds the secrets in a text. Undefined if there are no secrets. */
  in(text: string): Find | undefined;
}

export const noSecrets: Secrets = { in: () => undefined };

/**
 * A secret of this length is found anywhere in a text. A shorter one may be a word of any message, so it is found only in quotes, as values
 * are quoted. A single character is never a secret.
 */
const TELLING = 4;
/** How a truncated secret is recognised: by this many first characters at the end of a text, or by an ellipsis after them. */
const CUT = { atEnd: 8, before: /^(…|\.\.\.|\\u2026)/ };
const QUOTE = /["'`]/;

/**
 * A growing set of secrets. It finds them in the spellings in which a server or a message may repeat them: escaped for JSON, HTML and URLs,
 * in base64 (also inside a longer base64 text), in hexadecimal, in upper or lower case, and truncated.
 */
export class SecretValues implements Secrets {
  readonly #values = new Set<string>();
  readonly #short = new Set<string>();
  /** Spellings, by their first characters. */
  readonly #spellings = new Map<string, Set<string>>();
  #unspelt: string[] = [];

  /** @param others more secrets to find */
  constructor(
    values: Iterable<string> = [],
    private readonly others: Secrets = noSecrets,
  ) {
    this.add(values);
  }

  add(values: Iterable<string>): void {
    for (const value of values) {
      const text = value.trim();
      if (this.#values.has(text) || text.length < 2) continue;
      this.#values.add(text);
      if (text.length < TELLING) this.#short.add(text.toLowerCase());
      else this.#unspelt.push(text);
    }
  }

  in(text: string): Find | undefined {
    const others = this.others.in(text);
    if (this.#values.size === 0) return others;
    this.#spell();
    const low = lowered(text);
    return (at) =>
      Math.max(
        this.#spellingAt(low, at),
        this.#short.size === 0 ? 0 : this.#shortAt(low, at),
        others?.(at) ?? 0,
      );
  }

  /** Computes the spellings on first use, as most processes print nothing that must be searched. */
  #spell(): void {
    for (const value of this.#unspelt) {
      for (const spelling of spellingsOf(value)) {
        const low = lowered(spelling);
        if (low.length < TELLING) continue;
        const key = low.slice(0, TELLING);
        this.#spellings.set(key, (this.#spellings.get(key) ?? new Set()).add(low));
      }
    }
    this.#unspelt = [];
  }

  #spellingAt(text: string, at: number): number {
    let longest = 0;
    for (const spelling of this.#spellings.get(text.slice(at, at + TELLING)) ?? []) {
      const length = text.startsWith(spelling, at) ? spelling.length : cutAt(text, at, spelling);
      longest = Math.max(longest, length);
    }
    return longest;
  }

  #shortAt(text: string, at: number): number {
    if (at === 0 || !QUOTE.test(text.charAt(at - 1))) return 0;
    for (let length = TELLING - 1; length > 1; length--) {
      if (this.#short.has(text.slice(at, at + length)) && QUOTE.test(text.charAt(at + length))) return length;
    }
    return 0;
  }
}

/** The length of a truncated secret, or 0 if the text goes on differently. */
function cutAt(text: string, at: number, spelling: string): number {
  let length = TELLING;
  while (length < spelling.length && text.charCodeAt(at + length) === spelling.charCodeAt(length)) length++;
  const isAtEnd = at + length === text.length && length >= CUT.atEnd;
  return isAtEnd || CUT.before.test(text.slice(at + length, at + length + 6)) ? length : 0;
}

/** Lowers ASCII letters only, so each character keeps its position. */
const lowered = (text: string): string => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

function spellingsOf(value: string): Set<string> {
  const decoded = decodedFrom(value);
  const forms = [...formsOf(value), ...(decoded === undefined ? [] : formsOf(decoded))];
  return new Set(
    forms.flatMap((form) => [
      form,
      inJson(form),
      inJson(inJson(form)),
      inAsciiJson(form),
      inJson(form).replaceAll("/", "\\/"),
      inAddress(form),
      inAddress(form).replaceAll("%20", "+"),
      inWholeAddress(form),
      htmlEscaped(form, { '"': "&quot;", "'": "&#39;" }),
      htmlEscaped(form, { '"': "&#34;", "'": "&#x27;" }),
      Buffer.from(form).toString("hex"),
      ...inBase64(form),
    ]),
  );
}

/** A text and its longer lines, as a message may repeat a single line. */
function formsOf(text: string): string[] {
  const lines = text.split(/[\r\n]+/).map((line) => line.trim());
  return [
    text,
    onOneLine(text),
    text.replace(/\s+/g, " "),
    ...lines.filter((line) => line.length >= 2 * TELLING),
  ];
}

/** Characters that no text contains: control characters, and the mark of invalid UTF-8. */
const NO_TEXT = /[\p{Cc}\ufffd]/u;

/** The text that a base64 value encodes, such as user data: a service may repeat the decoded text. */
function decodedFrom(value: string): string | undefined {
  const packed = value.replace(/\s+/g, "");
  if (!/^[\w+/-]+={0,2}$/.test(packed)) return undefined;
  const text = Buffer.from(packed, "base64").toString("utf8");
  return text.trim().length < 2 * TELLING || NO_TEXT.test(text.replace(/[\t\r\n]/g, ""))
    ? undefined
    : text.trim();
}

const onOneLine = (text: string) => text.replace(/\s*[\r\n]+\s*/g, " ");
const inJson = (text: string) => JSON.stringify(text).slice(1, -1);
const inAsciiJson = (text: string) =>
  inJson(text).replace(
    /[^\x20-\x7e]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

/** An unpaired surrogate has no URL encoding. */
const inAddress = (text: string) => encodeURIComponent(text.replace(/\p{Cs}/gu, "\ufffd"));

/** URL separators stay unchanged. */
const inWholeAddress = (text: string) => encodeURI(text.replace(/\p{Cs}/gu, "\ufffd"));

const htmlEscaped = (text: string, quotes: Readonly<Record<string, string>>) => {
  const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", ...quotes };
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
};

/** The base64 of a text, and the part of it that is the same inside the base64 of a longer text, for each of the three offsets. */
function inBase64(text: string): string[] {
  const bytes = Buffer.from(text);
  const within = [0, 1, 2].map((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
    return encoded.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
  });
  const all = [bytes.toString("base64"), bytes.toString("base64url"), ...within];
  return [...all, ...all.map((one) => one.replaceAll("+", "-").replaceAll("/", "_"))];
}
