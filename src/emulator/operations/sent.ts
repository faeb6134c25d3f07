import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { isObject } from "../store/table";

type Fields = Readonly<Record<string, unknown>>;

/**
 * A body without the optional fields that are null, because clients send null for fields that are not set. A field whose
 * schema allows null keeps it.
 */
export function withoutNulls(schema: z.ZodType, sent: unknown): unknown {
  const inner = schema instanceof z.ZodOptional ? (schema.unwrap() as z.ZodType) : schema;
  if (!(inner instanceof z.ZodObject) || !isObject(sent)) return sent;
  const shape = inner.shape as Readonly<Record<string, z.ZodType>>;
  return Object.fromEntries(
    Object.entries(sent).flatMap(([name, value]) => {
      // A property that every object has, such as `constructor`, is not a field.
      const field = Object.hasOwn(shape, name) ? shape[name] : undefined;
      if (field === undefined) return [[name, value]];
      return value === null && isOnlyOptional(field) ? [] : [[name, withoutNulls(field, value)]];
    }),
  );
}

const isOnlyOptional = (field: z.ZodType) =>
  field.safeParse(undefined).success && !field.safeParse(null).success;

/** The body of an update with the default of a field in place of null. */
export function withDefaults(defaults: Fields, sent: unknown): unknown {
  if (!isObject(sent)) return sent;
  return Object.fromEntries(
    Object.entries(sent).map(([name, value]) => [
      name,
      value === null && Object.hasOwn(defaults, name) ? defaults[name] : value,
    ]),
  );
}

/**
 * The fields of an update that differ from the object, nested ones too. Unchanged fields are not checked, so that a client
 * can write back an object that it read.
 */
export function changesTo(current: unknown, sent: unknown): unknown {
  if (!isObject(current) || !isObject(sent)) return sent;
  return Object.fromEntries(
    Object.entries(sent)
      .filter(([name, value]) => !Object.hasOwn(current, name) || !isDeepStrictEqual(value, current[name]))
      .map(([name, value]) => [name, changesTo(current[name], value)]),
  );
}
