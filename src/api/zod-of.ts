import { type z } from "zod";
import { type Schema } from "./operation";

/** The schema of an operation in the terms of the library that all of them are made with. */
export const zodOf = (schema: Schema): z.ZodType => schema as unknown as z.ZodType;
