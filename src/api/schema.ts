import { z } from "zod";
import { type Known } from "./types/common";

/**
 * A list of values that the service may extend. Editors suggest the known values, and any other string is accepted.
 */
export function openEnum<const Values extends readonly string[]>(values: Values) {
  return z.string().meta({ knownValues: values }) as unknown as z.ZodType<Known<Values[number]>>;
}

/**
 * A field of an answer that no code depends on. It may be null or missing. A value of an unexpected type counts as missing.
 */
export function info<Schema extends z.ZodType>(schema: Schema) {
  return schema.nullish().catch(undefined);
}

/** A date-time of the service: `YYYY-MM-DDThh:mm:ss`, without a zone. */
export const dateTime = z.string();

/** The empty object that operations without a result answer. */
export const empty = z.looseObject({});

/** The envelope of every paginated answer. */
export const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.looseObject({
    data: z.array(item),
    page: z.int(),
    pages: z.int(),
    results: z.int(),
  });

/** The envelope of every error answer. */
export const errorEnvelope = z.looseObject({
  errors: z.array(z.looseObject({ field: info(z.string()), reason: z.string() })),
});
