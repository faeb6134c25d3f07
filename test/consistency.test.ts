import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import ts from "typescript";
import { z } from "zod";
import { mayImport, runsRequests } from "../scripts/layers.cjs";
import { type Client } from "../src/api/client";
import { type OperationSpec } from "../src/api/operation";
import { service } from "../src/api/service";
import { descriptions } from "../src/resources";
import * as functions from "../src/functions";
import { type Declaration, declarations } from "../src/functions/declare";
import { type AnyDescription, isCollection } from "../src/provider/describe/define-collection";
import { type Description } from "../src/provider/describe/define-resource";
import { leavesOf } from "../src/provider/describe/fields";
import { outlineOf } from "../src/provider/describe/make-outline";
import { camelPath } from "../src/provider/state/values";
import * as resources from "../src/sdk";
import { outlines } from "../src/sdk/outlines";

const root = resolve(__dirname, "..");
const src = join(root, "src");
const under = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
const parse = (path: string) =>
  ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest, true);

/** `MysqlDatabase` is in `mysql-database.ts`; so are its test, page and example. */
const stemOf = (type: string) => type.replace(/(?<!^)[A-Z]/g, "-$&").toLowerCase();

const all = Object.entries(resources).map(
  ([name, resource]: [string, { readonly description: unknown }]) => ({
    name,
    stem: stemOf(name),
    // Each is a description of its own kind of answer; here only what they share is looked at.
    description: resource.description as AnyDescription,
  }),
);

describe.each(all)("the resource $name", ({ name, stem, description }) => {
  const source = parse(join(src, "sdk", `${stem}.ts`));
  const {
    unique,
    autoname,
    derived = {},
    lossOfData,
  }: Partial<Description> = isCollection(description) ? {} : description;
  const leaves = leavesOf(description.fields);
  const properties = [...new Set([...Object.keys(description.fields), ...Object.keys(description.outputs)])];

  test("has a description of the same name, from the file of its stem", () => {
    expect(description.type).toBe(name);
    expect(description).toBe(descriptions[name as keyof typeof descriptions]);
    expect(existsSync(join(src, "resources", `${stem}.ts`))).toBe(true);
    expect(classOf(source, name)).toBeDefined();
  });

  test("registers by the outline of its description", () => {
    expect(outlines[name as keyof typeof outlines]).toEqual(outlineOf(description));
  });

  test("declares each property that an answer shows, or another request, as an output", () => {
    const declared = declaredOutputs(source, name);
    // What only the program knows need not be read from the resource again.
    const answered = new Set([...answerOf(description), ...Object.keys(description.outputs)]);
    expect(properties.filter((property) => answered.has(property) && !declared.has(property))).toEqual([]);
    expect(new Set(declared.values())).toEqual(new Set(["declare readonly"]));
  });

  test("declares no output that it has not", () => {
    const shown = new Set([...properties, ...(description.secretOutputs ?? [])]);
    expect([...declaredOutputs(source, name).keys()].filter((output) => !shown.has(output))).toEqual([]);
  });

  test("takes the inputs that its fields are, and no others", () => {
    const args = new Set(argsOf(source, name).map(({ name: property }) => property));
    const fields = Object.keys(description.fields);
    // What `check` finds out is kept as an input too, and the program does not give it.
    const isDerived = (path: string) => Object.hasOwn(derived, path);
    expect([...args].filter((property) => !fields.includes(property))).toEqual([]);
    expect(fields.filter((property) => !args.has(property) && !isDerived(property))).toEqual([]);
  });

  test("says of each input what a change of it does", () => {
    const forAll = /changed in place|A change (replaces|updates)/.test(
      commentOf(interfaceOf(source, `${name}Args`)),
    );
    const silent = argsOf(source, name).filter(({ name: property, comment }) => {
      if (comment === "") return true;
      const leaf = leaves.find(({ path }) => path === property || path.startsWith(`${property}.`));
      if (leaf?.change === "none") return false;
      return !forAll && !/change|Another content/.test(comment);
    });
    expect(silent.map(({ name: property }) => property)).toEqual([]);
  });

  test("says of an input that a change replaces or updates, as it does", () => {
    const forAll = /changed in place/.test(commentOf(interfaceOf(source, `${name}Args`)));
    const wrong = argsOf(source, name).filter(({ name: property, comment }) => {
      const changes = leaves
        .filter(({ path }) => path === property || path.startsWith(`${property}.`))
        .map(({ change }) => change);
      if (changes.every((change) => change === "replace")) {
        return !/change replaces|change takes|replaces the|new snapshot is taken/.test(comment);
      }
      if (changes.every((change) => change === "update")) {
        return (
          /A change replaces/.test(comment) || !(forAll || /change updates|when it changes/.test(comment))
        );
      }
      return false;
    });
    expect(wrong.map(({ name: property }) => property)).toEqual([]);
  });

  test("says of each input, once, what its removal from the program does", () => {
    const answers = ({ path, required, default: back, removed }: (typeof leaves)[number]) =>
      [required !== undefined, back !== undefined, removed !== undefined, path === autoname?.path].filter(
        Boolean,
      ).length;
    expect(leaves.filter((leaf) => answers(leaf) !== 1).map(({ path }) => path)).toEqual([]);
  });

  test("replaces for a removal only what is harmless to lose", () => {
    const removed = leaves.some((leaf) => leaf.removed === "replace");
    expect(removed && lossOfData !== undefined).toBe(false);
  });

  test("has a comment on its class, with an example", () => {
    const comment = commentOf(classOf(source, name));
    expect(comment).toContain("```ts");
    expect(comment).toContain(`new nodecloud.${name}(`);
  });

  test("names real inputs where it names any", () => {
    const paths = new Set(leaves.map(({ path }) => path));
    const { identity, id } = description;
    const named = [unique, autoname?.path, id.parent, ...identity].filter((path) => path !== undefined);
    expect(named.filter((path) => !paths.has(path))).toEqual([]);
  });

  test("refuses with a reason only what it has not", () => {
    const absent = Object.keys(description.absent ?? {});
    expect(absent.filter((path) => leaves.some((leaf) => leaf.path === path))).toEqual([]);
    for (const reason of Object.values(description.absent ?? {}))
      expect(reason).toMatch(/^(is|cannot) .*[^.]$/);
  });

  test("has a test in the plugin's process, and one of its types", () => {
    expect(existsSync(join(root, "test", "plugin", `${stem}.test.ts`))).toBe(true);
    expect(existsSync(join(root, "test", "types", `${stem}.test-d.ts`))).toBe(true);
  });
});

test.each(["sdk", "resources"])("each file of %s is in the index, and nothing else is", (folder) => {
  const files = readdirSync(join(src, folder)).filter(
    (name) => name.endsWith(".ts") && !["index.ts", "outlines.ts"].includes(name),
  );
  expect(files.sort()).toEqual(all.map(({ stem }) => `${stem}.ts`).sort());
});

test("each description is that of a resource", () => {
  expect(Object.keys(descriptions).sort()).toEqual(all.map(({ name }) => name).sort());
});

describe("data functions", () => {
  const page = readFileSync(join(root, "docs", "functions.md"), "utf8");
  const declared = [...declarations.values()];
  const readBy = (declaration: Declaration) =>
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

  test("are exported in two forms by the name that they were declared with", () => {
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

  test("there are some, in every part: the checks below see what they are to see", () => {
    const parts = new Set(under(src).map(partOf));
    expect(imports.length).toBeGreaterThan(100);
    for (const part of parts) expect(mayImport).toHaveProperty([part]);
  });

  test("between the parts point one way", () => {
    const wrong = imports.filter(({ part, of }) => part !== of && !mayImport[part]?.includes(of));
    expect(wrong.map(({ file, target }) => `${file} → ${target}`)).toEqual([]);
  });

  test("of what exists for speed only go through the index of its folder", () => {
    const folders = ["api/traffic", "provider/process/traffic"].map((folder) => join(...folder.split("/")));
    const wrong = folders.flatMap((folder) =>
      imports.filter(
        ({ file, target }) =>
          target.startsWith(folder) && !file.startsWith(folder) && target !== join(folder, "index.ts"),
      ),
    );
    for (const folder of folders) expect(imports.some(({ target }) => target.startsWith(folder))).toBe(true);
    expect(wrong.map(({ file, target }) => `${file} → ${target}`)).toEqual([]);
  });

  test("of the emulator take data from the API, and nothing that runs a request", () => {
    const wrong = imports.filter(
      ({ part, of, target }) =>
        part === "emulator" && of === "api" && runsRequests.includes(basename(target, ".ts")),
    );
    expect(wrong.map(({ file, target }) => `${file} → ${target}`)).toEqual([]);
  });

  test("of the provider name no resource", () => {
    const types = all.map(({ name }) => name);
    const naming = under(join(src, "provider")).filter((file) => {
      const code = withoutComments(readFileSync(join(src, "provider", file), "utf8"));
      return types.some((type) => new RegExp(`["'\`]${type}["'\`]`).test(code));
    });
    expect(naming).toEqual([]);
  });
});

/** The fields of the answer that a resource is read by, in the program's spelling. */
function answerOf(description: AnyDescription): string[] {
  // What holds many objects is no answer of the API's.
  if (isCollection(description)) return [];
  let reply: z.ZodType | undefined;
  const noting = Object.entries(service).map(([family, operations]) => [
    family,
    Object.fromEntries(
      Object.entries(operations).map(([name, operation]) => {
        const note = () => {
          reply = operation.reply;
          return Promise.resolve({});
        };
        // Where there is no operation to view one, it is looked for in the list.
        const all = () => new ReadableStream({ start: () => void note() });
        return [name, Object.assign(note, { all })];
      }),
    ),
  ]);
  void description.read(Object.fromEntries(noting) as Client, { parent: "1", id: "1" });
  if (!(reply instanceof z.ZodObject)) throw new Error(`${description.type} is not read by one operation`);
  return Object.keys(reply.shape).map(camelPath);
}

/** The part of `src` to which a file belongs: its folder, or itself. */
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

function classOf(source: ts.SourceFile, name: string): ts.ClassDeclaration | undefined {
  return source.statements.filter(ts.isClassDeclaration).find((node) => node.name?.text === name);
}

function interfaceOf(
  source: ts.SourceFile,
  name: string,
): ts.InterfaceDeclaration | ts.TypeAliasDeclaration | undefined {
  return [
    ...source.statements.filter(ts.isInterfaceDeclaration),
    ...source.statements.filter(ts.isTypeAliasDeclaration),
  ].find((node) => node.name.text === name);
}

function commentOf(node: ts.Node | undefined): string {
  return node === undefined
    ? ""
    : ts
        .getJSDocCommentsAndTags(node)
        .map((comment) => comment.getText())
        .join("\n");
}

/** What a resource's file shares with others of its family. */
const families = under(join(src, "sdk", "families")).map((file) => parse(join(src, "sdk", "families", file)));

/** The outputs that a class declares, with their modifiers, those of the family's class that it extends included. */
function declaredOutputs(source: ts.SourceFile, name: string): Map<string, string> {
  const declaration = [source, ...families]
    .map((file) => classOf(file, name))
    .find((found) => found !== undefined);
  if (declaration === undefined) return new Map();
  const parents = (declaration.heritageClauses ?? []).flatMap((clause) => [...clause.types]);
  const inherited = parents.flatMap((parent) => [...declaredOutputs(source, parent.expression.getText())]);
  const own = declaration.members.filter(ts.isPropertyDeclaration).flatMap((property): [string, string][] => {
    const modifiers = (property.modifiers ?? []).map((modifier) => modifier.getText()).join(" ");
    return modifiers.includes("static") ? [] : [[property.name.getText(), modifiers]];
  });
  return new Map([...inherited, ...own]);
}

/** The inputs of a resource with their comments, those of the interfaces and types that it is made of included. */
function argsOf(source: ts.SourceFile, name: string): { name: string; comment: string }[] {
  const files = [source, ...families];
  const collect = (typeName: string): ts.PropertySignature[] => {
    const declaration = files.map((file) => interfaceOf(file, typeName)).find((found) => found !== undefined);
    if (declaration === undefined) return [];
    if (ts.isTypeAliasDeclaration(declaration)) return namedIn(declaration.type).flatMap(collect);
    const parents = (declaration.heritageClauses ?? []).flatMap((clause) => [...clause.types]);
    return [
      ...parents.flatMap((parent) => collect(parent.expression.getText())),
      ...declaration.members.filter(ts.isPropertySignature),
    ];
  };
  return collect(`${name}Args`).flatMap((property) =>
    property.type?.kind === ts.SyntaxKind.UndefinedKeyword
      ? []
      : [{ name: property.name.getText(), comment: commentOf(property) }],
  );
}

/** The names that a union or intersection is made of. */
function namedIn(type: ts.TypeNode): string[] {
  if (ts.isUnionTypeNode(type) || ts.isIntersectionTypeNode(type)) return type.types.flatMap(namedIn);
  return ts.isTypeReferenceNode(type) ? [type.typeName.getText()] : [];
}
