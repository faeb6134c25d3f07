import { type z } from "zod";
import { counted } from "../../api/text";
import { isObject, type Properties } from "../state/values";

/** A problem of a value: the path below the input, and the end of a sentence that starts with the property. */
export interface Issue {
  readonly path: string;
  readonly reason: string;
  /** The given value, as the end of that sentence. It is left out of messages about secrets. */
  readonly given?: string;
}

/** Puts what zod found in an input's value into words. */
export function issuesIn(value: unknown, { issues }: z.ZodError): Issue[] {
  const pathOf = ({ path }: z.core.$ZodIssue) => JSON.stringify(path);
  const mistyped = new Set(issues.filter(({ code }) => code === "invalid_type").map(pathOf));
  // The size of a value of another type means nothing.
  return issues
    .filter((issue) => issue.code === "invalid_type" || !mistyped.has(pathOf(issue)))
    .flatMap((issue) => inWords(value, issue));
}

function inWords(value: unknown, issue: z.core.$ZodIssue): Issue[] {
  const at = (path: readonly PropertyKey[]) => path.map(segment).join("");
  if (issue.code === "unrecognized_keys")
    return issue.keys.map((key) => ({
      path: at([...issue.path, key]),
      reason: "is not a property of this object",
    }));
  const found = valueAlong(value, issue.path);
  const path = at(issue.path);
  if (found === undefined || found === null) return [{ path, reason: "is required" }];
  return [{ path, reason: reasonOf(issue), ...givenTo(issue, found) }];
}

const segment = (name: PropertyKey): string => {
  if (typeof name === "number") return `[${name}]`;
  return /^[\w$-]+$/.test(String(name)) ? `.${String(name)}` : `[${JSON.stringify(String(name))}]`;
};

const valueAlong = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (inner, name) =>
      Array.isArray(inner) || isObject(inner) ? (inner as Properties)[String(name)] : undefined,
    value,
  );

function reasonOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "too_small":
    case "too_big":
      return boundOf(issue);
    case "invalid_value":
      return `must be ${either(issue.values.map(String))}`;
    case "invalid_type":
      return `must be ${typeName(issue.expected)}`;
    case "invalid_union":
      return `must be ${either([...new Set(issue.errors.flat().flatMap(allowedBy))])}`;
    case "invalid_format":
      return issue.format === "regex" ? issue.message : `must be ${formatName(issue.format)}`;
    default:
      return issue.message;
  }
}

function boundOf(issue: z.core.$ZodIssueTooSmall | z.core.$ZodIssueTooBig): string {
  const [words, bound] =
    issue.code === "too_small" ? ["at least", issue.minimum] : ["at most", issue.maximum];
  if (issue.origin === "array") return `must have ${words} ${counted(Number(bound), "item")}`;
  if (issue.origin !== "string") return `must be ${words} ${bound}`;
  return words === "at least" && Number(bound) === 1
    ? "must not be empty"
    : `must be ${words} ${counted(Number(bound), "character")} long`;
}

/** What one part of a union allows. */
function allowedBy(issue: z.core.$ZodIssue): string[] {
  if (issue.code === "invalid_value") return issue.values.map(String);
  return issue.code === "invalid_type" ? [typeName(issue.expected)] : [];
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  array: "a list",
  boolean: "true or false",
  int: "a whole number",
  object: "an object",
  record: "an object",
};

const typeName = (type: string): string => TYPE_NAMES[type] ?? `a ${type}`;

const formatName = (format: string): string =>
  ({ email: "an email address", base64: "valid base64" })[format] ?? `a valid ${format}`;

/** The given value, unless the reason says all about it. */
function givenTo(issue: z.core.$ZodIssue, found: unknown): Pick<Issue, "given"> {
  const isSize = issue.code === "too_big" || (issue.code === "too_small" && Array.isArray(found));
  if (isSize && (typeof found === "string" || Array.isArray(found))) return { given: `${found.length}` };
  if (issue.code === "too_small" && found === "") return {};
  if (issue.code === "custom") return {};
  // A text in place of a list or an object may be long and private, such as a key.
  const isWhole = issue.code === "invalid_type" && ["array", "object", "record"].includes(issue.expected);
  return { given: isWhole && typeof found === "string" ? "a string" : shown(found) };
}

const MOST_SHOWN = 60;

function shown(value: unknown): string {
  if (typeof value === "string")
    return JSON.stringify(value.length > MOST_SHOWN ? `${value.slice(0, MOST_SHOWN)}…` : value);
  return Array.isArray(value) ? "a list" : isObject(value) ? "an object" : String(value);
}

const either = (words: readonly string[]): string =>
  words.length < 2 ? words.join() : `${words.slice(0, -1).join(", ")} or ${String(words.at(-1))}`;
