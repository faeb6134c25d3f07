import { z } from "zod";
import { type Shape } from "../kind";
import { LAST_MOMENT } from "./clock";

export const text = z.string();
export const texts = z.array(text);
export const flag = z.boolean();
export const whole = z.int();
/** A moment of the emulated clock in milliseconds since 1970. */
export const moment = z.number().min(0).max(LAST_MOMENT);

/** The fields that can be null, 0 or an empty list. */
export type Empty<Fields extends object> = {
  [
    Field in keyof Fields as null extends Fields[Field]
      ? Field
      : Fields[Field] extends number | readonly unknown[]
        ? Field
        : never
  ]: Fields[Field];
};

/** What the fields of a new object contain if nothing is given for them. A text that cannot be null, a flag or an object has no such value. */
export function emptyFields<Fields extends object>(shape: Shape<Fields>): Empty<Fields> {
  const values = Object.entries<z.ZodType>(shape).map(([field, schema]) => [field, emptyValue(schema)]);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined)) as Empty<Fields>;
}

function emptyValue(schema: z.ZodType): unknown {
  if (schema instanceof z.ZodNullable) return null;
  if (schema instanceof z.ZodArray) return [];
  return schema instanceof z.ZodNumber ? 0 : undefined;
}
