import { type z } from "zod";
import { counted, listed } from "./text";

type Issue = z.core.$ZodIssue | z.core.$ZodRawIssue;

/**
 * The requirement on a value, as the end of a sentence that starts with its name: `must be at least 3`. Undefined for an issue that only the message of
 * its schema explains.
 */
export function requirementOf(issue: Issue): string | undefined {
  switch (issue.code) {
    case "too_small":
      return boundOf(issue.origin, "at least", Number(issue.minimum));
    case "too_big":
      return boundOf(issue.origin, "at most", Number(issue.maximum));
    case "invalid_value":
      return `must be ${listed(issue.values.map(String), "or")}`;
    case "invalid_type":
      return `must be ${typeName(issue.expected)}`;
    case "invalid_union":
      return `must be ${listed([...new Set(issue.errors.flat().flatMap(allowedBy))], "or")}`;
    case "invalid_format":
      return issue.format === "regex" ? undefined : `must be ${formatName(issue.format)}`;
    default:
      return undefined;
  }
}

function boundOf(origin: string, words: "at least" | "at most", bound: number): string {
  if (origin === "array") return `must have ${words} ${counted(bound, "item")}`;
  if (origin !== "string") return `must be ${words} ${bound}`;
  return words === "at least" && bound === 1
    ? "must not be empty"
    : `must be ${words} ${counted(bound, "character")} long`;
}

/** The values or the type that a part of a union allows. */
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
