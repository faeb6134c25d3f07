import { isIPv4, isIPv6 } from "node:net";

/** A JSON object as the engine hands it over. */
export type Properties = Record<string, unknown>;

/** The text that stands for a value not known yet, in previews. */
export const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

export function isObject(value: unknown): value is Properties {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The objects of a list that is a property. Empty if there is none. */
export function objectsIn(owner: unknown, property: string): Properties[] {
  const list = isObject(owner) ? owner[property] : undefined;
  return Array.isArray(list) ? list.filter(isObject) : [];
}

/** Whether a program gives a value. Null and an empty list count as no value. */
export const isGiven = (value: unknown): boolean =>
  value != null && !(Array.isArray(value) && value.length === 0);

/** Whether a value is unknown, wholly or somewhere inside. */
export function hasUnknown(value: unknown): boolean {
  if (value === UNKNOWN) return true;
  if (Array.isArray(value)) return value.some(hasUnknown);
  return isObject(value) && Object.values(value).some(hasUnknown);
}

/** How two values of a property are compared. */
export type Comparison = "value" | "set" | "addresses" | "id" | "domain";

/**
 * Whether two values mean the same. Null equals absent. The order of a set, the spelling of an address, and case and a final period of a domain do not
 * count, nor does the id of the parent if only one of two ids has it: `12/345` and `345`.
 */
export function same(comparison: Comparison, a: unknown, b: unknown): boolean {
  if (a === b) return true;
  const [one, other] = [canonical(comparison, a), canonical(comparison, b)];
  return one === other || (comparison === "id" && (isIn(one, other) || isIn(other, one)));
}

const isIn = (whole: string, own: string): boolean => whole.endsWith(`/${own}`) && !own.includes("/");

/** One text for all values that mean the same. */
export function canonical(comparison: Comparison, value: unknown): string {
  if (value === undefined || value === null) return "null";
  switch (comparison) {
    case "value":
      return stableJson(value);
    case "id":
      return typeof value === "object" ? stableJson(value) : String(value);
    case "domain":
      return String(value).toLowerCase().replace(/\.$/, "");
    case "set":
      return asSet(value, stableJson);
    case "addresses":
      return asSet(value, (item) => (typeof item === "string" ? canonicalAddress(item) : stableJson(item)));
  }
}

const asSet = (value: unknown, key: (item: unknown) => string): string =>
  Array.isArray(value) ? JSON.stringify([...new Set(value.map(key))].sort()) : stableJson(value);

/** JSON with sorted keys and without nulls, so that equal values have equal texts. */
export function stableJson(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    isObject(inner)
      ? Object.fromEntries(
          Object.entries(inner)
            .filter(([, item]) => item !== null && item !== undefined)
            .sort(([a], [b]) => (a < b ? -1 : 1)),
        )
      : inner,
  );
}

/** One spelling for each address or range: lower case, shortest IPv6 form, always with its mask. */
export function canonicalAddress(text: string): string {
  const [address = "", mask] = text.trim().split("/", 2);
  if (isIPv4(address)) return `${address}/${mask ?? "32"}`;
  if (isIPv6(address) && !address.includes("%")) {
    return `${new URL(`http://[${address}]/`).hostname.slice(1, -1)}/${mask ?? "128"}`;
  }
  return text.trim().toLowerCase();
}

const toCamel = (name: string) => name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
const toSnake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** A wire path in the program's spelling: `backups.last_successful` becomes `backups.lastSuccessful`. */
export const camelPath = (path: string) => path.split(".").map(toCamel).join(".");

/** A property path in the spelling of the wire. */
export const snakePath = (path: string) => path.split(".").map(toSnake).join(".");

/** Renames the keys of a value from the wire, nested ones too. */
export const camelKeys = (value: unknown) => renameKeys(value, toCamel);

/** Renames the keys of a value for the wire, nested ones too. */
export const snakeKeys = (value: unknown) => renameKeys(value, toSnake);

function renameKeys(value: unknown, rename: (name: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => renameKeys(item, rename));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [rename(name), renameKeys(item, rename)]),
  );
}

/** The value at a dotted path. Undefined if a part of the path is missing. */
export const valueAt = (object: unknown, path: string): unknown =>
  path.split(".").reduce<unknown>((inner, name) => (isObject(inner) ? inner[name] : undefined), object);

/** Sets the value at a dotted path. Creates missing objects on the way. */
export function setAt(object: Properties, path: string, value: unknown): void {
  const names = path.split(".");
  const last = names.pop() ?? path;
  let inner = object;
  for (const name of names) {
    const next = inner[name];
    inner = isObject(next) ? next : ((inner[name] = {}) as Properties);
  }
  inner[last] = value;
}

/** A deep copy without nulls in objects: absent and null mean the same in the state, and absent is shorter. */
export function compact(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(compact);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, item]) => item !== null && item !== undefined)
      .map(([name, item]) => [name, compact(item)]),
  );
}
