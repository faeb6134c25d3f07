import { type Comparison, hasUnknown, isObject, same, UNKNOWN } from "./values";

/** A property path as the engine reads it: names of properties and positions in lists. */
export type Path = readonly (string | number)[];

const SEGMENT = /\.?\[(?:"((?:\\"|[^"])*)"|(\*)|(\d+))\]|\.?([^.[]+)/y;

/** Reads a path such as `updates.hourOfDay`, `tags[0]`, `tags[*]` or `["a name"].*`. Undefined if the text is not a path. */
export function parsePath(text: string): Path | undefined {
  if (text.startsWith(".")) return undefined;
  const path: (string | number)[] = [];
  SEGMENT.lastIndex = 0;
  while (SEGMENT.lastIndex < text.length) {
    const match = SEGMENT.exec(text);
    if (match === null) return undefined;
    const [, quoted, any, index, name = ""] = match;
    path.push(index === undefined ? (quoted?.replaceAll('\\"', '"') ?? any ?? name) : Number(index));
  }
  return path;
}

/** Adds a segment to the text of a path. */
export function withSegment(text: string, segment: string | number): string {
  if (typeof segment === "number") return `${text}[${segment}]`;
  if (!/^[\w-]+$/.test(segment)) return `${text}["${segment.replaceAll('"', '\\"')}"]`;
  return text === "" ? segment : `${text}.${segment}`;
}

/** Writes a path in the form that `parsePath` reads. */
export const pathText = (path: Path): string => path.reduce<string>(withSegment, "");

/** If there are more secrets than these, only the names of their properties are kept. */
const MOST = 20;

/** The paths of secrets in the form that the state keeps, always in the same order. */
export function fewPaths(paths: readonly string[]): string[] {
  const few = new Set(paths.length > MOST ? paths.map(nameIn) : paths);
  return [...few].sort();
}

/** The name of the property that the text of a path begins with. */
export const nameIn = (path: string): string => /^[\w-]+/.exec(path)?.[0] ?? path;

/** The paths in an option. The engine itself refuses invalid paths. */
export const pathsIn = (given: unknown): Path[] =>
  (Array.isArray(given) ? given : []).flatMap((text) => {
    const path = parsePath(String(text));
    return path === undefined ? [] : [path];
  });

/** Whether a path equals another one or is above it. `*` matches any name or index. */
export const contains = (path: Path, other: Path): boolean =>
  path.length <= other.length && path.every((segment, index) => matches(segment, other[index]));

const matches = (segment: string | number, other: string | number | undefined): boolean =>
  segment === "*" || segment === other;

/** Whether one of two paths is above the other, or both are the same. */
export const meets = (path: Path, other: Path): boolean =>
  contains(path.slice(0, other.length), other.slice(0, path.length));

/** Whether one of these paths names a difference between two values of a property, or a possible difference while a part is unknown. */
export function namesChange(
  paths: readonly Path[],
  property: Path,
  comparison: Comparison,
  from: unknown,
  to: unknown,
): boolean {
  if (!paths.some((path) => meets(path, property))) return false;
  const changed = changesIn(property, comparison, from, to);
  return paths.some((path) =>
    changed.some((change) => (change.isKnown ? contains(path, change.path) : meets(path, change.path))),
  );
}

interface PathChange {
  readonly path: Path;
  /** Whether the value is known. If not, everything below it is unknown too. */
  readonly isKnown: boolean;
}

function changesIn(path: Path, comparison: Comparison, from: unknown, to: unknown): PathChange[] {
  if (Array.isArray(from) && Array.isArray(to)) {
    if (comparison === "set" || comparison === "addresses") {
      return [...itemsOnlyIn(path, comparison, from, to), ...itemsOnlyIn(path, comparison, to, from)];
    }
    const length = Math.max(from.length, to.length);
    return Array.from({ length }, (_, index) =>
      changesIn([...path, index], "value", from[index], to[index]),
    ).flat();
  }
  if (isObject(from) && isObject(to)) {
    const names = new Set([...Object.keys(from), ...Object.keys(to)]);
    return [...names].flatMap((name) => changesIn([...path, name], "value", from[name], to[name]));
  }
  if (!hasUnknown(to) && same(comparison, from, to)) return [];
  return [...partsOf(path, from), ...partsOf(path, to)];
}

const itemsOnlyIn = (path: Path, comparison: Comparison, list: unknown[], other: unknown[]): PathChange[] =>
  list.flatMap((item, index) =>
    other.some((candidate) => same(comparison, [item], [candidate])) ? [] : partsOf([...path, index], item),
  );

/** A changed part of a value. */
export interface PartChange {
  readonly path: Path;
  readonly kind: "add" | "delete" | "update";
}

/** The changed parts of a property. A list without an order has an added or a deleted item in place of a moved one. */
export function partChanges(
  property: Path,
  comparison: Comparison,
  from: unknown,
  to: unknown,
): PartChange[] {
  if (from == null || to == null) return [{ path: property, kind: from == null ? "add" : "delete" }];
  const changed = changesIn(property, comparison, from, to);
  if (!Array.isArray(from) || !Array.isArray(to) || changed.length === 0)
    return [{ path: property, kind: "update" }];
  const isSet = comparison === "set" || comparison === "addresses";
  const keys = (list: unknown[], other: unknown[]) =>
    new Set((isSet ? itemsOnlyIn(property, comparison, list, other) : partsOf(property, list)).map(keyOf));
  const [before, after] = [keys(from, to), keys(to, from)];
  const paths = new Map(changed.map(({ path }) => [keyOf({ path }), path]));
  return [...paths].map(([key, path]) => ({
    path,
    kind: !before.has(key) ? "add" : !after.has(key) ? "delete" : "update",
  }));
}

const keyOf = ({ path }: { readonly path: Path }): string => JSON.stringify(path);

/** The paths of all parts of a value. */
function partsOf(path: Path, value: unknown): PathChange[] {
  if (value === undefined || value === null) return [];
  const entries: [string | number, unknown][] = Array.isArray(value)
    ? [...value.entries()]
    : isObject(value)
      ? Object.entries(value)
      : [];
  if (entries.length === 0) return [{ path, isKnown: value !== UNKNOWN }];
  return entries.flatMap(([name, inner]) => partsOf([...path, name], inner));
}

/** Whether a value with unknown parts may still equal the earlier value. */
export function mayStay(comparison: Comparison, before: unknown, value: unknown): boolean {
  if (value === UNKNOWN) return true;
  if (!hasUnknown(value)) return same(comparison, before, value);
  if (Array.isArray(value)) {
    if (!Array.isArray(before)) return false;
    if (comparison === "set" || comparison === "addresses") {
      return value.every(
        (item) => hasUnknown(item) || before.some((other) => same(comparison, [item], [other])),
      );
    }
    return value.length === before.length && value.every((item, i) => mayStay("value", before[i], item));
  }
  if (!isObject(value) || !isObject(before)) return false;
  const names = new Set([...Object.keys(before), ...Object.keys(value)]);
  return [...names].every((name) => mayStay("value", before[name], value[name]));
}
