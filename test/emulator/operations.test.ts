import { z } from "zod";
import { pageOf } from "../../src/api/schema";
import { zodOf } from "../../src/api/zod-of";
import { withEmulator } from "../helpers/emulator";
import { callEveryOperation, operations } from "../helpers/every-operation";

/** The schema of a field without the wrappers that make it optional. */
function unwrapped(schema: z.core.$ZodType): z.core.$ZodType {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodCatch
    ? unwrapped(schema.unwrap())
    : schema;
}

/** The keys that a value has in addition to its schema (`+`) or lacks (`-`), as paths. */
function keyDifferences(wrapped: z.core.$ZodType, value: unknown, path = ""): string[] {
  const schema = unwrapped(wrapped);
  if (value === null || value === undefined) return [];
  if (schema instanceof z.ZodArray && Array.isArray(value)) {
    return value.flatMap((item) => keyDifferences(schema.element, item, `${path}[]`));
  }
  if (!(schema instanceof z.ZodObject) || typeof value !== "object") return [];
  const expected = Object.keys(schema.shape);
  return [
    ...Object.keys(value)
      .filter((key) => !expected.includes(key))
      .map((key) => `+${path}.${key}`),
    ...expected.filter((key) => !(key in value)).map((key) => `-${path}.${key}`),
    ...Object.entries(value).flatMap(([key, inner]) =>
      expected.includes(key) ? keyDifferences(schema.shape[key], inner, `${path}.${key}`) : [],
    ),
  ];
}

test("the answer of every operation has exactly the keys of its schema", async () => {
  const called = await withEmulator(callEveryOperation);
  for (const { name, spec, status, body } of called) {
    expect({ name, status, body }).toMatchObject({ name, status: 200 });
    const schema = spec.paged ? pageOf(zodOf(spec.reply)) : zodOf(spec.reply);
    schema.parse(body);
    expect({ name, differences: keyDifferences(schema, body) }).toEqual({
      name,
      // The reference has this field for PostgreSQL only.
      differences: expect.not.arrayContaining([expect.not.stringMatching(/replication_commit_type$/)]),
    });
  }
  expect([...new Set(called.map(({ name }) => name))].sort()).toEqual([...operations.keys()].sort());
});
