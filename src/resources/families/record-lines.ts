import { RECORD_TYPE_FIELDS, RECORD_TYPES } from "../../api/records";
import { type Member } from "../../provider/describe/define-collection";
import { isObject, UNKNOWN } from "../../provider/base/values";

/**
 * A record as a line of text, close to that of a zone file: name, time to live if it is set, type, data, and after a semicolon the key
 * in the program. `@` is the domain itself, `-` a value that is not set. An ambiguous part is a JSON string, and fields that no record has are
 * JSON in parentheses, so a line belongs to exactly one record.
 */

const NONE = "-";
const APEX = "@";
const KEY = ";";
/** The text for a value that is not known yet, in previews. */
const NOT_KNOWN = "(unknown)";
/** The fields before the type. Each is written with its name, unless it is a number. */
const BEFORE_TYPE = ["ttlSec", "service", "protocol"];
const ALWAYS: ReadonlySet<string> = new Set(["name", "type", "target", ...BEFORE_TYPE]);

const BARE = /^[^\s"';()=@\p{C}-][^\s"'();=\p{C}]*$/u;
const BARE_TYPE = /^[A-Z]/;
const NUMBER = /^-?\d/;
const TOKEN = /(?:[^\s"]+|"(?:[^"\\]+|\\.)*")+/g;

/** The fields between type and target, in the order of a zone file. */
const fieldsByType: ReadonlyMap<unknown, readonly string[]> = new Map(
  RECORD_TYPES.map((type) => [
    type,
    Object.entries(RECORD_TYPE_FIELDS).flatMap(([field, { valid }]) =>
      (valid as readonly string[]).includes(type) ? [field] : [],
    ),
  ]),
);

export const dataFieldsOf = (type: unknown): readonly string[] => fieldsByType.get(type) ?? [];

/** The line of a record. An invalid record also has one. */
export function lineOf({ key, inputs }: Member): string {
  const { name, type, target } = inputs;
  const data = dataFieldsOf(type);
  const parts = [name === undefined ? APEX : text(name)];
  for (const field of BEFORE_TYPE) {
    const value = inputs[field];
    if (field === "ttlSec" && typeof value === "number") parts.push(String(value));
    else if (value !== undefined) parts.push(`${field}=${text(value)}`);
  }
  parts.push(text(type, !BARE_TYPE.test(String(type))));
  for (const field of data) parts.push(field === "tag" ? text(inputs[field]) : number(inputs[field]));
  parts.push(text(target, type === "TXT"));
  const others = Object.entries(inputs).filter(
    ([field, value]) => !ALWAYS.has(field) && !data.includes(field) && value !== undefined,
  );
  if (others.length > 0) parts.push(text(Object.fromEntries(others)));
  if (key !== undefined) parts.push(KEY, text(key));
  return parts.join(" ");
}

/** The record of a line that {@link lineOf} wrote. */
export function recordOf(line: string): Member {
  const tokens: string[] = line.match(TOKEN) ?? [];
  const end = tokens.indexOf(KEY);
  const [name = APEX, ...rest] = end < 0 ? tokens : tokens.slice(0, end);
  const read: [string, unknown][] = [["name", name === APEX ? undefined : valueOf(name)]];
  let at = 0;
  for (; at < rest.length; at++) {
    const part = rest[at] ?? NONE;
    const field = BEFORE_TYPE.find((prefix) => part.startsWith(`${prefix}=`));
    if (field !== undefined) read.push([field, valueOf(part.slice(field.length + 1))]);
    else if (NUMBER.test(part)) read.push(["ttlSec", Number(part)]);
    else break;
  }
  const [typeText = NONE, ...data] = rest.slice(at);
  const type = valueOf(typeText);
  const fields = dataFieldsOf(type);
  const [target = NONE, others = NONE] = data.slice(fields.length);
  read.push(["type", type], ["target", valueOf(target)]);
  fields.forEach((field, index) => {
    const part = data[index] ?? NONE;
    read.push([field, field === "tag" ? valueOf(part) : numberOf(part)]);
  });
  const rare = valueOf(others);
  if (isObject(rare)) read.push(...Object.entries(rare));
  const inputs = Object.fromEntries(read.filter(([, value]) => value !== undefined));
  return end < 0 ? { inputs } : { key: String(valueOf(tokens[end + 1] ?? "")), inputs };
}

/** A value as one word. */
function text(value: unknown, quoted = false): string {
  if (value === undefined) return NONE;
  if (value === UNKNOWN) return NOT_KNOWN;
  if (typeof value !== "string") return `(${JSON.stringify(value)})`;
  return !quoted && BARE.test(value) ? value : JSON.stringify(value);
}

const number = (value: unknown): string => (typeof value === "number" ? String(value) : text(value, true));

function valueOf(part: string): unknown {
  if (part === NONE) return undefined;
  if (part === NOT_KNOWN) return UNKNOWN;
  if (part.startsWith("(")) return JSON.parse(part.slice(1, -1));
  return part.startsWith('"') ? JSON.parse(part) : part;
}

const numberOf = (part: string): unknown => (NUMBER.test(part) ? Number(part) : valueOf(part));
