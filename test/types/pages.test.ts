import { readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import ts from "typescript";
import { type AnyDescription } from "../../src/provider/describe/define-collection";
import * as resources from "../../src/sdk";
import { TEMPLATE } from "../helpers/compilers";
import { siteExamples } from "../helpers/site-examples";

const ROOT = join(__dirname, "../..").replaceAll(sep, "/");

/** The options of a program from `pulumi new typescript`. TypeScript 6 accepts them with the first two of the others. */
const OPTIONS: ts.CompilerOptions = {
  ...ts.convertCompilerOptionsFromJson(
    { ...TEMPLATE, target: "es2020", module: "commonjs", moduleResolution: "node" },
    ROOT,
  ).options,
  ignoreDeprecations: "6.0",
  types: ["node"],
  noEmit: true,
  skipLibCheck: true,
};

/** A block of code. A comment before it, such as `<!-- example: index.ts -->`, names its file. */
const BLOCK = /(?:^<!-- example: (\S+\.ts) -->\n+)?^```ts\n([^]*?)^```$/gm;

/**
 * The programs of a page, by file. The blocks of a page are one program, in their order, so a block may use what an earlier one declares.
 * A block with a file name is a file of its own beside it. All other lines of the page are empty lines, so each line keeps its number.
 */
function programsIn(page: string, markdown: string): [file: string, code: string][] {
  const programs = new Map<string, { code: string; end: number }>();
  for (const { index, 0: whole, 1: name = "all-blocks.ts", 2: code = "" } of markdown.matchAll(BLOCK)) {
    const file = `${ROOT}/${page}/${name}`;
    const before = programs.get(file) ?? { code: "", end: 0 };
    const end = index + whole.length - "```".length;
    const between = markdown.slice(before.end, end - code.length).replace(/[^\n]/g, "");
    programs.set(file, { code: before.code + between + code, end });
  }
  return [...programs].map(([file, { code }]) => [file, `${code}export {};\n`]);
}

/** What the compiler says of the code in pages, each with its page and line. */
function complaints(pages: Readonly<Record<string, string>>): string[] {
  const programs = new Map(Object.entries(pages).flatMap(([page, text]) => programsIn(page, text)));
  const host = ts.createCompilerHost(OPTIONS);
  const { fileExists, directoryExists, getSourceFile } = host;
  host.fileExists = (file) => programs.has(file) || fileExists(file);
  // The folder of a page's files has the name of the page, and may have others in it.
  host.directoryExists = (folder) => /\.md(\/|$)/.test(folder) || directoryExists?.(folder) === true;
  host.getSourceFile = (file, version, ...more) => {
    const code = programs.get(file);
    return code === undefined
      ? getSourceFile(file, version, ...more)
      : ts.createSourceFile(file, code, version);
  };
  const program = ts.createProgram([...programs.keys()], OPTIONS, host);
  const sources = program.getSourceFiles().filter(({ fileName }) => programs.has(fileName));
  const found = sources.flatMap((source) => [
    ...program.getSyntacticDiagnostics(source),
    ...program.getSemanticDiagnostics(source),
  ]);
  return found.map(({ file, start = 0, messageText }) => {
    const page = file?.fileName.slice(ROOT.length + 1).replace(/\/[^/]*$/, "");
    const line = (file?.getLineAndCharacterOfPosition(start).line ?? 0) + 1;
    return `${page}:${line}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`;
  });
}

const docs = readdirSync(join(ROOT, "docs"), { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".md"))
  .map((file) => `docs/${file.replaceAll(sep, "/")}`);
const pages = Object.fromEntries(
  ["README.md", ...docs].map((page) => [page, readFileSync(join(ROOT, page), "utf8")]),
);

test("the code of README.md and docs compiles in a project of `pulumi new typescript`", () => {
  expect(complaints(pages)).toEqual([]);
});

test("the examples of the classes compile, and each creates a resource of its class", () => {
  const examples = Object.entries(resources).map(([name, resource]) => ({
    name,
    text: (resource as unknown as { readonly description: AnyDescription }).description.example,
  }));
  const start = 'import * as nodecloud from "pulumi-nodecloud";\n';
  /** The resources that the examples use without declaring them. */
  const others = ["zone: nodecloud.Domain", "web: nodecloud.Node", "db: nodecloud.MysqlDatabase"]
    .map((other) => `var ${other};`)
    .join("\n");
  const blocks = [
    ["others", `${start}declare global {\n${others}\n}\n`],
    ...examples.map(({ name, text }) => [name, `${start}${text}\n`]),
  ].map(([name, code]) => [`${name}.md`, `\`\`\`ts\n${code}\`\`\`\n`]);
  expect(complaints(Object.fromEntries(blocks) as Record<string, string>)).toEqual([]);
  for (const { name, text } of examples) expect(text).toContain(`new nodecloud.${name}(`);
});

test("the examples of the site compile", () => {
  const examples = siteExamples("TypeScript").map(([page, code]) => [page, `\`\`\`ts\n${code}\`\`\`\n`]);
  expect(complaints(Object.fromEntries(examples) as Record<string, string>)).toEqual([]);
  expect(complaints({ "wrong.md": `${examples[0]?.[1]}`.replace("domain:", "domian:") })).not.toEqual([]);
});

test("all code of README.md and docs is in blocks that are compiled", () => {
  const count = (pattern: RegExp) => Object.values(pages).flatMap((text) => text.match(pattern) ?? []).length;
  expect(count(BLOCK)).toBeGreaterThan(25);
  expect(count(/^\s*(?:```|~~~) *(?:[cm]?[jt]sx?|javascript|typescript)\b/gim)).toBe(count(BLOCK));
});

test("an error is reported with the page and the line, and a block may use what an earlier block of its page declares", () => {
  const page = (...lines: string[]) => lines.join("\n");
  const start = [
    "# Page",
    "",
    "```ts",
    'import * as nodecloud from "pulumi-nodecloud";',
    "",
    'const size = "a";',
  ];
  expect(
    complaints({
      "docs/later.md": page(
        ...start,
        "```",
        "",
        "```ts",
        "const same: string = size;",
        "size.foo;",
        "```",
        "",
      ),
      "docs/other.md": page("```ts", "size;", "```", "", "```ts", "await 1;", "```", ""),
      "docs/inputs.md": page(...start, 'new nodecloud.Image("a", {});', "```", ""),
      "docs/files.md": page(
        "<!-- example: index.ts -->",
        "```ts",
        "export const one = 1;",
        "```",
        "<!-- example: index.test.ts -->",
        "```ts",
        'import { one, two } from "./index";',
        "one;",
        "```",
        "",
      ),
    }).map((line) => line.split("\n")[0]),
  ).toEqual([
    expect.stringMatching(/^docs\/later\.md:11: Property 'foo' does not exist/),
    expect.stringMatching(/^docs\/other\.md:2: Cannot find name 'size'/),
    expect.stringMatching(/^docs\/other\.md:6: Top-level 'await'/),
    expect.stringMatching(/^docs\/inputs\.md:7: .*'ImageArgs'/),
    expect.stringMatching(/^docs\/files\.md:7: .* has no exported member 'two'/),
  ]);
});
