import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import ts from "typescript";
import { mayImport, runsRequests } from "../scripts/layers.cjs";
import { type OperationSpec } from "../src/api/operation";
import { service } from "../src/api/service";
import { descriptions } from "../src/resources";
import * as functions from "../src/functions";
import { type FunctionDeclaration, declarations } from "../src/functions/declarations";
import { type AnyDescription, isCollection } from "../src/provider/describe/define-collection";
import { type Description, parseId } from "../src/provider/describe/define-resource";
import { leavesOf, maxLengthOf } from "../src/provider/describe/fields";
import * as resources from "../src/sdk";

const root = resolve(__dirname, "..");
const src = join(root, "src");
const under = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
const parse = (path: string) =>
  ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest, true);

/** `MysqlDatabase` is in `mysql-database.ts`, and its test, page and example have the same stem. */
const stemOf = (type: string) => type.replace(/(?<!^)[A-Z]/g, "-$&").toLowerCase();

const all = Object.entries(resources).map(
  ([name, resource]: [string, { readonly description: unknown }]) => ({
    name,
    stem: stemOf(name),
    // Each description has its own type of answer. These tests use only the parts that all descriptions share.
    description: resource.description as AnyDescription,
  }),
);

describe.each(all)("the resource $name", ({ name, stem, description }) => {
  const { unique, autoname, lossOfData }: Partial<Description> = isCollection(description) ? {} : description;
  const leaves = leavesOf(description.fields);

  test("has one spelling of an id", () => {
    for (const id of ["01", "01/2", "00", "+1", ...(isCollection(description) ? [] : ["1/02"])])
      expect(parseId(description, id)).toBeUndefined();
  });

  test("has a description of the same name, in its own file", () => {
    expect(description.type).toBe(name);
    expect(description).toBe(descriptions[name as keyof typeof descriptions]);
    expect(existsSync(join(src, "resources", `${stem}.ts`))).toBe(true);
  });

  test("has exactly one answer for each input to what its removal does", () => {
    const answers = ({ path, required, default: back, removed }: (typeof leaves)[number]) =>
      [required !== undefined, back !== undefined, removed !== undefined, path === autoname?.path].filter(
        Boolean,
      ).length;
    expect(leaves.filter((leaf) => answers(leaf) !== 1).map(({ path }) => path)).toEqual([]);
  });

  test("is replaced for a removal only if no data is lost", () => {
    const removed = leaves.some((leaf) => leaf.removed === "replace");
    expect(removed && lossOfData !== undefined).toBe(false);
  });

  test("has automatic names of a limited length, by the schema of the input or its own limit", () => {
    const leaf = leaves.find(({ path }) => path === autoname?.path);
    const limits = [leaf && maxLengthOf(leaf.schema), autoname?.max].filter((limit) => limit !== undefined);
    expect(limits.length).toBe(autoname === undefined ? 0 : 1);
  });

  test("names only existing inputs", () => {
    const paths = new Set(leaves.map(({ path }) => path));
    const { identity, id } = description;
    const switches = leaves.map(({ replacesWith }) => replacesWith?.path);
    const named = [unique, autoname?.path, id.parent, ...identity, ...switches].filter(
      (path) => path !== undefined,
    );
    expect(named.filter((path) => !paths.has(path))).toEqual([]);
  });

  test("names the type of its parent if its id has a parent", () => {
    const { parent, parentType, pattern } = description.id;
    const isChild = pattern.source.includes("(?<parent>");
    expect([parent !== undefined, parentType !== undefined]).toEqual([isChild, isChild]);
    // A record of a domain is a DomainRecord.
    const parents = all
      .map((other) => other.name)
      .filter((other) => other !== name && name.startsWith(other));
    expect(isChild ? parents : [undefined]).toContain(parentType);
  });

  test("has reasons only for inputs that it does not have", () => {
    const absent = Object.keys(description.unsupported ?? {});
    expect(absent.filter((path) => leaves.some((leaf) => leaf.path === path))).toEqual([]);
    for (const reason of Object.values(description.unsupported ?? {}))
      expect(reason).toMatch(/^(is|cannot) .*[^.]$/);
  });

  test("has a page and a plugin-process test", () => {
    expect(existsSync(join(root, "docs", "resources", `${stem}.md`))).toBe(true);
    expect(existsSync(join(root, "test", "plugin", `${stem}.test.ts`))).toBe(true);
  });
});

test("each file of sdk belongs to a resource or is shared", () => {
  const files = readdirSync(join(src, "sdk")).filter(
    (name) =>
      name.endsWith(".ts") &&
      !["index.ts", "inputs.ts", "outlines.ts", "plugin.ts", "types.ts"].includes(name),
  );
  expect(files.sort()).toEqual(all.map(({ stem }) => `${stem}.ts`).sort());
});

test("each part of the provider has tests at the same place in test/", () => {
  const parts = readdirSync(join(src, "provider"), { withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
  );
  const untested = parts.flatMap(({ name }) => {
    const folder = join(root, "test/provider", name);
    const isTested = existsSync(folder) && under(folder).some((file) => file.endsWith(".test.ts"));
    return isTested ? [] : [name];
  });
  expect(untested).toEqual([]);
});

describe("data functions", () => {
  const page = readFileSync(join(root, "docs", "functions.md"), "utf8");
  const declared = [...declarations.values()];
  const readBy = (declaration: FunctionDeclaration) =>
    declaration.kind === "item" ? [declaration.list.reads, declaration.reads] : [declaration.reads];

  test("reach every read operation of the API", () => {
    const reads = Object.entries<Readonly<Record<string, OperationSpec>>>(service).flatMap(
      ([family, operations]) =>
        Object.keys(operations)
          .filter((name) => operations[name]?.method === "GET")
          .map((name) => `${family}.${name}`),
    );
    const reached = new Set<string | undefined>(declared.flatMap(readBy));
    expect(reads.length).toBeGreaterThan(20);
    expect(reads.filter((operation) => !reached.has(operation))).toEqual([]);
  });

  test("are exported in both forms under their declared name", () => {
    const names = declared.flatMap(({ name }) => [name, `${name}Output`]);
    expect(Object.keys(functions).sort()).toEqual(names.sort());
  });

  test.each(declared)("$name has a row in the docs, and a comment with an example", ({ name }) => {
    expect(page).toContain(`| \`${name}\` |`);
    const code = under(join(src, "functions"))
      .map((file) => readFileSync(join(src, "functions", file), "utf8"))
      .join("\n");
    const [, comment = ""] =
      new RegExp(`(/\\*\\*(?:(?!\\*/)[\\s\\S])*\\*/)\\nexport const ${name}\\b`).exec(code) ?? [];
    expect(comment).toContain("```ts");
    expect(comment).toContain(`nodecloud.${name}(`);
  });
});

describe("imports", () => {
  const imports = under(src).flatMap((file) =>
    importsOf(join(src, file)).map((target) => ({ file, part: partOf(file), target, of: partOf(target) })),
  );

  test("exist in every part, so the checks below find them", () => {
    const parts = new Set(under(src).map(partOf));
    expect(imports.length).toBeGreaterThan(100);
    for (const part of parts) expect(mayImport).toHaveProperty([part]);
  });

  test("between parts follow the list of layers", () => {
    const wrong = imports.filter(({ part, of }) => part !== of && !mayImport[part]?.includes(of));
    expect(wrong.map(({ file, target }) => `${file} → ${target}`)).toEqual([]);
  });

  test("of code that exists only for speed go through the index of its folder", () => {
    const folders = ["api/throttle", "provider/run/traffic"].map((folder) => join(...folder.split("/")));
    const wrong = folders.flatMap((folder) =>
      imports.filter(
        ({ file, target }) =>
          target.startsWith(folder) && !file.startsWith(folder) && target !== join(folder, "index.ts"),
      ),
    );
    for (const folder of folders) expect(imports.some(({ target }) => target.startsWith(folder))).toBe(true);
    expect(wrong.map(({ file, target }) => `${file} → ${target}`)).toEqual([]);
  });

  test("of the emulator use only data from the API, and nothing that sends requests", () => {
    const wrong = imports.filter(
      ({ part, of, target }) =>
        part === "emulator" &&
        of === "api" &&
        runsRequests.includes(target.split(sep)[1]?.replace(/\.ts$/, "") ?? ""),
    );
    expect(wrong.map(({ file, target }) => `${file} → ${target}`)).toEqual([]);
  });
});

test("the provider names no resource", () => {
  const types = all.map(({ name }) => name);
  const naming = under(join(src, "provider")).filter((file) => {
    const code = withoutComments(readFileSync(join(src, "provider", file), "utf8"));
    return types.some((type) => new RegExp(`["'\`]${type}["'\`]`).test(code));
  });
  expect(naming).toEqual([]);
});

/** The part of `src` to which a file belongs: its folder, or the file itself. */
function partOf(file: string): string {
  return file.split(sep)[0] ?? file;
}

/** The files of `src` that a file imports or re-exports, types included. */
function importsOf(path: string): string[] {
  return parse(path).statements.flatMap((statement) => {
    if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) return [];
    const { moduleSpecifier: from } = statement;
    if (from === undefined || !ts.isStringLiteral(from) || !from.text.startsWith(".")) return [];
    const target = resolve(dirname(path), from.text);
    const file = [`${target}.ts`, join(target, "index.ts")].find(existsSync);
    if (file === undefined) throw new Error(`${path}: ${from.text} is not a file`);
    return [relative(src, file)];
  });
}

function withoutComments(code: string): string {
  return code.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, "");
}
