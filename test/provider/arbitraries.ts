import * as fc from "fast-check";
import { z } from "zod";
import { type Description } from "../../src/provider/describe/define-resource";
import { type Leaf, leavesOf } from "../../src/provider/describe/fields";
import { canonicalAddress, type Properties, same, setAt } from "../../src/provider/base/values";
import * as resources from "../../src/sdk";
import { compressed, expanded, respeltIPv6 } from "../helpers/addresses";
import { CHARACTERS } from "../helpers/characters";
import { cases } from "../helpers/whole";

// The same cases in each run. A failure shows the first case, because shrinking such large cases takes long.
fc.configureGlobal({ seed: 4, endOnFailure: true, numRuns: cases(100) });

/** Every resource's description. */
export const descriptions: readonly Description[] = Object.values(resources).map(
  // Each description has its own type of answer. These tests use only the parts that all descriptions share.
  (resource: { readonly description: unknown }) => resource.description as Description,
);

const known = new Map<z.ZodType, fc.Arbitrary<unknown>>();

/** Values that a schema accepts. */
export function valuesOf(schema: z.ZodType): fc.Arbitrary<unknown> {
  const values = known.get(schema) ?? candidates(schema).filter((value) => schema.safeParse(value).success);
  known.set(schema, values);
  return values;
}

function candidates(schema: z.ZodType): fc.Arbitrary<unknown> {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodLazy) {
    return candidates(schema.unwrap() as z.ZodType);
  }
  if (schema instanceof z.ZodUnion)
    return fc.oneof(...schema.options.map((one) => candidates(one as z.ZodType)));
  if (schema instanceof z.ZodLiteral) return fc.constantFrom(...schema.values);
  if (schema instanceof z.ZodEnum) return fc.constantFrom(...schema.options);
  if (schema instanceof z.ZodBoolean) return fc.boolean();
  if (schema instanceof z.ZodNumber) {
    return fc.integer({
      min: Math.ceil(Math.max(schema.minValue ?? -Infinity, -1e9)),
      max: Math.floor(Math.min(schema.maxValue ?? Infinity, 1e9)),
    });
  }
  if (schema instanceof z.ZodArray)
    return fc.array(candidates(schema.element as z.ZodType), { maxLength: 3 });
  if (schema instanceof z.ZodObject) {
    const shape = schema.shape as Record<string, z.ZodType>;
    const required = Object.keys(shape).filter((name) => !shape[name]?.safeParse(undefined).success);
    return fc.record(
      Object.fromEntries(Object.entries(shape).map(([name, inner]) => [name, candidates(inner)])),
      { requiredKeys: required },
    );
  }
  if (schema instanceof z.ZodRecord) {
    const item = fc.oneof(fc.string({ maxLength: 5 }), fc.integer(), fc.boolean());
    return fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/), item, { maxKeys: 3 });
  }
  if (schema instanceof z.ZodBase64) return fc.base64String({ maxLength: 20 });
  if (schema instanceof z.ZodEmail) {
    return fc.stringMatching(/^[a-z]{1,8}$/).map((name) => `${name}@example.org`);
  }
  const pattern = schema.def.checks?.map(patternOf).find((found) => found !== undefined);
  if (pattern !== undefined) {
    // The generator cannot handle "all but a slash".
    return fc.stringMatching(new RegExp(pattern.source.replaceAll("[^/]", "[a-z0-9.]")));
  }
  const min = schema instanceof z.ZodString ? (schema.minLength ?? 0) : 0;
  const max = Math.min(min + 12, schema instanceof z.ZodString ? (schema.maxLength ?? Infinity) : Infinity);
  const text = fc.string({ minLength: min, maxLength: max, unit: fc.constantFrom(...CHARACTERS) });
  // Some strings are values that a service spells in other ways.
  const name = fc.stringMatching(/^[a-z]{1,5}\.(example\.org|Example\.ORG\.)$/);
  return fc.oneof({ arbitrary: text, weight: 6 }, name, fc.ipV6());
}

function patternOf({ _zod: { def } }: z.core.$ZodCheck): RegExp | undefined {
  return "pattern" in def && def.pattern instanceof RegExp ? def.pattern : undefined;
}

const address = fc.oneof(
  fc.ipV4(),
  fc.ipV6(),
  fc.tuple(fc.ipV4(), fc.integer({ min: 0, max: 32 })).map(([ip, mask]) => `${ip}/${mask}`),
);

/** Values of an input. */
export const valuesAt = (leaf: Leaf): fc.Arbitrary<unknown> =>
  leaf.comparison === "addresses"
    ? fc.array(address, { maxLength: 3 }).filter((value) => leaf.schema.safeParse(value).success)
    : valuesOf(leaf.schema);

/** Whether an input asks for something that would have to answer. */
export const asksAround = ({ awaited, schema }: Leaf): boolean =>
  awaited === true && !(schema instanceof z.ZodBoolean);

/** Some inputs of a description with their values, as `check` leaves them. */
export function inputsOf(description: Description): fc.Arbitrary<Properties> {
  const leaves = leavesOf(description.fields);
  return fc
    .tuple(...leaves.map((leaf) => fc.option(valuesAt(leaf), { nil: undefined })))
    .map((values) => objectOf(leaves, values));
}

export function objectOf(leaves: readonly Leaf[], values: readonly unknown[]): Properties {
  const object: Properties = {};
  leaves.forEach(({ path }, index) => {
    if (values[index] !== undefined) setAt(object, path, values[index]);
  });
  return object;
}

/** Another spelling of a value that the comparison treats as equal. */
export function respelt(leaf: Leaf, value: unknown): unknown {
  if (leaf.comparison === "id") return String(Number(value)) === value ? Number(value) : value;
  if (leaf.comparison === "set" && Array.isArray(value)) return [...(value as unknown[])].reverse();
  if (leaf.comparison === "addresses" && Array.isArray(value)) {
    return value.map((item) => canonicalAddress(String(item)).toUpperCase()).reverse();
  }
  return structuredClone(value);
}

/** Arbitrary rewrites of a value by a server. */
export function rewritesOf(value: unknown): fc.Arbitrary<unknown> {
  const always: fc.Arbitrary<unknown>[] = [fc.constant(value), fc.constant(null), fc.constant(undefined)];
  if (typeof value === "number") {
    const steps = [300, 3600, 86400];
    always.push(
      fc.constantFrom(...steps.map((step) => Math.round(value / step) * step)),
      fc.constantFrom(...steps.map((step) => Math.ceil(value / step) * step)),
    );
  }
  if (typeof value === "string") {
    always.push(
      fc.constantFrom(
        value.toLowerCase(),
        value.toUpperCase(),
        `${value}.example.org`,
        value.replace(/\.example\.org\.?$/i, ""),
        `${value}.`,
        "",
        respeltIPv6(value, expanded),
        respeltIPv6(value, compressed),
      ),
    );
  }
  if (Array.isArray(value)) {
    const items = value as unknown[];
    always.push(
      fc.constantFrom(
        [...items].reverse(),
        [...items, "added"],
        items.slice(1),
        items.map((item) => (typeof item === "string" ? `${item}/32` : item)),
      ),
    );
  }
  return fc.oneof(...always);
}

/** A value that the comparison treats as different. */
export const otherThan = (leaf: Leaf, value: unknown): fc.Arbitrary<unknown> =>
  fc.oneof(valuesAt(leaf), fc.constant(null)).filter((other) => !same(leaf.comparison, other, value));

/** A copy with another value at one path. Undefined removes the input, and its group if the group becomes empty. */
export function withValue(object: Properties, leaf: Leaf, value: unknown): Properties {
  const [name = "", ...rest] = leaf.path.split(".");
  const set = (inner: Properties, names: readonly string[]): Properties => {
    const [first = "", ...others] = names;
    const next = others.length === 0 ? value : set((inner[first] ?? {}) as Properties, others);
    const empty = others.length > 0 && Object.keys(next as Properties).length === 0;
    const remaining = Object.fromEntries(Object.entries(inner).filter(([other]) => other !== first));
    return next === undefined || empty ? remaining : { ...remaining, [first]: next };
  };
  return set(object, [name, ...rest]);
}
