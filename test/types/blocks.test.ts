import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, sep } from "node:path";
import { parseArgs } from "node:util";
import { parse } from "yaml";
import { OPTIONS } from "../../src/bin/emulator-help";
import { commands } from "../../src/cli/commands";
import { parseIgnoreFile } from "../../src/cli/drift/ignore/parse";
import { readPolicy } from "../../src/cli/report/read-policy";
import { accountsFile } from "../../src/emulator";
import { contextIn, nodecloud } from "../helpers/command-line";

const ROOT = join(__dirname, "../..");

interface Block {
  /** The page and the line. */
  readonly at: string;
  readonly page: string;
  readonly language: string;
  readonly text: string;
}

const BLOCK = /^( *)(```+|~~~+) *(\S*)[^\n]*\n([^]*?)^\1\2 *$/gm;

const blocksOf = (page: string, markdown: string): Block[] =>
  [...markdown.matchAll(BLOCK)].map(({ index, 1: indent = "", 3: language = "", 4: text = "" }) => ({
    at: `${page}:${markdown.slice(0, index).split("\n").length}`,
    ...{ page, language, text: text.replaceAll(new RegExp(`^${indent}`, "gm"), "") },
  }));

/** The commands that a console shows: a prompt, and the lines until its quotes are closed. */
function typedIn(console: string): string[] {
  const typed: string[] = [];
  let isOpen = false;
  for (const line of console.split("\n")) {
    if (isOpen) typed.push(`${typed.pop() ?? ""}\n${line}`);
    else if (line.startsWith("$ ")) typed.push(line.slice(2));
    else continue;
    isOpen = /["'\\]$/.test(partsOf(typed.at(-1) ?? "").rest);
  }
  return typed;
}

/** The simple commands of a line of a shell, each as its words, and what an open quote leaves. */
function partsOf(line: string): { readonly commands: readonly string[][]; readonly rest: string } {
  const found: string[][] = [[]];
  const token =
    /\s*(?:#.*|([|&;\n()]+|\$\()|\d*[<>]+&?\s*\S+|((?:\\[^]|'[^']*'|"(?:\\[^]|[^"\\])*"|[^\s|&;()<>'"\\])+))/y;
  let end = 0;
  for (;;) {
    const [whole = "", separator, word] = token.exec(line) ?? [];
    if (whole === "") return { commands: found, rest: `${line.slice(end).trim().slice(0, 1)}` };
    end = token.lastIndex;
    if (separator !== undefined) found.push([]);
    if (word !== undefined)
      found.at(-1)?.push(word.replaceAll(/\\([^])|'([^']*)'|"((?:\\[^]|[^"\\])*)"/g, "$1$2$3"));
  }
}

/** What the command lines of this package say of a line, without running anything. */
async function refusedIn(line: string): Promise<string[]> {
  const refused: string[] = [];
  for (const words of partsOf(line).commands) {
    const start = words.findIndex((word) => !/^\w+=|^(npx|yarn|exec|--no|--)$/.test(word));
    const [name, ...args] = words.slice(start);
    if (name === "nodecloud") {
      const parsed = commands.map((command) => ({
        ...command,
        declare: (...[declared, context]: Parameters<typeof command.declare>) =>
          command.declare(declared, context, () => Promise.resolve()),
      }));
      const { code, stderr } = await nodecloud(args, { commands: parsed });
      if (code !== 0) refused.push(stderr.trim());
    }
    if (name === "nodecloud-emulator")
      refused.push(...complaintOf(() => parseArgs({ args, options: OPTIONS })));
  }
  return refused;
}

function complaintOf(read: () => unknown): string[] {
  try {
    read();
    return [];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}

async function refusedByShell(script: string): Promise<string[]> {
  const { status, stderr } = spawnSync("sh", ["-n"], { input: script, encoding: "utf8" });
  const lines = await Promise.all(script.split(/(?<!\\)\n/).map(refusedIn));
  return [...(status === 0 ? [] : [stderr.trim()]), ...lines.flat()];
}

/** Reads a policy as `nodecloud report` does. */
async function refusedAsPolicy(text: string): Promise<string[]> {
  const directory = mkdtempSync(join(tmpdir(), "nodecloud-blocks-"));
  writeFileSync(join(directory, "policy.yaml"), text);
  try {
    await readPolicy(contextIn({ directory }), { policy: "policy.yaml" });
    return [];
  } catch (error) {
    return [String(error)];
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** What reads the blocks of each language. */
const READERS: Readonly<Record<string, (block: Block) => string[] | Promise<string[]>>> = {
  yaml: ({ text }) => {
    if (/^- /m.test(text) && /^ *reason:/m.test(text) && !/^deny:/m.test(text))
      return complaintOf(() => parseIgnoreFile(text, ".nodecloudignore"));
    return /^deny:/m.test(text) ? refusedAsPolicy(text) : complaintOf(() => parse(text));
  },
  json: ({ text }) =>
    complaintOf(() => {
      const value: unknown = JSON.parse(text);
      if (/^ {2}"users": /m.test(text)) accountsFile.parse(value);
    }),
  sh: ({ text }) => refusedByShell(text),
  console: ({ text }) => refusedByShell(typedIn(text).join("\n")),
  // What a program prints.
  text: () => [],
};

/** Blocks that other tests take: test/types/pages.test.ts, test/matrix/new-family.test.ts and test/nightly/other-languages.test.ts. Nothing here reads HCL. */
const ELSEWHERE: Readonly<Record<string, RegExp>> = {
  ts: /^(README\.md|CONTRIBUTING\.md|docs\/.*)$/,
  python: /^docs\/languages\.md$/,
  go: /^docs\/languages\.md$/,
  hcl: /^docs\/from-terraform\.md$/,
};

async function problemsIn(blocks: readonly Block[]): Promise<string[]> {
  const problems = blocks.map(async (block) => {
    if (ELSEWHERE[block.language]?.test(block.page) === true) return [];
    const read = READERS[block.language];
    const said = read === undefined ? [`no test takes a block of "${block.language}"`] : await read(block);
    return said.map((problem) => `${block.at}: ${problem}`);
  });
  return (await Promise.all(problems)).flat();
}

const below = (folder: string) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .map((file) => `${folder}/${file.replaceAll(sep, "/")}`)
    .filter((file) => file.endsWith(".md") && !/\/(node_modules|vendor)\//.test(file));
const pages = [
  "README.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  "CHANGELOG.md",
  ...below("docs"),
  ...below("examples"),
];

test("the blocks of the pages are valid in their languages, and their commands have the options that they show", async () => {
  const blocks = pages.flatMap((page) => blocksOf(page, readFileSync(join(ROOT, page), "utf8")));
  expect(blocks.length).toBeGreaterThan(200);
  expect(await problemsIn(blocks)).toEqual([]);
});

test("the pages clone the repository that package.json names", () => {
  const manifest = readFileSync(join(ROOT, "package.json"), "utf8");
  const { repository } = JSON.parse(manifest) as { repository: { url: string } };
  const cloned = pages.flatMap((page) =>
    [...readFileSync(join(ROOT, page), "utf8").matchAll(/^\$ git clone (\S+)/gm)].map(([, url]) => [
      page,
      url,
    ]),
  );
  const url = repository.url.replace(/^git\+/, "");
  expect(cloned.length).toBeGreaterThan(0);
  expect(cloned.filter(([, other]) => other !== url)).toEqual([]);
});

test.each([
  ["console", "$ npx nodecloud drift --al", "unknown option '--al'"],
  ["console", "$ FOO=1 npx --no -- nodecloud drfit && true", "unknown command 'drfit'"],
  ["console", "$ npx nodecloud-emulator --prot 8080 &", "Unknown option '--prot'"],
  ["console", "$ echo 'not\nprinted", "nterminated|matching"],
  ["sh", "if true; then\n  npx nodecloud check\n", "expecting|unexpected"],
  ["yaml", "a: 1\na: 2\n", "Map keys must be unique"],
  ["yaml", "deny:\n  - data-lost\n", "data-lost"],
  ["yaml", "- kind: Nod\n  reason: r\n", "Nod"],
  ["json", '{\n  "users": [{ "nam": "ada" }]\n}\n', "username"],
  ["json", '"a": 1\n', "JSON"],
  ["ruby", "puts 1\n", 'no test takes a block of "ruby"'],
  ["", "x\n", 'no test takes a block of ""'],
])("a wrong block of %s is a problem with its page and line: %j", async (language, text, problem) => {
  const page = `# Page\n\n1. A step\n\n   \`\`\`${language}\n${text.replaceAll(/^/gm, "   ").trimEnd()}\n   \`\`\`\n`;
  const problems = await problemsIn(blocksOf("docs/page.md", page));
  expect(problems).toHaveLength(1);
  expect(problems[0]).toMatch(new RegExp(`^docs/page\\.md:5: [^]*(${problem})`));
});
