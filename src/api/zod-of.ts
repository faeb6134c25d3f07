import { type z } from "zod";
import { type Schema } from "./operation";

/** The schema of an operation as a zod schema, which all of them are. */
export const zodOf = (schema: Schema): z.ZodType => schema as unknown as z.ZodType;
