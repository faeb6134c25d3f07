import { RECORD_TYPES } from "../../api/records";
import { type Properties } from "../../provider/base/values";

/** A record of a zone file, with the line that it begins on. */
export interface ZoneRecord {
  readonly line: number;
  readonly inputs: Properties;
}

export interface ZoneProblem {
  readonly line: number;
  readonly reason: string;
}

/** A word or a string, with its escapes. They stay in names, because `a\.b` is one label. */
interface Token {
  readonly text: string;
  readonly quoted: boolean;
}

/** One entry of the file, including its continuation lines. */
interface Entry {
  readonly line: number;
  /** Whether it begins with a blank. It then has the owner of the previous entry. */
  readonly indented: boolean;
  readonly tokens: readonly Token[];
  /** Why it cannot be read. */
  readonly fault?: string | undefined;
}

/** A problem in an entry. The parser still reads the others, so that it reports all problems at once. */
class Refusal extends Error {}

const refuse = (reason: string): never => {
  throw new Refusal(reason);
};

const TTL_UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 };
const CLASSES = new Set(["IN", "CH", "HS", "CS"]);
/** The types whose data ends in a name. */
const NAMES: ReadonlySet<string> = new Set(["NS", "MX", "CNAME", "SRV", "PTR"]);
const types: ReadonlySet<string> = new Set(RECORD_TYPES);

/** Stands for the zone's name if the file does not say it. Without escapes, no file can contain this name. */
const UNNAMED = "(zone).";

/**
 * Reads the records of a zone file in BIND format (RFC 1035, 5) as inputs of records. Names are relative to the zone, and targets are absolute. The
 * zone is the name of the SOA record, or otherwise the `$ORIGIN` before the first record. The API has no SOA records. The zone's NS records are
 * records: nothing distinguishes the service's nameservers from others.
 */
export function parseZone(text: string): { records: ZoneRecord[]; problems: ZoneProblem[] } {
  const problems: ZoneProblem[] = [];
  const records: ZoneRecord[] = [];
  const entries = entriesOf(text);
  const zone = new Zone(apexOf(entries));
  for (const entry of entries) {
    const { line } = entry;
    try {
      const inputs = zone.read(entry);
      if (inputs !== undefined) records.push({ line, inputs });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      problems.push({ line, reason: error.message });
    }
  }
  return { records, problems };
}

/** A comment, a string, an end of line, a parenthesis, blanks, or a word. A backslash that escapes nothing matches by itself. */
const TOKEN =
  /;[^\r\n]*|"(?<string>(?:[^"\\\r\n]+|\\[^\r\n])*)(?<close>"?)|\r\n|[\r\n()]|[ \t]+|(?<word>(?:[^ \t\r\n;"()\\]+|\\[^\r\n])+)|\\/gu;

/** The entries of a file, without comments, and with the lines in parentheses joined. */
function entriesOf(file: string): Entry[] {
  const text = file.replace(/^\uFEFF/, "");
  const entries: Entry[] = [];
  let line = 1;
  let depth = 0;
  const startAt = (index: number) => ({
    line,
    indented: " \t".includes(text.charAt(index)),
    tokens: [] as Token[],
    fault: undefined as string | undefined,
  });
  let entry = startAt(0);
  const finish = () => {
    if (depth > 0) entry.fault ??= "has a parenthesis that is not closed";
    if (entry.tokens.length > 0 || entry.fault !== undefined) entries.push(entry);
  };
  for (const { 0: part, index, groups: { string, close, word } = {} } of text.matchAll(TOKEN)) {
    if (word !== undefined) entry.tokens.push({ text: word, quoted: false });
    else if (string !== undefined) {
      entry.tokens.push({ text: string, quoted: true });
      if (close === "") entry.fault ??= "has a string without its closing quotation mark";
    } else if (part === "(") depth++;
    else if (part === ")" && depth > 0) depth--;
    else if (part === ")") entry.fault ??= "closes a parenthesis that is not open";
    else if (part === "\\") entry.fault ??= "has a backslash with nothing after it";
    else if (/^[\r\n]/.test(part)) {
      line++;
      if (depth > 0) continue;
      finish();
      entry = startAt(index + part.length);
    }
  }
  finish();
  return entries;
}

const isDirective = ([first]: readonly Token[]): boolean =>
  first !== undefined && !first.quoted && first.text.startsWith("$");

/** The parts of a record. Its time to live and class can have either order. */
function partsOf({ tokens, indented }: Entry) {
  let at = indented ? 0 : 1;
  let ttl: number | undefined;
  let ofClass = "IN";
  for (; tokens[at]?.quoted === false; at++) {
    const word = tokens[at]?.text.toUpperCase() ?? "";
    const seconds = secondsIn(word);
    if (seconds !== undefined) ttl = seconds;
    else if (CLASSES.has(word)) ofClass = word;
    else break;
  }
  const owner = indented ? undefined : tokens[0]?.text;
  return { owner, ttl, ofClass, type: tokens[at]?.text.toUpperCase(), data: tokens.slice(at + 1) };
}

/** The name of the zone, as an absolute name. */
function apexOf(entries: readonly Entry[]): string {
  let [origin, owner] = [UNNAMED, UNNAMED];
  let apex: string | undefined;
  for (const entry of entries) {
    const [first, argument] = entry.tokens;
    if (isDirective(entry.tokens)) {
      if (first?.text.toUpperCase() === "$ORIGIN") origin = absolute(argument?.text ?? "@", origin);
      continue;
    }
    const parts = partsOf(entry);
    if (parts.owner !== undefined) owner = absolute(parts.owner, origin);
    apex ??= origin;
    if (parts.type === "SOA") {
      apex = owner;
      break;
    }
  }
  return apex === undefined || apex === "." || apex.endsWith(UNNAMED) ? UNNAMED : apex;
}

/** Reads entries one after the other. An omitted part is that of the previous entry. */
class Zone {
  #origin: string;
  #ttl: number | undefined;
  #owner: string | undefined;

  constructor(private readonly apex: string) {
    this.#origin = apex;
  }

  read(entry: Entry): Properties | undefined {
    const { tokens, fault } = entry;
    const { owner, ...parts } = partsOf(entry);
    const directs = isDirective(tokens);
    if (!directs && owner !== undefined) this.#owner = absolute(owner, this.#origin);
    if (fault !== undefined) return refuse(fault);
    if (directs) return this.#direct(tokens);
    if (this.#owner === undefined) return refuse("has no name, and the record before it has none either");
    return this.#record(this.#below(this.#owner), parts);
  }

  #direct([first, argument]: readonly Token[]): undefined {
    const directive = first?.text.toUpperCase() ?? "";
    switch (directive) {
      case "$ORIGIN":
        if (argument === undefined) return refuse("is $ORIGIN without a name");
        this.#origin = absolute(argument.text, this.#origin);
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

  #record(
    labels: readonly string[],
    { type, ofClass, ttl = this.#ttl, data }: Omit<ReturnType<typeof partsOf>, "owner">,
  ): Properties | undefined {
    if (ofClass !== "IN") return refuse(`is of class ${ofClass}; only IN is served`);
    if (type === undefined) return refuse("has no type");
    if (type === "SOA") {
      // Its values are inputs of the domain.
      if (labels.length === 0) return undefined;
      return refuse(
        `is the SOA record of ${labels.join(".")}: it must have the name of the zone, with a period at its end`,
      );
    }
    if (!types.has(type)) {
      return refuse(
        `is of type ${type}, and the service has only ${RECORD_TYPES.join(", ")}: remove the record`,
      );
    }
    return {
      ...placed(labels, type),
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
        // Several strings are one text, joined without a separator (RFC 7208, 3.3).
        return { target: textOf(words) };
      case "MX":
        expect(2, "a priority and a name");
        return { priority: whole(words[0]), target: this.#target(words[1]) };
      case "SRV":
        expect(4, "priority, weight, port and a name");
        return {
          priority: whole(words[0]),
          weight: whole(words[1]),
          port: whole(words[2]),
          target: this.#target(words[3]),
        };
      case "CAA":
        expect(3, "flags, a tag and a value");
        if (words[0] !== "0") return refuse("has CAA flags, which the service does not keep: they must be 0");
        return { tag: words[1]?.toLowerCase(), target: textOf(words.slice(2)) };
      default:
        expect(1, NAMES.has(type) ? "a name" : "an address");
        return { target: NAMES.has(type) ? this.#target(words[0]) : words[0] };
    }
  }

  /** A target in the form of the service: absolute, without its last period. */
  #target(name = ""): string {
    const target = absolute(name, this.#origin);
    labelsOf(target);
    if (target.endsWith(UNNAMED)) {
      return refuse(`has the relative target ${name} and no $ORIGIN: begin the file with $ORIGIN`);
    }
    return target === "." ? target : target.slice(0, -1);
  }

  /** The labels of a name before those of the zone. */
  #below(name: string): readonly string[] {
    const [labels, zone] = [labelsOf(name), labelsOf(this.apex)];
    const own = labels.length - zone.length;
    if (own >= 0 && zone.every((label, index) => keyOf(label) === keyOf(labels[own + index] ?? ""))) {
      return labels.slice(0, own);
    }
    return refuse(
      this.apex === UNNAMED
        ? `has the name ${name}, and the file does not name its zone: begin it with $ORIGIN`
        : `has the name ${name}, which is not in the zone ${this.apex}`,
    );
  }
}

function absolute(name: string, origin: string): string {
  if (name === "@") return origin;
  if (/(?<!\\)(?:\\\\)*\.$/.test(name)) return name;
  return origin === "." ? `${name}.` : `${name}.${origin}`;
}

/** The labels of an absolute name, as they are written. */
function labelsOf(name: string): string[] {
  if (name === ".") return [];
  const labels = [...name.matchAll(/((?:[^\\.]+|\\.)*)\./gsu)].map(([, label = ""]) => label);
  return labels.includes("") ? refuse(`has the name ${name}, in which a part is empty`) : labels;
}

/** A form that is equal for labels that DNS considers equal. */
const keyOf = (label: string): string => octetsOf(label).toString().toLowerCase();

/** Splits `_sip._tcp.pbx` into service, protocol and name, as in the API. */
function placed(labels: readonly string[], type: string): Properties {
  const [service = "", protocol = ""] = labels;
  if (type === "SRV" && [service, protocol].every((label) => /^_[^_]/.test(label))) {
    return { service: service.slice(1), protocol: protocol.slice(1), ...placed(labels.slice(2), "") };
  }
  return labels.length === 0 ? {} : { name: labels.join(".") };
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** A character may begin in one string and end in the next. */
function textOf(strings: readonly string[]): string {
  const octets = Buffer.concat(strings.map(octetsOf));
  try {
    return utf8.decode(octets);
  } catch {
    return refuse("has a text that is not UTF-8, which the service does not take");
  }
}

/** `\"` is a quotation mark, `\065` the octet of that number. */
function octetsOf(text: string): Buffer {
  if (!text.includes("\\")) return Buffer.from(text);
  const parts = text.match(/\\\d{3}|\\.|[^\\]+/gsu) ?? [];
  return Buffer.concat(
    parts.map((part) => {
      if (!/^\\\d/.test(part)) return Buffer.from(part.replace(/^\\/, ""));
      if (part.length === 4 && Number(part.slice(1)) < 256) return Buffer.of(Number(part.slice(1)));
      return refuse(`has the escape ${part}, which must be three digits up to 255`);
    }),
  );
}

const whole = (text = ""): number =>
  /^\d+$/.test(text) ? Number(text) : refuse(`must have a whole number in place of ${text}`);

/** The seconds of a time: `1h30m` is 5400. */
function secondsIn(text: string): number | undefined {
  if (/^\d+$/.test(text)) return Number(text);
  if (!/^(?:\d+[smhdw])+$/i.test(text)) return undefined;
  return [...text.toLowerCase().matchAll(/(\d+)([smhdw])/g)].reduce(
    (sum, [, amount, unit]) => sum + Number(amount) * (TTL_UNITS[unit ?? ""] ?? 0),
    0,
  );
}
