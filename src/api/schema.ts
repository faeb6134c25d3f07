import { z } from "zod";
import { type Known } from "./types/common";

/** A list of values that the service may extend. Editors suggest the known values, and any other string is accepted. */
export function openEnum<const Values extends readonly string[]>(values: Values) {
  return z.string().meta({ knownValues: values }) as unknown as z.ZodType<Known<Values[number]>>;
}

/** A field of an answer that no code depends on. It may be null or missing. A value of an unexpected type counts as missing. */
export function lenient<Schema extends z.ZodType>(schema: Schema) {
  return schema.nullish().catch(undefined);
}

/** A value of an answer: a list of values is open. */
type Open<Value> = Value extends string ? (string extends Value ? Value : Known<Value>) : Value;

type Answered<Shape extends z.ZodRawShape> = {
  [Name in keyof Shape]: undefined extends z.output<Shape[Name]>
    ? z.ZodOptional<z.ZodNullable<z.ZodType<Open<NonNullable<z.output<Shape[Name]>>>>>>
    : z.ZodType<Open<z.output<Shape[Name]>>>;
};

/** The fields of a body as those of an answer: without limits, with open lists of values, and null or missing if the body can omit them. */
export function asAnswer<Shape extends z.ZodRawShape>(shape: Shape): Answered<Shape> {
  const fields = Object.entries(shape).map(([name, field]) => [name, withoutLimits(field as z.ZodType)]);
  return Object.fromEntries(fields) as Answered<Shape>;
}

function withoutLimits(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional) return withoutLimits(schema.unwrap() as z.ZodType).nullish();
  if (schema instanceof z.ZodNullable) return withoutLimits(schema.unwrap() as z.ZodType);
  if (schema instanceof z.ZodEnum) return openEnum(schema.options.map(String));
  if (schema instanceof z.ZodArray) return z.array(withoutLimits(schema.element as z.ZodType));
  switch (schema.type) {
    case "string":
      return z.string();
    case "number":
      return z.int();
    case "boolean":
      return z.boolean();
    default:
      throw new TypeError(`the schema of an answer cannot be derived from that of a ${schema.type}`);
  }
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
  errors: z.array(z.looseObject({ field: lenient(z.string()), reason: z.string() })),
});
