import { hintFor } from "../provider/base/nearest-name";
import { isObject, type Properties, valueAt } from "../provider/base/values";
import { checkValues, type ItemCondition, operatorIn, tester } from "./condition";
import { type FilterField, type Fields, type ScalarType } from "./fields";
import { listConditionOn } from "./list-condition";

/** The conditions of a filter. Throws if the filter is invalid. */
export function conditionsOf(filter: unknown, fields: Fields): ItemCondition[] {
  if (!isObject(filter)) throw new Error(`filter must be an object of conditions by field`);
  return Object.entries(filter).map(([path, wanted]) => {
    const { type, isList } = fieldOf(path, fields, "filter", "a field to filter by");
    return (isList ? listConditionOn : conditionOn)(path, wanted, type, `filter.${path}`);
  });
}

/** The type of a scalar field. Throws if no scalar field has this name. */
export function scalarType(path: string, fields: Fields, argument: string): ScalarType {
  const scalars = new Map([...fields].filter(([, { isList }]) => !isList));
  return fieldOf(path, scalars, argument, "a scalar field").type;
}

function fieldOf(path: string, fields: Fields, argument: string, kind: string): FilterField {
  const field = fields.get(path);
  if (field !== undefined) return field;
  throw new Error(`${argument}: ${path} is not ${kind}; ${hintFor(path, [...fields.keys()], "fields")}`);
}

/** The condition that a field has a value, has one of several values, or matches a string condition. */
export function conditionOn(
  path: string,
  wanted: unknown,
  type: ScalarType,
  argument: string,
): ItemCondition {
  if (isObject(wanted)) return textCondition(path, wanted, type, argument);
  const values = Array.isArray(wanted) ? (wanted as unknown[]) : [wanted];
  const others = type === "string" ? ", a list of them, { contains } or { matches }" : " or a list of them";
  const typed = values.filter((value) => path !== "id" || typeof value !== "number");
  checkValues(typed, type, argument, `a ${type}${others}`);
  const alternatives = new Set(values.map((value) => comparable(path, value)));
  return {
    fits: (item) => spellingsOf(path, valueAt(item, path)).some((value) => alternatives.has(value)),
    says: (show) => `${path} ${values.map((value) => show(value)).join(" or ") || "of none"}`,
  };
}

/** Ids are compared as strings, as programs pass numbers or strings. */
const comparable = (path: string, value: unknown) => (path === "id" ? String(value) : value);

/** An id with a parent's id also matches by its own part. */
const spellingsOf = (path: string, value: unknown): unknown[] =>
  path === "id" && typeof value === "string" && /^\d+\/\d+$/.test(value)
    ? [value, value.replace(/^\d+\//, "")]
    : [value];

function textCondition(path: string, wanted: Properties, type: ScalarType, argument: string): ItemCondition {
  const [operator, text] = operatorIn(wanted) ?? [];
  if (operator === "any" || operator === "all")
    throw new Error(`${argument}: ${operator} is for lists, but ${path} is a ${type}; give a list of values`);
  if (operator !== "contains" && operator !== "matches") {
    throw new Error(`${argument} must be a value, a list of values, { contains } or { matches }`);
  }
  if (type !== "string") throw new Error(`${argument}: ${operator} is for strings, but ${path} is a ${type}`);
  const place = `${argument}.${operator}`;
  if (typeof text !== "string") throw new Error(`${place} must be a string`);
  const fits = operator === "contains" ? (value: string) => value.includes(text) : tester(text, place);
  return {
    fits: (item) => {
      const value = valueAt(item, path);
      return typeof value === "string" && fits(value);
    },
    says: (show) => `${path} ${operator === "contains" ? "containing" : "matching"} ${show(text)}`,
  };
}

/** Sorts items by a field. Items without the field come last, and equal items keep their order. */
export function sorted(items: readonly Properties[], path: string, order: "asc" | "desc"): Properties[] {
  const direction = order === "desc" ? -1 : 1;
  return items
    .map((item) => ({ item, key: sortKey(path, valueAt(item, path)) }))
    .sort((a, b) => {
      if (a.key === undefined || b.key === undefined)
        return Number(a.key === undefined) - Number(b.key === undefined);
      return direction * compare(a.key, b.key);
    })
    .map(({ item }) => item);
}

type Key = string | number | boolean;

/** Numeric ids are strings in results, and are sorted as numbers. */
function sortKey(path: string, value: unknown): Key | undefined {
  const number =
    path === "id" && typeof value === "string" ? /^(?:\d+\/)?(\d+)$/.exec(value)?.[1] : undefined;
  return number === undefined ? ((value ?? undefined) as Key | undefined) : Number(number);
}

/** Compares strings by code point, independent of the locale. UTF-8 bytes have the same order. */
const compare = (a: Key, b: Key): number =>
  typeof a === "string" && typeof b === "string"
    ? Buffer.compare(Buffer.from(a), Buffer.from(b))
    : Number(a) - Number(b);

/** The newest item. Of several items created in the same second, it is the one with the highest id. */
export const newest = (items: readonly Properties[]): Properties[] =>
  sorted(sorted(items, "id", "desc"), "created", "desc").slice(0, 1);
