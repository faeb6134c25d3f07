import { type z } from "zod";
import { requirementOf } from "../../api/issue-words";
import { quotedStart } from "../../api/text";
import { isObject, type Properties } from "../base/values";

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
  return [{ path, reason: requirementOf(issue) ?? issue.message, ...givenTo(issue, found) }];
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

function shown(value: unknown): string {
  if (typeof value === "string") return quotedStart(value);
  return Array.isArray(value) ? "a list" : isObject(value) ? "an object" : String(value);
}
