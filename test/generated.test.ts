import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import ts from "typescript";
import { type AnyDescription } from "../src/provider/describe/define-collection";
import * as resources from "../src/sdk";

const root = resolve(__dirname, "..");

interface Spec {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Spec>>;
  readonly inputProperties?: Readonly<Record<string, Spec>>;
  readonly inputs?: Spec;
  readonly outputs?: Spec;
  readonly enum?: readonly unknown[];
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

  test("has a resource for each class", () => {
    expect(Object.keys(schema.resources)).toEqual(
      Object.keys(resources)
        .sort()
        .map((name) => `nodecloud:index:${name}`),
    );
  });
});

test("programs can name the type of each nested object of a resource", () => {
  const index = readFileSync(join(root, "src/sdk/index.ts"), "utf8");
  const objects = Object.entries(schema.types)
    .filter(([token, spec]) => spec.enum === undefined && !/Result$/.test(token))
    .map(([token]) => token.replace(/^.*:(\w+?)(Input)?$/, "$1"));
  expect(objects).toContain("NodeInterface");
  expect(objects.filter((name) => !new RegExp(`\\b${name}\\b`).test(index))).toEqual([]);
});

describe("the examples of the classes", () => {
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.Node16,
    moduleResolution: ts.ModuleResolutionKind.Node16,
    strict: true,
    skipLibCheck: true,
    noEmit: true,
    types: [],
  };
  /** Declarations of the resources that the examples use without declaring them. */
  const others = join(root, "test/types/others.d.ts");
  const examples = Object.entries(resources).map(([name, resource]) => ({
    name,
    path: join(root, "test/types", `${name}.example.ts`),
    text: (resource as unknown as { readonly description: AnyDescription }).description.example,
  }));
  const texts = new Map([
    [
      others,
      ["zone: Domain", "web: Node", "db: MysqlDatabase"]
        .map((one) => one.replace(/(\w+): (\w+)/, 'declare const $1: import("../../src").$2;'))
        .join("\n"),
    ],
    ...examples.map(({ path, text }): [string, string] => [
      path,
      `import * as nodecloud from "../../src";\n${text}`,
    ]),
  ]);

  test("compile, and each creates a resource of its class", () => {
    const host = ts.createCompilerHost(options);
    const [readFile, fileExists] = [host.readFile.bind(host), host.fileExists.bind(host)];
    host.fileExists = (path) => texts.has(resolve(path)) || fileExists(path);
    host.readFile = (path) => texts.get(resolve(path)) ?? readFile(path);
    host.getSourceFile = (path, target) => {
      const text = host.readFile(path);
      return text === undefined ? undefined : ts.createSourceFile(path, text, target, true);
    };
    const program = ts.createProgram([...texts.keys()], options, host);
    const complaints = examples.flatMap(({ name, path }) =>
      ts
        .getPreEmitDiagnostics(program, program.getSourceFile(path))
        .map(({ messageText }) => `${name}: ${ts.flattenDiagnosticMessageText(messageText, " ")}`),
    );
    expect(complaints).toEqual([]);
    for (const { name, text } of examples) expect(text).toContain(`new nodecloud.${name}(`);
  });
});
