import { type z } from "zod";
import { camelPath } from "../provider/values";

/** What a field that can be filtered and sorted by holds. */
export type ScalarType = "string" | "number" | "boolean";

/** The scalar fields of an item by their dotted paths. */
export type Fields = ReadonlyMap<string, ScalarType>;

/** The inner schema of one that lets a value be absent. */
const WRAPPERS: ReadonlySet<string> = new Set(["optional", "nullable", "catch"]);

/** The scalar fields that the schema of an item names, in the program's spelling, nested ones too. Ids are texts in results. */
export function scalarFieldsOf(schema: z.ZodType): Fields {
  const fields = new Map(fieldsBelow(schema, ""));
  return fields.has("id") ? fields.set("id", "string") : fields;
}

function fieldsBelow(schema: z.ZodType, prefix: string): [string, ScalarType][] {
  return Object.entries(definitionOf(schema).shape ?? {}).flatMap(([name, inner]): [string, ScalarType][] => {
    const path = `${prefix}${camelPath(name)}`;
    const { type } = definitionOf(inner);
    return type === "string" || type === "number" || type === "boolean"
      ? [[path, type]]
      : fieldsBelow(inner, `${path}.`);
  });
}

interface Definition {
  readonly type: string;
  readonly innerType?: z.ZodType;
  readonly shape?: Readonly<Record<string, z.ZodType>>;
}

function definitionOf(schema: z.ZodType): Definition {
  const definition = schema.def as unknown as Definition; // what each kind of schema has besides its type
  return WRAPPERS.has(definition.type) && definition.innerType !== undefined
    ? definitionOf(definition.innerType)
    : definition;
}
