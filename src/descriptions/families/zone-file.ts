import { RECORD_TYPES } from "../../api/records";
import { nearest } from "../../provider/nearest";
import { type Properties } from "../../provider/values";

/** A record of a zone file, with the line that it begins on. */
export interface ZoneRecord {
  readonly line: number;
  readonly inputs: Properties;
}

export interface ZoneProblem {
  readonly line: number;
  readonly reason: string;
}

interface Token {
  readonly text: string;
  readonly quoted: boolean;
}

/** One entry of the file, its continuation lines included. */
interface Line {
  readonly number: number;
  /** Whether it begins with a blank: its owner is then that of the entry before. */
  readonly indented: boolean;
  readonly tokens: readonly Token[];
}

/** A problem in an entry. The others are read all the same, so that all problems are told at once. */
class Refusal extends Error {}

const refuse = (reason: string): never => {
  throw new Refusal(reason);
};

const TTL_UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 };
const TTL = /^(?:\d+[smhdw])+$|^\d+$/i;
const CLASSES = new Set(["IN", "CH", "HS", "CS"]);
/** The types whose data ends in a name. */
const NAMES: ReadonlySet<string> = new Set(["NS", "MX", "CNAME", "SRV", "PTR"]);
const types: ReadonlySet<string> = new Set(RECORD_TYPES);

/**
 * The records of a zone file in the form of BIND (RFC 1035, 5), as inputs of a record: names relative to the zone, targets whole. The SOA
 * says where the zone begins, or else the first `$ORIGIN`; it is no record of the API's.
 */
export function parseZone(text: string): { records: ZoneRecord[]; problems: ZoneProblem[] } {
  const problems: ZoneProblem[] = [];
  const records: ZoneRecord[] = [];
  const attempt = (number: number, step: () => void) => {
    try {
      step();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      problems.push({ line: number, reason: error.message });
    }
  };
  let lines: readonly Line[] = [];
  attempt(0, () => {
    lines = linesOf(text, (line, reason) => problems.push({ line, reason }));
  });
  const zone = new Zone(apexOf(lines));
  for (const line of lines) {
    attempt(line.number, () => {
      const inputs = zone.read(line);
      if (inputs !== undefined) records.push({ line: line.number, inputs });
    });
  }
  return { records, problems };
}

/** The entries of a file: comments dropped, parentheses joined, strings unquoted. */
function linesOf(text: string, problem: (line: number, reason: string) => void): Line[] {
  const lines: Line[] = [];
  let number = 1;
  let depth = 0;
  const isBlankAt = (index: number) => /[^\S\r\n]/.test(text.charAt(index));
  let entry: { number: number; indented: boolean; tokens: Token[] } = {
    number,
    indented: isBlankAt(0),
    tokens: [],
  };
  const finish = () => {
    if (entry.tokens.length > 0) lines.push(entry);
  };
  // A comment, a string, a parenthesis, an end of line, blanks, or a word with its escapes.
  const pattern = /;[^\r\n]*|"((?:[^"\\\r\n]|\\.)*)("?)|[()]|\r\n|\r|\n|[^\S\r\n]+|(?:[^\s;"()\\]|\\.)+|\\/g;
  for (const match of text.matchAll(pattern)) {
    const [part, quoted, close] = match;
    if (/^[\r\n]/.test(part)) {
      number++;
      if (depth === 0) {
        finish();
        entry = { number, indented: isBlankAt(match.index + part.length), tokens: [] };
      }
    } else if (quoted !== undefined) {
      if (close !== '"') problem(number, "has a string without its closing quotation mark");
      entry.tokens.push({ text: unescaped(quoted), quoted: true });
    } else if (part === "(") depth++;
    else if (part === ")") depth = Math.max(0, depth - 1);
    else if (!/^[;\s]/.test(part)) entry.tokens.push({ text: part, quoted: false });
  }
  finish();
  if (depth > 0) problem(entry.number, "has a parenthesis that is not closed");
  return lines;
}

/** `\"` is a quotation mark, `\065` the octet of that number. Octets that are not ASCII are UTF-8. */
function unescaped(text: string): string {
  if (!text.includes("\\")) return text;
  const octets: number[] = [];
  for (const [part] of text.matchAll(/\\\d{3}|\\[^]|[^\\]+/g)) {
    if (/^\\\d{3}$/.test(part)) octets.push(Number(part.slice(1)) & 0xff);
    else octets.push(...Buffer.from(part.startsWith("\\") ? part.slice(1) : part));
  }
  return Buffer.from(octets).toString();
}

/** Where the zone begins, as an absolute name; undefined where the file does not say. */
function apexOf(lines: readonly Line[]): string | undefined {
  let origin: string | undefined;
  let first: string | undefined;
  let owner: string | undefined;
  for (const { tokens, indented } of lines) {
    const [word, argument] = tokens;
    if (word?.text.toUpperCase() === "$ORIGIN" && argument !== undefined) {
      origin = absolute(argument.text, origin);
      first ??= origin;
    } else if (word !== undefined && !word.text.startsWith("$")) {
      if (!indented) owner = absolute(word.text, origin);
      if (
        tokens.slice(indented ? 0 : 1, 5).some(({ text, quoted }) => !quoted && text.toUpperCase() === "SOA")
      )
        return owner ?? origin;
    }
  }
  return first;
}

function absolute(name: string, origin: string | undefined): string | undefined {
  if (name === "@") return origin;
  if (name.endsWith(".")) return name;
  return origin === undefined ? undefined : `${name}.${origin === "." ? "" : origin}`;
}

/** Reads entries one after the other: what is left out is that of the entry before. */
class Zone {
  /** The origin, relative to nothing where the file does not say what the zone is called. */
  #origin: string | undefined;
  #ttl: number | undefined;
  #owner: { readonly name: string | undefined } | undefined;

  constructor(private readonly apex: string | undefined) {
    this.#origin = apex;
  }

  read({ tokens, indented }: Line): Properties | undefined {
    const [first] = tokens;
    if (first !== undefined && !first.quoted && first.text.startsWith("$")) {
      this.#direct(first.text.toUpperCase(), tokens.slice(1));
      return undefined;
    }
    if (!indented && first !== undefined) this.#owner = { name: this.#relative(first.text) };
    if (this.#owner === undefined) return refuse("has no name, and neither has the record before it");
    return this.#record(this.#owner.name, indented ? tokens : tokens.slice(1));
  }

  #direct(directive: string, [argument]: readonly Token[]): void {
    switch (directive) {
      case "$ORIGIN":
        if (argument === undefined) return refuse("is $ORIGIN without a name");
        this.#origin =
          absolute(argument.text, this.#origin) ??
          refuse(`is $ORIGIN with ${argument.text}, which must end with a period`);
        return;
      case "$TTL":
        this.#ttl = secondsIn(argument?.text ?? "") ?? refuse("is $TTL without a time such as 3600 or 1h");
        return;
      case "$INCLUDE":
        return refuse("is $INCLUDE, which is not followed: join the files in the program");
      case "$GENERATE":
        return refuse(
          "is $GENERATE, which is not carried out: write the records, or make them in the program with records",
        );
      default:
        return refuse(`is ${directive}, which is not known`);
    }
  }

  #record(name: string | undefined, tokens: readonly Token[]): Properties | undefined {
    let ttl = this.#ttl;
    let rest = tokens;
    for (let [next] = rest; next !== undefined && !next.quoted; [next] = rest) {
      const word = next.text.toUpperCase();
      if (TTL.test(word)) ttl = secondsIn(word);
      else if (!CLASSES.has(word)) break;
      else if (word !== "IN") return refuse(`is of class ${word}; only IN is served`);
      rest = rest.slice(1);
    }
    const [kind, ...data] = rest;
    if (kind === undefined) return refuse("has no type");
    const type = kind.text.toUpperCase();
    // What it says is in the inputs of the domain.
    if (type === "SOA") return undefined;
    if (!types.has(type)) {
      const meant = nearest(type, RECORD_TYPES);
      return refuse(
        `is of type ${type}, which the service does not have${meant === undefined ? "" : `; did you mean ${meant}?`}`,
      );
    }
    return {
      ...placed(name, type),
      type,
      ...this.#data(type, data),
      ...(ttl === undefined ? {} : { ttlSec: ttl }),
    };
  }

  #data(type: string, data: readonly Token[]): Properties {
    const words = data.map(({ text }) => text);
    const expect = (count: number, form: string) =>
      words.length === count ? undefined : refuse(`must have ${form} after ${type}`);
    switch (type) {
      case "TXT":
        if (words.length === 0) return refuse("must have a text after TXT");
        // A text of several strings is one: they are joined as they are (RFC 7208, 3.3).
        return { target: data.map(({ text, quoted }) => (quoted ? text : unescaped(text))).join("") };
      case "MX":
        expect(2, "a priority and a name");
        return { priority: whole(words[0]), target: this.#whole(words[1] ?? "") };
      case "SRV":
        expect(4, "priority, weight, port and a name");
        return {
          priority: whole(words[0]),
          weight: whole(words[1]),
          port: whole(words[2]),
          target: this.#whole(words[3] ?? ""),
        };
      case "CAA":
        expect(3, "flags, a tag and a value");
        if (words[0] !== "0") return refuse("has CAA flags, and the service keeps none: they must be 0");
        return { tag: words[1]?.toLowerCase(), target: words[2] };
      default:
        expect(1, NAMES.has(type) ? "a name" : "an address");
        return { target: NAMES.has(type) ? this.#whole(words[0] ?? "") : words[0] };
    }
  }

  /** A target as the service takes it: absolute, without its last period. */
  #whole(name: string): string {
    const target =
      absolute(name, this.#origin) ??
      refuse(
        `has the target ${name}, which is relative, and no $ORIGIN says to what: begin the file with one`,
      );
    return target === "." ? target : target.replace(/\.$/, "");
  }

  /** A name below the zone; undefined for the zone itself. */
  #relative(name: string): string | undefined {
    if (this.apex === undefined) {
      if (!name.endsWith(".")) return name === "@" ? undefined : name;
      return refuse(
        `has the name ${name}, and nothing says where the zone begins: begin the file with $ORIGIN`,
      );
    }
    const whole = absolute(name, this.#origin) ?? name;
    const [own, apex] = [whole.toLowerCase(), this.apex.toLowerCase()];
    if (own === apex) return undefined;
    if (!own.endsWith(`.${apex}`))
      return refuse(`has the name ${whole}, which is not in the zone ${this.apex}`);
    return whole.slice(0, -apex.length - 1);
  }
}

/** Of `_sip._tcp.pbx` the service and protocol apart, as the API keeps them. */
function placed(name: string | undefined, type: string): Properties {
  const parts = type === "SRV" ? /^_([^_.][^.]*)\._([^_.][^.]*)(?:\.(.+))?$/.exec(name ?? "") : null;
  if (parts === null) return name === undefined ? {} : { name };
  const [, service, protocol, rest] = parts;
  return { service, protocol, ...(rest === undefined ? {} : { name: rest }) };
}

const whole = (text = ""): number =>
  /^\d+$/.test(text) ? Number(text) : refuse(`must have a whole number in place of ${text}`);

/** `1h30m` is 5400. */
function secondsIn(text: string): number | undefined {
  if (!TTL.test(text)) return undefined;
  if (/^\d+$/.test(text)) return Number(text);
  return [...text.toLowerCase().matchAll(/(\d+)([smhdw])/g)].reduce(
    (sum, [, amount, unit]) => sum + Number(amount) * (TTL_UNITS[unit ?? ""] ?? 0),
    0,
  );
}
