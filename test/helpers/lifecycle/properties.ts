import { isObject, setAt, UNKNOWN } from "../../../src/provider/base/values";
import { type Properties } from "../plugin";

/** A value, or a function that makes it for each test. */
export type Given<Value> = Value | (() => Value | Promise<Value>);

export const given = async <Value>(value: Given<Value>): Promise<Value> =>
  typeof value === "function" ? (value as () => Value | Promise<Value>)() : value;

/** A copy of the inputs with another value at a path. */
export function withValue(args: Properties, path: string, value: unknown): Properties {
  const copy = structuredClone(args);
  setAt(copy, path, value);
  return copy;
}

/** The dotted paths of the differences. A list counts as one value. */
export function changedPaths(before: unknown, after: unknown, prefix = ""): string[] {
  if (!isObject(before) || !isObject(after)) {
    return JSON.stringify(before) === JSON.stringify(after) ? [] : [prefix];
  }
  // Hidden inputs are internal to the provider.
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (key) => !key.startsWith("__"),
  );
  return keys
    .flatMap((key) => changedPaths(before[key], after[key], prefix === "" ? key : `${prefix}.${key}`))
    .sort();
}

/** The dotted paths of what a preview shows and what is different afterwards. */
export function wronglyShown(shown: unknown, real: unknown, prefix = ""): string[] {
  if (shown === UNKNOWN) return [];
  if (!isObject(shown)) return JSON.stringify(shown) === JSON.stringify(real) ? [] : [prefix];
  return Object.entries(shown).flatMap(([name, inner]) =>
    // Hidden properties are internal to the provider.
    name.startsWith("__")
      ? []
      : wronglyShown(
          inner,
          isObject(real) ? real[name] : undefined,
          prefix === "" ? name : `${prefix}.${name}`,
        ),
  );
}
