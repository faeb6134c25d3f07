import { type CommonDescription, type Failure, refused } from "../describe/define-resource";
import { groupsOf, inputAt, type Leaf, leavesOf, missingInGroups, strangersIn } from "../describe/fields";
import { parseDuration } from "../base/duration";
import { nearestName } from "../base/nearest-name";
import { issuesIn } from "./schema-issue";
import { type Call } from "../state/call";
import { hasUnknown, isObject, type Properties, UNKNOWN, valueAt } from "../base/values";

/**
 * The failures in the known part of a program's inputs.
 *
 * @param isSecret whether a reason must not show the value of a property
 */
export function schemaFailures(
  description: CommonDescription,
  { inputs, timeouts }: Pick<Call, "inputs" | "timeouts">,
  isSecret: (property: string) => boolean = () => false,
): Failure[] {
  const { fields } = description;
  const leaves = leavesOf(fields);
  return [
    ...strangersIn(fields, inputs).flatMap((path) =>
      refused(path, description.unsupported?.[path] ?? unknownProperty(path, fields)),
    ),
    ...groupsOf(fields).flatMap((path) => {
      const value = valueAt(inputs, path);
      const fits = value === undefined || value === null || value === UNKNOWN || isObject(value);
      return fits ? [] : refused(path, "must be an object");
    }),
    ...leaves.flatMap((leaf) => failuresAt(leaf, inputs, isSecret)),
    ...missingInGroups(fields, inputs).flatMap((path) => refused(path, "is required")),
    ...timeoutFailures(timeouts),
  ];
}

function failuresAt(leaf: Leaf, inputs: Properties, isSecret: (property: string) => boolean): Failure[] {
  const value = inputAt(inputs, leaf);
  if (value === undefined) {
    return leaf.required === true ? refused(leaf.path, "is required") : [];
  }
  // A value with unknown parts is checked when all of it is known.
  if (hasUnknown(value)) return [];
  const result = leaf.schema.safeParse(value);
  if (result.success) return [];
  return issuesIn(value, result.error).map(({ path, reason, given }) => {
    const property = `${leaf.path}${path}`;
    const isShown = given !== undefined && !isSecret(property);
    return { property, reason: isShown ? `${reason}, not ${given}` : reason };
  });
}

function timeoutFailures(timeouts: Properties = {}): Failure[] {
  return Object.entries(timeouts).flatMap(([operation, text]) =>
    typeof text === "string" && text !== UNKNOWN && parseDuration(text) === undefined
      ? refused(`customTimeouts.${operation}`, `"${text}" is not a duration such as "90s", "30m" or "1h30m"`)
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
