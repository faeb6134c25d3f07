import { bounded } from "../../api/text";
import { UNKNOWNS } from "../../provider/engine/signatures";
import { isObject, type Properties, stableJson } from "../../provider/base/values";
import { type PropertyChange } from "./changes";
import { type Mask, SECRET } from "./mask";
import { isHidden } from "../../provider/state/codec";

/** The text in place of a value that is not known yet. */
export const NOT_KNOWN = "(not known yet)";

/** The longest value that is shown. */
const MOST = 300;

export const isUnknown = (value: unknown): boolean =>
  UNKNOWNS.has(value) ||
  (typeof value === "object" && value !== null && Object.values(value).some(isUnknown));

interface ComparisonOptions {
  readonly mask: Mask;
  readonly orderless: (path: string) => boolean;
}

/** The properties in which two states differ, in the order of their paths. Hidden properties are left out. */
export function propertyChanges(
  before: Properties,
  after: Properties,
  manner: ComparisonOptions,
  prefix = "",
): PropertyChange[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => !isHidden(name),
  );
  return names.sort().flatMap((name) => changesAt(before[name], after[name], `${prefix}${name}`, manner));
}

function changesAt(
  before: unknown,
  after: unknown,
  path: string,
  manner: ComparisonOptions,
): PropertyChange[] {
  if (stableJson(before ?? null) === stableJson(after ?? null)) return [];
  const shownPath = manner.mask(path);
  if (before === SECRET || after === SECRET) {
    return [{ path: shownPath, ...sides(before, after, manner.mask), secret: true }];
  }
  if (isObject(before) && isObject(after)) return propertyChanges(before, after, manner, `${path}.`);
  if (Array.isArray(before) && Array.isArray(after)) return listChange(before, after, path, manner);
  const [lines, newLines] = [linesOf(before), linesOf(after)];
  const asLine = (line: unknown) => bounded(manner.mask(String(line)), MOST);
  if (lines !== undefined && newLines !== undefined) return listChange(lines, newLines, path, manner, asLine);
  return [{ path: shownPath, ...sides(before, after, manner.mask) }];
}

const sides = (before: unknown, after: unknown, mask: Mask) => ({
  ...(before === undefined || before === null ? {} : { before: shown(before, mask) }),
  ...(after === undefined || after === null ? {} : { after: shown(after, mask) }),
});

/** The lines of a text that has several. */
const linesOf = (value: unknown): string[] | undefined => {
  if (typeof value !== "string" || UNKNOWNS.has(value)) return undefined;
  return value === "" || value.includes("\n") ? value.split("\n").filter((line) => line !== "") : undefined;
};

function listChange(
  before: readonly unknown[],
  after: readonly unknown[],
  path: string,
  { mask, orderless }: ComparisonOptions,
  text = (item: unknown) => shown(item, mask),
): PropertyChange[] {
  const [removed, added] = [without(before, after).map(text), without(after, before).map(text)];
  if (removed.length + added.length > 0) return [{ path: mask(path), removed, added }];
  if (orderless(path)) return [];
  return [{ path: mask(path), before: shown(before, mask), after: shown(after, mask) }];
}

/** The items of a list that another one lacks, each as often as it is missing. */
export function without<Item>(items: readonly Item[], others: readonly Item[]): Item[] {
  const left = new Map<string, number>();
  for (const item of others) left.set(stableJson(item), (left.get(stableJson(item)) ?? 0) + 1);
  return items.filter((item) => {
    const count = left.get(stableJson(item)) ?? 0;
    left.set(stableJson(item), count - 1);
    return count <= 0;
  });
}

/** A value as one line. */
function shown(value: unknown, mask: Mask): string {
  if (value === SECRET) return SECRET;
  if (UNKNOWNS.has(value)) return NOT_KNOWN;
  return bounded(mask(JSON.stringify(masked(value, mask)) ?? "").replaceAll("\n", "\\n"), MOST);
}

/** The value with its texts masked, before JSON escapes parts of them. */
function masked(value: unknown, mask: Mask): unknown {
  if (typeof value === "string") return UNKNOWNS.has(value) ? NOT_KNOWN : mask(value);
  if (Array.isArray(value)) return value.map((item) => masked(item, mask));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !isHidden(name))
      .map(([name, inner]) => [mask(name), masked(inner, mask)]),
  );
}
