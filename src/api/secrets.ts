/** How long a secret is that begins at this place of a text; 0 where none does. */
export type Find = (at: number) => number;

/** Values that no message may show. */
export interface Secrets {
  /** Finds them in a text; undefined where there are none to find. */
  in(text: string): Find | undefined;
}

export const noSecrets: Secrets = { in: () => undefined };

/**
 * So many characters of a secret tell it from other text wherever they stand. A shorter one counts only where it stands in quotes, as values do: it
 * may be a word of any message. One of a single character counts nowhere.
 */
const TELLING = 4;
/** So many of its first characters at the end of a text, or before an ellipsis, are a secret that was cut off. */
const CUT = { atEnd: 8, before: /^(…|\.\.\.|\\u2026)/ };
const QUOTE = /["'`]/;

/**
 * A growing collection of secrets. They are found in the spellings in which a server, or a message, may repeat them: escaped for JSON, HTML
 * and addresses, in base64 (also in the middle of a longer one) and in hexadecimal, in any case, and cut off.
 */
export class SecretValues implements Secrets {
  readonly #values = new Set<string>();
  readonly #short = new Set<string>();
  /** By their first characters. */
  readonly #spellings = new Map<string, Set<string>>();
  #unspelt: string[] = [];

  /** @param others found as well */
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

  /** Most processes print nothing that has to be looked through. */
  #spell(): void {
    for (const value of this.#unspelt) {
      for (const spelling of spellingsOf(value)) {
        const low = lowered(spelling);
        if (low.length < TELLING) continue;
        const key = low.slice(0, TELLING);
        const alike = this.#spellings.get(key);
        if (alike === undefined) this.#spellings.set(key, new Set([low]));
        else alike.add(low);
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

/** The length of the start of a secret after which the text leaves off. */
function cutAt(text: string, at: number, spelling: string): number {
  let length = TELLING;
  while (length < spelling.length && text.charCodeAt(at + length) === spelling.charCodeAt(length)) length++;
  const isAtEnd = at + length === text.length && length >= CUT.atEnd;
  return isAtEnd || CUT.before.test(text.slice(at + length, at + length + 6)) ? length : 0;
}

/** Of ASCII letters only, which keeps each character at its place. */
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

/** A text with its longer lines, each of which may be repeated by itself. */
function formsOf(text: string): string[] {
  const lines = text.split(/[\r\n]+/).map((line) => line.trim());
  return [
    text,
    onOneLine(text),
    text.replace(/\s+/g, " "),
    ...lines.filter((line) => line.length >= 2 * TELLING),
  ];
}

/** What no text has: control characters, and what is no UTF-8. */
const NO_TEXT = /[\p{Cc}\ufffd]/u;

/** The text of which a value is the base64, as the API wants user data: a service may repeat what it has decoded. */
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

/** A half of a character has no spelling in an address. */
const inAddress = (text: string) => encodeURIComponent(text.replace(/\p{Cs}/gu, "\ufffd"));

/** The characters that part an address stay as they are. */
const inWholeAddress = (text: string) => encodeURI(text.replace(/\p{Cs}/gu, "\ufffd"));

const htmlEscaped = (text: string, quotes: Readonly<Record<string, string>>) => {
  const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", ...quotes };
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
};

/** By itself, and what stays the same of it in the base64 of a longer text, at each of the three places where it can begin. */
function inBase64(text: string): string[] {
  const bytes = Buffer.from(text);
  const within = [0, 1, 2].map((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
    return encoded.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
  });
  const all = [bytes.toString("base64"), bytes.toString("base64url"), ...within];
  return [...all, ...all.map((one) => one.replaceAll("+", "-").replaceAll("/", "_"))];
}
