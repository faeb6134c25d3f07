import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { cleanEnvironment } from "../../scripts/environment.cjs";
import { ROOT } from "../helpers/programs";
import { WHOLE } from "../helpers/whole";

const FAMILY = join(__dirname, "new-family");

/** The files that somebody writes for a new family, as paths from the root. */
const FILES = readdirSync(FAMILY, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name !== "README.md")
  .map(({ parentPath, name }) => join(parentPath, name).slice(FAMILY.length + 1))
  .sort();

const sources = FILES.filter((file) => file.startsWith("src/"));

const MADE_HERE = [".git", ".cache", "coverage", "dist", "node_modules"];

/** The copies of the tree. */
const trees: string[] = [];
afterAll(() => {
  for (const tree of trees) rmSync(tree, { recursive: true, force: true });
});

/** A copy of this tree with these files of the family. It has the packages of this tree, and itself in place of the package. */
function treeWith(files: readonly string[]): string {
  const tree = realpathSync(mkdtempSync(join(tmpdir(), "nodecloud-family-")));
  trees.push(tree);
  cpSync(ROOT, tree, { recursive: true, filter: (path) => !MADE_HERE.includes(basename(path)) });
  mkdirSync(join(tree, "node_modules"));
  for (const name of readdirSync(join(ROOT, "node_modules"))) {
    const target = name === "pulumi-nodecloud" ? tree : join(ROOT, "node_modules", name);
    symlinkSync(target, join(tree, "node_modules", name));
  }
  for (const file of files) cpSync(join(FAMILY, file), join(tree, file));
  return tree;
}

interface Ending {
  readonly code: number | null;
  readonly printed: string;
}

/** Runs a program of the tree under Node. */
async function node(tree: string, ...args: string[]): Promise<Ending> {
  const child = spawn(process.execPath, args, { cwd: tree, env: cleanEnvironment() });
  let printed = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => (printed += text));
  const [code] = (await once(child, "close")) as [number | null];
  return { code, printed };
}

const tool = (name: string) => join("node_modules", name);
/** What `npm run generate` starts. */
const generate = (tree: string, ...args: string[]) =>
  node(tree, "scripts/bootstrap.mjs", "--no-build", "scripts/generate.mjs", ...args);

const GOOD: Ending = { code: 0, printed: "" };

test("a new family takes three source files with at most 120 lines, its page and its test, and no index", () => {
  expect(sources).toHaveLength(3);
  const lines = sources.flatMap((file) => readFileSync(join(FAMILY, file), "utf8").trimEnd().split("\n"));
  expect(lines.length).toBeLessThanOrEqual(120);
  expect(FILES).toHaveLength(5);
  expect(FILES.filter((file) => basename(file).startsWith("index."))).toEqual([]);
});

describe("a tree with the files of a new family", () => {
  let tree: string;
  let generated: Ending;
  beforeAll(async () => {
    tree = treeWith(FILES);
    generated = await generate(tree);
  });

  test("is generated, and then generation finds nothing to do", async () => {
    expect(generated.code).toBe(0);
    expect(await generate(tree, "--check")).toEqual(GOOD);
  });

  test("has the interfaces of the family's schemas, with the comments and the limits of their fields", () => {
    const written = readFileSync(join(tree, "src/api/types/ssh-keys.ts"), "utf8");
    expect(written).toMatch(
      /^\/\*\* A public key that logs in to the nodes of the account\. .*\nexport interface SshKey \{$/m,
    );
    expect(written).toContain("  /** One line of an `authorized_keys` file. */\n  ssh_key: string;");
    expect(written).toContain(
      "  /** Name in the account. 1 to 64 characters. */\n  label?: string | undefined;",
    );
  });

  test("has the interface of the result of the family's data functions", () => {
    const written = readFileSync(join(tree, "src/functions/results/ssh-keys.ts"), "utf8");
    expect(written).toContain("  /** The id of its resource. */\n  id: string;");
    expect(written).toContain("  /** One line of an `authorized_keys` file. */\n  sshKey: string;");
  });

  test("has the family's scopes, which no other family has", () => {
    const written = readFileSync(join(tree, "src/api/scopes-and-params.ts"), "utf8");
    expect(written).toMatch(/export type Scope =\s+`\$\{[^}]*"ssh_keys"/);
    expect(readFileSync(join(ROOT, "src/api/scopes-and-params.ts"), "utf8")).not.toContain("ssh_keys");
    expect(readFileSync(join(tree, "docs/api-client.md"), "utf8")).toMatch(
      /`client\.sshKeys\.create` \|.*\| `ssh_keys:read_write` \|/,
    );
  });

  if (WHOLE) {
    test("passes the compiler, lint and the check of the formatting", async () => {
      expect(await node(tree, tool("typescript/bin/tsc"), "--noEmit", "-p", "tsconfig.json")).toEqual(GOOD);
      const code = FILES.filter((file) => file.endsWith(".ts"));
      expect(await node(tree, tool("eslint/bin/eslint.js"), ...code)).toEqual(GOOD);
      const prettier = [tool("prettier/bin/prettier.cjs"), "--check", "--log-level=warn"];
      expect(await node(tree, ...prettier, "src", "test/plugin", "schema.json")).toEqual(GOOD);
    });

    test("passes the family's own test in the plugin's process, and the tests that go through all families", async () => {
      const { code, printed } = await node(
        tree,
        tool("jest/bin/jest.js"),
        "--verbose",
        "--runInBand",
        "test/plugin/ssh-key",
        "test/consistency",
        "test/generated",
        "test/emulator/every-kind",
        "test/emulator/operations",
        "test/emulator/openapi",
        "test/api/operations",
        "test/conformance/answers",
        "test/functions/every-function",
        "test/provider/program/run-mode",
      );
      expect(code === 0 ? "" : printed).toBe("");
      for (const title of [
        /the life of a SshKey/,
        /✓ .*sshKeys.* with --data/,
        /✓ sshKeys\.update/,
        /getSshKeys/,
      ])
        expect(printed).toMatch(title);
    });

    test("is used by programs of the real engine, with each of its operations and with replaceOnChanges", async () => {
      const programs = ["test/engine/operations", "test/matrix/options-replace"];
      const titles = "programs use every operation|replaces each kind";
      const options = ["-i", "--verbose", "-t", titles];
      const { code, printed } = await node(tree, tool("jest/bin/jest.js"), ...options, ...programs);
      expect(code === 0 ? "" : printed).toBe("");
      for (const title of [
        /✓ programs use every operation/,
        /✓ the preview gives the change as the reason for SshKey/,
        /✓ the up replaces all of them, and nothing is left to do/,
      ])
        expect(printed).toMatch(title);
    });

    test("passes cells of the fault matrix", async () => {
      const only = ["--only", "SshKey create: 503", "--only", "SshKey update: 404"];
      const { code, printed } = await node(tree, "scripts/faults.mjs", ...only);
      expect(code === 0 ? "" : printed).toBe("");
      expect(printed).toMatch(/\| Fault matrix \| ([1-9]\d*) of \1 \|/);
    });
  }
});

/** The missing files that generation names in a tree with some files of the family. */
async function namedIn(files: readonly string[]): Promise<string[]> {
  const { code, printed } = await generate(treeWith(files));
  expect(code).toBe(1);
  return FILES.filter((file) => printed.includes(`${file} is missing:`));
}

test.each(WHOLE ? sources : sources.slice(0, 1))(
  "with only %s, generation names the four other files at once",
  async (file) => {
    expect(await namedIn([file])).toEqual(FILES.filter((other) => other !== file));
  },
);

if (WHOLE) {
  test.each(FILES)("without %s, generation fails and names it", async (file) => {
    expect(await namedIn(FILES.filter((other) => other !== file))).toEqual([file]);
  });
}
