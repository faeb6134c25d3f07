import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import * as resources from "../src/sdk";

const root = resolve(__dirname, "..");

interface Spec {
  readonly description?: string;
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Spec>>;
  readonly inputProperties?: Readonly<Record<string, Spec>>;
  readonly inputs?: Spec;
  readonly outputs?: Spec;
  readonly enum?: readonly unknown[];
  readonly oneOf?: readonly Spec[];
}

type Specs = Readonly<Record<string, Spec>>;

const schema = JSON.parse(readFileSync(join(root, "schema.json"), "utf8")) as {
  readonly types: Specs;
  readonly resources: Specs;
  readonly functions: Specs;
  readonly provider: Spec;
};

describe("schema.json", () => {
  const described: [string, Spec | undefined][] = [
    ["provider", schema.provider],
    ...Object.entries({ ...schema.types, ...schema.resources, ...schema.functions }),
  ];
  const propertiesIn = (spec: Spec | undefined): [string, Spec][] =>
    spec === undefined ? [] : Object.entries({ ...spec.properties, ...spec.inputProperties });

  test("describes each type, resource and function", () => {
    expect(described.length).toBeGreaterThan(50);
    expect(described.filter(([, spec]) => !spec?.description).map(([token]) => token)).toEqual([]);
  });

  test("describes each property: inputs, outputs, nested properties, arguments and results", () => {
    const silent = described.flatMap(([token, spec]) =>
      [...propertiesIn(spec), ...propertiesIn(spec?.inputs), ...propertiesIn(spec?.outputs)]
        .filter(([, { description }]) => !description)
        .map(([property]) => `${token}: ${property}`),
    );
    expect(silent).toEqual([]);
  });

  test("gives each argument of a data function an example of its type, where the function's own example shows a value", () => {
    const all = Object.entries(schema.functions).flatMap(([token, { inputs }]) =>
      propertiesIn(inputs).map(([name, { description = "", type = "string" }]) => {
        const example = / Example: `(.*)`\.$/.exec(description)?.[1];
        return { what: `${token}: ${name}`, type, value: example && (JSON.parse(example) as unknown) };
      }),
    );
    const shown = all.filter(({ value }) => value !== undefined);
    expect(shown.filter(({ type, value }) => typeof value !== type)).toEqual([]);
    const without = all.filter(({ value }) => value === undefined).map(({ what }) => what);
    expect(without.filter((what) => !/: (?:filter|label|version)$/.test(what))).toEqual([]);
    expect(without.length).toBeLessThan(10);
  });

  test("has one type for each property of a result, because Python's SDK refuses the others", () => {
    const unions = Object.entries(schema.functions).flatMap(([token, { outputs }]) =>
      propertiesIn(outputs)
        .filter(([, { oneOf }]) => oneOf !== undefined)
        .map(([property]) => `${token}: ${property}`),
    );
    expect(unions).toEqual([]);
  });

  test("has a resource for each class", () => {
    expect(Object.keys(schema.resources)).toEqual(
      Object.keys(resources)
        .sort()
        .map((name) => `nodecloud:index:${name}`),
    );
  });
});

describe("the docs", () => {
  const partOf = (path: string, name: string) => {
    const page = readFileSync(join(root, "docs", path), "utf8");
    return new RegExp(`<!-- ${name}:begin -->([\\s\\S]*)<!-- ${name}:end -->`).exec(page)?.[1] ?? "";
  };
  const stemOf = (type: string) => type.replace(/(?<=[a-z])(?=[A-Z])/g, "-").toLowerCase();
  const nameOf = (token: string) => token.replace(/^.*:/, "");

  test.each(Object.entries(schema.resources))("have a row for each input and output of %s", (token, spec) => {
    const path = `resources/${stemOf(nameOf(token))}.md`;
    const [inputs, outputs] = [partOf(path, "inputs"), partOf(path, "outputs")];
    const without = (tables: string, properties: object = {}) =>
      Object.keys(properties).filter((name) => !tables.includes(`\n| \`${name}\``));
    expect(without(inputs, spec.inputProperties)).toEqual([]);
    expect(without(outputs + inputs, spec.properties)).toEqual([]);
  });

  test("have a table of the result of each data function", () => {
    const results = partOf("functions.md", "results");
    const names = Object.keys(schema.functions).map(nameOf);
    expect(names.filter((name) => !new RegExp(`### .*\`${name}\``).test(results))).toEqual([]);
  });
});

describe("programs can name the type of each nested object", () => {
  const objects = Object.entries(schema.types)
    .filter(([, spec]) => spec.enum === undefined)
    .map(([token]) => token.replace(/^.*:(\w+?)(Settings)?$/, "$1"));
  const isResult = (name: string) => name.endsWith("Result");

  test("of a resource", () => {
    const index = readFileSync(join(root, "src/sdk/index.ts"), "utf8");
    const names = objects.filter((name) => !isResult(name));
    expect(names).toContain("NodeInterface");
    expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(index))).toEqual([]);
  });

  test("of the result of a data function", () => {
    const index = readFileSync(join(root, "src/functions/index.ts"), "utf8");
    expect(index).toContain('export type * from "./results";');
    const results = readFileSync(join(root, "src/functions/results/index.ts"), "utf8");
    const exported = [...results.matchAll(/from "\.\/([^"]+)"/g)]
      .map(([, stem = ""]) => readFileSync(join(root, "src/functions/results", `${stem}.ts`), "utf8"))
      .join("\n");
    const names = objects.filter(isResult);
    expect(names).toContain("NodeSpecsResult");
    expect(names.filter((name) => !exported.includes(`export interface ${name} `))).toEqual([]);
  });
});
