import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { ROOT } from "../helpers/programs";

interface Input {
  readonly language: { readonly nodejs: { readonly example?: unknown } };
}

const { resources } = JSON.parse(readFileSync(join(ROOT, "schema.json"), "utf8")) as {
  readonly resources: Readonly<Record<string, { readonly inputProperties: Readonly<Record<string, Input>> }>>;
};

/** The inputs that each shape requires. */
const SHAPES: Readonly<Record<string, readonly string[]>> = {
  Domain: ['domain: "example.org", type: "master"'],
  DomainRecord: ['domainId: 1, type: "A", target: "192.0.2.1"'],
  DomainRecordSet: ["domainId: 1, records: []", 'domainId: 1, zoneFile: ""'],
  Image: ["diskId: 1", 'source: "a", region: "us-east"'],
  MysqlDatabase: ['region: "us-east", type: "g6-standard-1", engine: "mysql/8.0.30"'],
  MysqlDatabaseBackup: ["databaseId: 1"],
  Node: ['region: "us-east", type: "g6-standard-1"'],
  NodeBackupSnapshot: ["nodeId: 1"],
  PostgresqlDatabase: ['region: "us-east", type: "g6-standard-1", engine: "postgresql/14.6"'],
  PostgresqlDatabaseBackup: ["databaseId: 1"],
};

const cases = Object.entries(resources).flatMap(([token, { inputProperties }]) => {
  const type = token.split(":").at(-1) ?? "";
  return Object.entries(inputProperties).flatMap(([name, input]) => {
    const example = JSON.stringify(input.language.nodejs.example);
    const complete = (SHAPES[type] ?? []).map((shape) =>
      shape.includes(`${name}:`) ? shape : `${shape}, ${name}: ${example}`,
    );
    // Alone, an input fits each shape that has it.
    return [...complete, `${name}: ${example}`].flatMap((inputs) =>
      ["dynamic", "plugin"].map((entry) => ({ entry, type, name, inputs })),
    );
  });
});

const file = join(ROOT, "hover.ts");
const completed = ["Domain", "DomainRecord"];
const text = [
  'import * as dynamic from "./src"; import * as plugin from "./src/plugin";',
  ...cases.map(({ entry, type, inputs }) => `new ${entry}.${type}("x", { ${inputs} });`),
  ...completed.map((type) => `new dynamic.${type}("y", { });`),
].join("\n");
const starts = text
  .split("\n")
  .reduce<number[]>((all, line) => [...all, (all.at(-1) ?? 0) + line.length + 1], [0]);

let service: ts.LanguageService;
beforeAll(() => {
  const options: ts.CompilerOptions = {
    ...{ strict: true, skipLibCheck: true, target: ts.ScriptTarget.ES2023, types: [] },
    ...{ module: ts.ModuleKind.Node16, moduleResolution: ts.ModuleResolutionKind.Node16 },
  };
  service = ts.createLanguageService({
    ...{ fileExists: ts.sys.fileExists, readFile: ts.sys.readFile, readDirectory: ts.sys.readDirectory },
    ...{ directoryExists: ts.sys.directoryExists, getDirectories: ts.sys.getDirectories },
    getCompilationSettings: () => options,
    getScriptFileNames: () => [file],
    getScriptVersion: () => "1",
    getScriptSnapshot: (name) => {
      const source = name === file ? text : ts.sys.readFile(name);
      return source === undefined ? undefined : ts.ScriptSnapshot.fromString(source);
    },
    getCurrentDirectory: () => ROOT,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
  });
});
afterAll(() => service.dispose());

test("an editor shows the text of each input, its examples once, and that the group of a node is deprecated", () => {
  const wrong: string[] = [];
  const deprecated = new Set<string>();
  cases.forEach(({ entry, type, name, inputs }, index) => {
    const start = starts[index + 1] ?? 0;
    const line = text.slice(start, starts[index + 2]);
    const info = service.getQuickInfoAtPosition(file, start + line.indexOf(` ${name}:`) + 1);
    const tags = info?.tags ?? [];
    const examples = tags
      .filter((tag) => tag.name === "example")
      .map((tag) => ts.displayPartsToString(tag.text));
    const isOne = examples.length > 0 && new Set(examples).size === examples.length;
    if (ts.displayPartsToString(info?.documentation) === "" || !isOne)
      wrong.push(`${entry}.${type} { ${inputs} }: ${name}`);
    if (tags.some((tag) => tag.name === "deprecated")) deprecated.add(`${type}.${name}`);
  });
  expect(wrong).toEqual([]);
  expect([...deprecated]).toEqual(["Node.group"]);
});

test.each(completed)("a completion shows the example of each input of a %s", (type) => {
  const position = text.indexOf(`dynamic.${type}("y", { `) + `dynamic.${type}("y", { `.length;
  for (const name of new Set(cases.filter((one) => one.type === type).map((one) => one.name))) {
    const details = service.getCompletionEntryDetails(file, position, name, {}, undefined, {}, undefined);
    expect([name, (details?.tags ?? []).map((tag) => tag.name)]).toEqual([
      name,
      expect.arrayContaining(["example"]),
    ]);
  }
});
