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
    if (!managed && live === undefined && stored[ADOPTED] === true) return [];
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
  const byHand = inputs[RESOURCE_NAME] === undefined;
  return byHand && (hasUnknown(inputs[unique]) || same("value", inputs[unique], stored[unique]));
}

/** What a preview of these changes should warn of. */
export function warningsOf(
  description: Description,
  changed: readonly ChangedInput[],
  inputs: Properties,
): string[] {
  const replacing = changed.filter(({ change }) => change === "replace").map(({ leaf }) => leaf.path);
  const loss =
    replacing.length > 0 && description.lossOfData !== undefined
      ? [
          `replacing it, because ${replacing.join(", ")} cannot be changed in place: ${description.lossOfData}`,
        ]
      : [];
  const isChanged = (path: string) => changed.some(({ leaf }) => leaf.path === path);
  return [...loss, ...(replacing.length > 0 ? [] : (description.warnings?.(isChanged, inputs) ?? []))];
}
