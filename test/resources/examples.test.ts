import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isCollection } from "../../src/provider/describe/define-collection";
import { leavesOf, type Leaf } from "../../src/provider/describe/fields";
import { descriptions } from "../../src/resources";

/** Parts of the package schema. */
interface Spec {
  readonly type?: string;
  readonly $ref?: string;
  readonly items?: Spec;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Spec>>;
  readonly inputProperties?: Readonly<Record<string, Spec>>;
  readonly language?: {
    readonly nodejs?: { readonly example?: unknown; readonly forms?: readonly string[] };
  };
}

interface Schema {
  readonly types: Readonly<Record<string, Spec>>;
  readonly resources: Readonly<Record<string, Spec>>;
  readonly provider: Spec;
}

const schema = JSON.parse(readFileSync(join(__dirname, "../../schema.json"), "utf8")) as Schema;
const { types, resources, provider } = schema;

const typeOf = ({ $ref = "" }: Spec): Spec | undefined => types[$ref.replace("#/types/", "")];
const exampleOf = ({ language }: Spec) => language?.nodejs?.example;

/** An input with an example in every place: of an object, all properties are set. */
function whole(spec: Spec): unknown {
  if (spec.type === "array" && spec.items !== undefined && typeOf(spec.items)?.properties !== undefined)
    return [whole(spec.items)];
  const { properties } = typeOf(spec) ?? {};
  if (properties === undefined) return exampleOf(spec);
  return Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, whole(inner)]));
}

function specAt(type: string, path: string): Spec {
  const [first = "", ...rest] = path.split(".");
  const top = resources[`nodecloud:index:${type}`]?.inputProperties?.[first] ?? {};
  return rest.reduce((spec, name) => typeOf(spec)?.properties?.[name] ?? {}, top);
}

const inputs = Object.entries(descriptions).flatMap(([type, description]) => {
  const derived = isCollection(description) ? {} : (description.derived ?? {});
  return leavesOf(description.fields)
    .filter(({ path }) => !Object.hasOwn(derived, path))
    .map((leaf: Leaf) => ({ type, path: leaf.path, leaf, spec: specAt(type, leaf.path) }));
});

it("covers all inputs", () => {
  expect(inputs.length).toBeGreaterThan(90);
});

it.each(inputs)("$type.$path has an example that its own checks accept", ({ leaf, spec }) => {
  const example = exampleOf(spec);
  expect(example).toBeDefined();
  expect(leaf.schema.safeParse(example)).toMatchObject({ success: true });
  expect(leaf.problem?.(example)).toBeUndefined();
  // Another value than the default shows more.
  expect(example).not.toEqual(leaf.default);
});

it.each(inputs)("$type.$path accepts the examples of what is within it", ({ leaf, spec }) => {
  expect(leaf.schema.safeParse(whole(spec))).toMatchObject({ success: true });
});

it.each(Object.entries(types).filter(([, { language }]) => language?.nodejs?.forms?.includes("input")))(
  "the properties of %s have examples in their texts",
  (_, { properties = {} }) => {
    for (const spec of Object.values(properties)) {
      expect(exampleOf(spec)).toBeDefined();
      const isObject = [spec, spec.items ?? {}].some((one) => typeOf(one)?.properties !== undefined);
      if (!isObject) expect(spec.description).toMatch(/ Example: `.+`\.$/);
    }
  },
);

it.each(Object.entries(provider.inputProperties ?? {}))(
  "the setting %s has an example",
  (_, { description }) => {
    expect(description).toMatch(/ Example: `.+`\.$/);
    expect(description).not.toContain("undefined");
  },
);

it("strikes out the group of nodes, the only field that the API reference calls deprecated", () => {
  const deprecatedIn = (value: unknown, path: string): string[] => {
    if (typeof value !== "object" || value === null) return [];
    const own = "deprecationMessage" in value ? [path] : [];
    return own.concat(
      Object.entries(value).flatMap(([name, inner]) =>
        deprecatedIn(inner, path === "" ? name : `${path} ${name}`),
      ),
    );
  };
  expect(deprecatedIn(schema, "")).toEqual([
    "types nodecloud:index:NodeResult properties group",
    "resources nodecloud:index:Node properties group",
    "resources nodecloud:index:Node inputProperties group",
    "functions nodecloud:index:getNode outputs properties group",
  ]);
});
