import { RECORD_TYPE_FIELDS, RECORD_TYPES } from "../../api/records";
import { type Member } from "../../provider/collection/define";
import { type Properties, UNKNOWN } from "../../provider/values";

/**
 * A record as a line of text, close to that of a zone file: name, time to live where it is set, type, data, and behind a semicolon the key
 * that the program knows it by. `@` is the domain itself, `-` a value that is not set. What could be taken for something else is a JSON string.
 */

const NONE = "-";
const APEX = "@";
/** In previews, for what is not known yet. */
const NOT_KNOWN = "(unknown)";
const BEFORE_TYPE = ["service", "protocol"];
const ALWAYS: ReadonlySet<string> = new Set(["name", "ttlSec", "type", "target", ...BEFORE_TYPE]);

const BARE = /^[^\s"';()=@-][^\s"'();=]*$/;
const TOKEN = /(?:[^\s"]|"(?:[^"\\]|\\.)*")+/g;

const types: ReadonlySet<string> = new Set(RECORD_TYPES);

/** The fields between type and target, in the order of a zone file. */
const fieldsByType: ReadonlyMap<string, readonly string[]> = new Map(
  RECORD_TYPES.map((type) => [
    type,
    Object.entries(RECORD_TYPE_FIELDS).flatMap(([field, { valid }]) =>
      (valid as readonly string[]).includes(type) ? [field] : [],
    ),
  ]),
);

export const dataFieldsOf = (type: unknown): readonly string[] => fieldsByType.get(String(type)) ?? [];

/** The line of a record. A value of the wrong type, or of a property that a record has not, makes it another line than that of any record. */
export function lineOf({ key, inputs }: Member): string {
  const { name, ttlSec, type, target } = inputs;
  const data = dataFieldsOf(type);
  const parts = [name === undefined ? APEX : text(name)];
  if (ttlSec !== undefined) parts.push(number(ttlSec));
  for (const field of BEFORE_TYPE) {
    if (inputs[field] !== undefined) parts.push(`${field}=${text(inputs[field])}`);
  }
  parts.push(text(type));
  for (const field of data) {
    const value = inputs[field];
    parts.push(value === undefined ? NONE : field === "tag" ? text(value) : number(value));
  }
  parts.push(target === undefined ? NONE : text(target, type === "TXT"));
  for (const field of Object.keys(inputs)) {
    if (!ALWAYS.has(field) && !data.includes(field)) parts.push(`(${field})`);
  }
  if (key !== undefined) parts.push(";", text(key));
  return parts.join(" ");
}

/** The record of a line that {@link lineOf} wrote. */
export function recordOf(line: string): Member {
  const [name = APEX, ...rest] = line.match(TOKEN) ?? [];
  const end = rest.indexOf(";");
  const tokens = end < 0 ? rest : rest.slice(0, end);
  const known = tokens.findIndex((part) => types.has(part));
  const at = known < 0 ? tokens.indexOf(NOT_KNOWN) : known;
  const type = valueOf(tokens[at] ?? NONE);
  const inputs: Properties = { type };
  if (name !== APEX) inputs["name"] = valueOf(name);
  for (const part of tokens.slice(0, at)) {
    const field = BEFORE_TYPE.find((prefix) => part.startsWith(`${prefix}=`));
    if (field === undefined) inputs["ttlSec"] = numberOf(part);
    else inputs[field] = valueOf(part.slice(field.length + 1));
  }
  const fields = dataFieldsOf(type);
  const data = tokens.slice(at + 1);
  fields.forEach((field, index) => {
    const part = data[index] ?? NONE;
    if (part !== NONE) inputs[field] = field === "tag" ? valueOf(part) : numberOf(part);
  });
  const target = data[fields.length] ?? NONE;
  if (target !== NONE) inputs["target"] = valueOf(target);
  return end < 0 ? { inputs } : { key: String(valueOf(rest[end + 1] ?? "")), inputs };
}

function text(value: unknown, quoted = false): string {
  if (value === UNKNOWN) return NOT_KNOWN;
  if (typeof value !== "string") return wrong(value);
  return !quoted && BARE.test(value) ? value : JSON.stringify(value);
}

function number(value: unknown): string {
  if (value === UNKNOWN) return NOT_KNOWN;
  return typeof value === "number" ? String(value) : wrong(value);
}

const wrong = (value: unknown): string => `(${JSON.stringify(value)})`;

function valueOf(part: string): unknown {
  if (part === NOT_KNOWN) return UNKNOWN;
  return part.startsWith('"') ? JSON.parse(part) : part;
}

const numberOf = (part: string): unknown => (part === NOT_KNOWN ? UNKNOWN : Number(part));
