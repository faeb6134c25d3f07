import { type z } from "zod";
import { type Schema } from "../api/operation";
import { zodOf } from "../api/zod-of";
import { camelPath } from "../provider/base/values";

/** The type of a value that can be compared. */
export type ScalarType = "string" | "number" | "boolean";

/** A field to filter by. */
export interface FilterField {
  readonly type: ScalarType;
  /** Whether the field is a list of such values. */
  readonly isList: boolean;
}

/** The fields to filter by, by their dotted paths. */
export type Fields = ReadonlyMap<string, FilterField>;

/** The types of schemas that wrap another one to allow a missing value. */
const WRAPPERS: ReadonlySet<string> = new Set(["optional", "nullable", "catch"]);

/** The scalars and lists of scalars in the schema of an item, also nested ones, with the names that programs use. Ids are strings. */
export function fieldsIn(schema: Schema): Fields {
  const fields = new Map(fieldsBelow(zodOf(schema), ""));
  return fields.has("id") ? fields.set("id", { type: "string", isList: false }) : fields;
}

function fieldsBelow(schema: z.ZodType, prefix: string): [string, FilterField][] {
  return Object.entries(definitionOf(schema).shape ?? {}).flatMap(
    ([name, inner]): [string, FilterField][] => {
      const path = `${prefix}${camelPath(name)}`;
      const { type, element } = definitionOf(inner);
      if (isScalar(type)) return [[path, { type, isList: false }]];
      if (element === undefined) return fieldsBelow(inner, `${path}.`);
      const { type: entry } = definitionOf(element);
      return isScalar(entry) ? [[path, { type: entry, isList: true }]] : [];
    },
  );
}

const isScalar = (type: string): type is ScalarType =>
  type === "string" || type === "number" || type === "boolean";

interface Definition {
  readonly type: string;
  readonly innerType?: z.ZodType;
  /** The schema of a list's entries. */
  readonly element?: z.ZodType;
  readonly shape?: Readonly<Record<string, z.ZodType>>;
}

function definitionOf(schema: z.ZodType): Definition {
  const definition = schema.def as unknown as Definition; // also has the fields of each kind of schema
  return WRAPPERS.has(definition.type) && definition.innerType !== undefined
    ? definitionOf(definition.innerType)
    : definition;
}
