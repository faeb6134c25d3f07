import { z } from "zod";
import { type Shape } from "./kind";
import { LAST_MOMENT } from "../store/clock";

export const text = z.string();
export const flag = z.boolean();
export const whole = z.int();
/** A moment of the emulated clock in milliseconds since 1970. */
export const moment = z.number().min(0).max(LAST_MOMENT);

/** The fields of an answer without the ways in which an answer can leave a field out. Null is possible only in these fields. */
type Present<Fields, Null> = {
  [Name in keyof Fields as string extends Name ? never : Name]-?:
    PresentValue<NonNullable<Fields[Name]>, Null> | (Name extends Null ? null : never);
};
type PresentValue<Value, Null> = Value extends string
  ? string
  : Value extends readonly (infer Item)[]
    ? PresentValue<Item, Null>[]
    : Value extends object
      ? Present<Value, Null>
      : Value;

/** The fields of the API's answers, as the emulator has them: always present, and null only if their name is among `nulls`, also nested ones. */
export function fieldsOf<Answer extends z.ZodRawShape, const Null extends string = never>(
  { shape }: z.ZodObject<Answer>,
  nulls: readonly Null[] = [],
) {
  const fields = Object.entries<unknown>(shape).map(([name, field]) => {
    const schema = present(field as z.ZodType, nulls);
    return [name, nulls.includes(name as Null) ? schema.nullable() : schema];
  });
  return Object.fromEntries(fields) as Shape<Present<z.output<z.ZodObject<Answer>>, Null>>;
}

function present(schema: z.ZodType, nulls: readonly string[]): z.ZodType {
  const isWrapped = ["optional", "nullable", "catch"].includes(schema.type);
  if (isWrapped) return present((schema as z.ZodOptional<z.ZodType>).unwrap(), nulls);
  if (schema instanceof z.ZodObject) return z.looseObject(fieldsOf(schema, nulls));
  return schema instanceof z.ZodArray ? z.array(present(schema.element as z.ZodType, nulls)) : schema;
}

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

/** The values of a new object's fields that are not given. A text that cannot be null, a flag or an object has no such value. */
export function emptyFields<Fields extends object>(shape: Shape<Fields>): Empty<Fields> {
  const values = Object.entries<z.ZodType>(shape).map(([field, schema]) => [field, emptyValue(schema)]);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined)) as Empty<Fields>;
}

function emptyValue(schema: z.ZodType): unknown {
  if (schema instanceof z.ZodNullable) return null;
  if (schema instanceof z.ZodArray) return [];
  return schema instanceof z.ZodNumber ? 0 : undefined;
}
