import { type z } from "zod";
import * as described from "../../src/provider/describe/fields";

type Facts<Schema extends z.ZodType> = Omit<described.FieldOptions<Schema>, "doc">;

/** Inputs of fake resources, without documentation. */
export const replace = <Schema extends z.ZodType>(schema: Schema, facts: Facts<Schema> = {}) =>
  described.replace(schema, { doc: "", ...facts });

export const update = <Schema extends z.ZodType>(schema: Schema, facts: Facts<Schema> = {}) =>
  described.update(schema, { doc: "", ...facts });

export const setting = <Schema extends z.ZodType>(schema: Schema, facts: Facts<Schema> = {}) =>
  described.setting(schema, { doc: "", ...facts });
