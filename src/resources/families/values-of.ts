import { z } from "zod";
import { type Field } from "../../provider/describe/fields";

/** The schema of an output that shows the values of these inputs, with their docs. The service may show only some of them. */
export const valuesOf = (fields: Readonly<Record<string, Field>>) =>
  z.object(
    Object.fromEntries(
      Object.entries(fields).map(([name, { schema, doc }]) => [name, schema.optional().describe(doc)]),
    ),
  );
