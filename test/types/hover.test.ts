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

/** What each shape of inputs needs, in the order in which it is tried: an input can exclude another one. */
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

/**
 * The inputs that several shapes declare, one of them as required or with values of its own. If more than one shape fits what the program has so far, a
 * hover shows no text of them. Completions do.
 */
const OF_SOME_SHAPES: Readonly<Record<string, readonly string[]>> = {
  Domain: ["type", "soaEmail", "cloneFrom", "importFrom"],
  DomainRecord: ["type", "priority", "weight", "port", "service", "protocol", "tag"],
};

const cases = Object.entries(resources).flatMap(([token, { inputProperties }]) => {
  const type = token.split(":").at(-1) ?? "";
  return Object.entries(inputProperties)
    .filter(([name]) => OF_SOME_SHAPES[type]?.includes(name) !== true)
    .flatMap(([name, input]) => {
      const example = JSON.stringify(input.language.nodejs.example);
      const shapes = SHAPES[type] ?? [];
      return shapes.map((shape) => ({ type, name, shape, example }));
    });
});

const file = join(ROOT, "hover.ts");
const codeOf = ({ type, name, shape, example }: (typeof cases)[number]) =>
  shape.includes(`${name}:`)
    ? `new nodecloud.${type}("x", { ${shape} });`
    : `new nodecloud.${type}("x", { ${shape}, ${name}: ${example} });`;

const completed = Object.keys(OF_SOME_SHAPES).map((type) => `new nodecloud.${type}("y", { });`);
const text = ['import * as nodecloud from "./src";', ...cases.map(codeOf), ...completed].join("\n");
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

const tagsIn = (info: { readonly tags?: ts.JSDocTagInfo[] } | undefined): Readonly<Record<string, string>> =>
  Object.fromEntries((info?.tags ?? []).map((tag) => [tag.name, ts.displayPartsToString(tag.text)]));

test("an editor shows the example of each input, and that the group of a node is deprecated", () => {
  const shown = new Map<string, Readonly<Record<string, string>>>();
  cases.forEach(({ type, name }, index) => {
    const start = starts[index + 1] ?? 0;
    const line = text.slice(start, starts[index + 2]);
    const tags = tagsIn(service.getQuickInfoAtPosition(file, start + line.indexOf(` ${name}:`) + 1));
    if (tags["example"] !== undefined) shown.set(`${type}.${name}`, tags);
  });
  const all = new Set(cases.map(({ type, name }) => `${type}.${name}`));
  expect([...all].filter((name) => !shown.has(name))).toEqual([]);
  expect([...shown].filter(([, { deprecated }]) => deprecated !== undefined).map(([name]) => name)).toEqual([
    "Node.group",
  ]);
});

test.each(Object.entries(OF_SOME_SHAPES))(
  "a completion shows the example of each other input of a %s",
  (type, names) => {
    const position = text.indexOf(`nodecloud.${type}("y", { `) + `nodecloud.${type}("y", { `.length;
    for (const name of names) {
      const details = service.getCompletionEntryDetails(file, position, name, {}, undefined, {}, undefined);
      expect([name, tagsIn(details)["example"]]).toEqual([name, expect.any(String)]);
    }
  },
);
