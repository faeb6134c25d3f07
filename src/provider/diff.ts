import { type Description } from "./define";
import { type Change, inputAt, type Leaf } from "./fields";
import { ADOPTED, RESOURCE_NAME } from "./hidden";
import { lastSent } from "./sent";
import { hasUnknown, type Properties, same, valueAt } from "./values";

/** One input whose value the program changed, with what it takes to follow. */
export interface ChangedInput {
  readonly leaf: Leaf;
  readonly change: Exclude<Change, "none">;
  /** The value to reach: the documented default for an input that was removed. */
  readonly value: unknown;
}

/**
 * Compares a program's inputs with the inputs as last sent. What the service made of them does not count; neither does what it
 * does to properties that the program leaves to it.
 */
export function changedInputs(
  leaves: readonly Leaf[],
  stored: Properties,
  inputs: Properties,
): ChangedInput[] {
  const sent = lastSent(stored);
  return leaves.flatMap((leaf): ChangedInput[] => {
    const change = typeof leaf.change === "function" ? leaf.change(inputs) : leaf.change;
    if (change === "none") return [];
    const value = inputAt(inputs, leaf);
    const managed = sent.has(leaf.path);

    if (value === undefined) {
      const back = managed && leaf.default !== undefined;
      return back && !same(leaf.comparison, leaf.default, valueAt(stored, leaf.path))
        ? [{ leaf, change, value: leaf.default }]
        : [];
    }
    const live = valueAt(stored, leaf.path);
    if (!managed && live === undefined && stored[ADOPTED] === true && leaf.action !== true) return [];
    // Nothing shows it, and it never was another one: the default was in force all the time.
    if (!managed && live === undefined && leaf.default != null && same(leaf.comparison, value, leaf.default))
      return [];
    if (managed && same(leaf.comparison, value, sent.get(leaf.path))) return [];
    // Nothing to send where the value is there already, but from now on it is managed, which the state must say.
    return [{ leaf, change: same(leaf.comparison, value, live) ? "update" : change, value }];
  });
}

/** Whether a replacement must delete the old object before it can create the new one. */
export function deletesFirst(description: Description, stored: Properties, inputs: Properties): boolean {
  const { deleteFirst = false, unique } = description;
  if (deleteFirst || unique === undefined) return deleteFirst;
  // An automatic name is new each time, so both can be there at once.
  if (inputs[RESOURCE_NAME] !== undefined) return false;
  // What the service made of the name may look like another one.
  const old = [stored[unique], lastSent(stored).get(unique)];
  return hasUnknown(inputs[unique]) || old.some((name) => same("value", inputs[unique], name));
}

/** Why these changes replace the resource, as one line; undefined where they do not. */
export function replacementOf(changed: readonly ChangedInput[]): string | undefined {
  const replacing = changed.filter(({ change }) => change === "replace").map(({ leaf }) => leaf);
  if (replacing.length === 0) return undefined;
  const unchangeable = replacing.filter(({ why }) => why === undefined).map(({ path }) => path);
  const reasons = [
    ...(unchangeable.length === 0
      ? []
      : [`${listed(unchangeable)} changed, and the API has no operation to change ${those(unchangeable)}`]),
    ...replacing.flatMap(({ path, why }) => (why === undefined ? [] : [`${path} changed, ${why}`])),
  ];
  return `replacing it, because ${reasons.join("; ")}`;
}

const listed = (words: readonly string[]): string =>
  words.length === 1 ? String(words[0]) : `${words.slice(0, -1).join(", ")} and ${String(words.at(-1))}`;

const those = (words: readonly string[]): string => (words.length === 1 ? "it" : "them");

/** What a preview of changes in place should warn of. */
export function warningsOf(
  description: Description,
  changed: readonly ChangedInput[],
  inputs: Properties,
): string[] {
  const isChanged = (path: string) => changed.some(({ leaf }) => leaf.path === path);
  return description.warnings?.(isChanged, inputs) ?? [];
}
