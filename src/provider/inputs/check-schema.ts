import { type z } from "zod";
import { type CommonDescription, type Failure } from "../describe/define-resource";
import { groupsOf, inputAt, type Leaf, leavesOf, missingInGroups, strangersIn } from "../describe/fields";
import { TIMEOUTS } from "../state/hidden-properties";
import { parseDuration } from "../process/duration";
import { nearestName } from "./nearest-name";
import { hasUnknown, isObject, type Properties, UNKNOWN, valueAt } from "../state/values";

/** What is wrong with a program's inputs, as far as they are known. */
export function schemaFailures(description: CommonDescription, inputs: Properties): Failure[] {
  const { fields } = description;
  const leaves = leavesOf(fields);
  return [
    ...strangersIn(fields, inputs).map((path) => ({
      property: path,
      reason: description.absent?.[path] ?? unknownProperty(path, fields),
    })),
    ...groupsOf(fields).flatMap((path) => {
      const value = valueAt(inputs, path);
      const fits = value === undefined || value === null || value === UNKNOWN || isObject(value);
      return fits ? [] : [{ property: path, reason: "must be an object" }];
    }),
    ...leaves.flatMap((leaf) => failuresAt(leaf, inputs)),
    ...missingInGroups(fields, inputs).map((path) => ({ property: path, reason: "is required" })),
    ...timeoutFailures(inputs[TIMEOUTS]),
  ];
}

function failuresAt(leaf: Leaf, inputs: Properties): Failure[] {
  const value = inputAt(inputs, leaf);
  if (value === undefined) {
    return leaf.required === true ? [{ property: leaf.path, reason: "is required" }] : [];
  }
  // A value with unknown parts is checked when all of it is known.
  if (hasUnknown(value)) return [];
  const result = leaf.schema.safeParse(value);
  if (result.success) return [];
  return result.error.issues.map((issue) => ({
    property: [leaf.path, ...issue.path].join("."),
    reason: reasonOf(issue),
  }));
}

/** A problem that zod found, as the end of a sentence that starts with the property. */
function reasonOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "too_small":
    case "too_big": {
      const bound = issue.code === "too_small" ? `at least ${issue.minimum}` : `at most ${issue.maximum}`;
      if (issue.origin === "string") return `must be ${bound} characters long`;
      if (issue.origin === "array") return `must have ${bound} items`;
      return `must be ${bound}`;
    }
    case "invalid_value":
      return `must be ${issue.values.length > 1 ? "one of " : ""}${issue.values.map(String).join(", ")}`;
    case "invalid_type":
      return `must be ${issue.expected === "int" ? "a whole number" : `of type ${issue.expected}`}`;
    case "invalid_union": {
      const allowed = issue.errors
        .flat()
        .flatMap((inner) => (inner.code === "invalid_value" ? inner.values : []));
      return allowed.length > 0 ? `must be one of ${allowed.map(String).join(", ")}` : issue.message;
    }
    case "invalid_format":
      return issue.format === "regex" ? issue.message : `must be a valid ${issue.format}`;
    default:
      return issue.message;
  }
}

function timeoutFailures(timeouts: unknown): Failure[] {
  return Object.entries(isObject(timeouts) ? timeouts : {}).flatMap(([operation, text]) =>
    typeof text === "string" && text !== UNKNOWN && parseDuration(text) === undefined
      ? [
          {
            property: `customTimeouts.${operation}`,
            reason: `"${text}" is not a duration such as "90s", "30m" or "1h30m"`,
          },
        ]
      : [],
  );
}

function unknownProperty(path: string, fields: CommonDescription["fields"]): string {
  const meant = nearestName(
    path,
    leavesOf(fields).map((leaf) => leaf.path),
  );
  return `is not a property of this resource${meant === undefined ? "" : `; did you mean ${meant}?`}`;
}
