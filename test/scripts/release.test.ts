import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parse } from "yaml";
import { root, Sandbox, write } from "./fakes";

let sandbox: Sandbox;
let clone: string;

beforeEach(() => {
  sandbox = new Sandbox();
  clone = join(sandbox.directory, "clone");
  for (const name of ["check-release.mjs", "release/versions.mjs", "commit-subjects.mjs", "child.mjs"]) {
    cpSync(join(root, "scripts", name), join(clone, "scripts", name));
  }
});

afterEach(() => sandbox.remove());

describe("scripts/check-release.mjs", () => {
  const heading = "# Changelog\n\n## [Unreleased]\n\n";
  const check = async (tag: string, { changelog = "## [1.2.3] - 2026-05-04", locked = "1.2.3" } = {}) => {
    write(join(clone, "package.json"), '{ "version": "1.2.3" }');
    write(join(clone, "package-lock.json"), JSON.stringify({ version: locked }));
    for (const path of ["schema.json", "sdks/go/nodecloud/pulumi-plugin.json"])
      write(join(clone, path), '{ "version": "1.2.3" }');
    write(join(clone, "sdks/python/pyproject.toml"), '  version = "1.2.3"\n');
    write(join(clone, "CHANGELOG.md"), `${heading}${changelog}\n\n## [1.2.2] - 2026-01-02\n`);
    const { code, stdout } = await sandbox.run([join(clone, "scripts/check-release.mjs"), tag]);
    return { code, stdout };
  };

  it("accepts a tag with the version of the package, its lock file and the changelog", async () => {
    expect(await check("v1.2.3")).toEqual({ code: 0, stdout: "" });
  });

  it("refuses a tag of another version, and names each file that differs", async () => {
    const { code, stdout } = await check("v1.3.0");
    expect(code).toBe(1);
    expect(stdout.trim().split("\n")).toEqual(
      [
        ...["package.json", "package-lock.json", "CHANGELOG.md", "schema.json"],
        ...["sdks/go/nodecloud/pulumi-plugin.json", "sdks/python/pyproject.toml"],
      ].map((file) => `The tag is v1.3.0, but ${file} has version 1.2.3.`),
    );
  });

  it.each([
    [{ locked: "1.2.2" }, "package-lock.json has version 1.2.2"],
    [{ changelog: "" }, "CHANGELOG.md has version 1.2.2"],
    [{ changelog: "## [1.2.3]" }, "CHANGELOG.md has no date for it"],
  ])("refuses an incomplete release: %j", async (files, complaint) => {
    expect(await check("v1.2.3", files)).toEqual({
      code: 1,
      stdout: `The tag is v1.2.3, but ${complaint}.\n`,
    });
  });
});

describe("scripts/commit-subjects.mjs", () => {
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=Ada", "-c", "user.email=ada@example.org", ...args], {
      cwd: clone,
      encoding: "utf8",
      env: { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" },
    });
  const commit = (message: string) => git("commit", "--quiet", "--allow-empty", "--message", message);
  const env = { PATH: process.env["PATH"] ?? "" };
  const check = async (range: string) => {
    const script = join(clone, "scripts/commit-subjects.mjs");
    const shell = ["-c", 'cd "$0" && exec "$1" "$2" "$3"', clone, process.execPath, script, range];
    const { code, stdout } = await sandbox.run(shell, env, "sh");
    return { code, stdout };
  };

  beforeEach(() => {
    git("init", "--quiet", "--initial-branch=main");
    commit("Start ".padEnd(100, "x"));
    git("tag", "start");
  });

  it("accepts subjects of up to 72 characters, and ignores bodies and older commits", async () => {
    commit(`${"ä".repeat(72)}\n\n${"body ".repeat(40)}`);
    expect(await check("start..HEAD")).toEqual({ code: 0, stdout: "" });
  });

  it("names each commit of the range with a longer subject", async () => {
    commit("short");
    commit("x".repeat(73));
    const hash = git("rev-parse", "--short", "HEAD").trim();
    expect(await check("start..HEAD")).toEqual({
      code: 1,
      stdout: `${hash} ${"x".repeat(73)}\n  The subject has 73 characters. At most 72 are allowed.\n`,
    });
  });

  it("ignores the subjects of merges", async () => {
    git("checkout", "--quiet", "-b", "side");
    commit("on the side");
    git("checkout", "--quiet", "main");
    git("merge", "--quiet", "--no-ff", "--message", "m".repeat(80), "side");
    expect(await check("start..HEAD")).toEqual({ code: 0, stdout: "" });
  });

  it("fails if the range does not exist", async () => {
    expect((await check("nowhere..HEAD")).code).not.toBe(0);
  });
});

/** Runs a script that imports a file of `scripts`. */
const printed = (folder: string, file: string, code: string, ...args: string[]) =>
  execFileSync(
    process.execPath,
    [
      ...["--input-type=module", "-e"],
      `const own = await import("${pathToFileURL(join(folder, "scripts", file)).href}"); ${code}`,
      ...args,
    ],
    { encoding: "utf8" },
  );

test("a release compares the SDKs with what was tested too, without what Python leaves beside them", () => {
  for (const name of ["release/tested.mjs", "child.mjs"])
    cpSync(join(root, "scripts", name), join(clone, "scripts", name));
  write(join(clone, "package.json"), '{ "name": "a", "version": "1.2.3", "files": ["dist"] }');
  const files = ["dist/index.js", "sdks/python/pulumi_nodecloud/node.py", "sdks/go/nodecloud/node.go"];
  for (const file of files) write(join(clone, file), "");
  execFileSync("git", ["init", "--quiet"], { cwd: clone });
  execFileSync("git", ["add", "sdks"], { cwd: clone });
  const digest = () =>
    printed(clone, "release/tested.mjs", "console.log(await own.digestOfPackage())").trim();
  const before = digest();
  write(join(clone, "sdks/python/pulumi_nodecloud/__pycache__/node.pyc"), "compiled");
  expect(digest()).toBe(before);
  const digests = files.map((file) => {
    write(join(clone, file), "changed");
    return digest();
  });
  expect(new Set([before, ...digests]).size).toBe(4);
});

test("the pages of the Registry have what it reads, and each of their links leads to a file of the repository", () => {
  const out = join(sandbox.directory, "registry");
  printed(root, "release/registry.mjs", "own.writeRegistry(process.argv[1])", out);
  expect(readdirSync(out).sort()).toEqual(["_index.md", "installation-configuration.md", "schema.json"]);
  for (const name of ["_index.md", "installation-configuration.md"]) {
    const page = readFileSync(join(out, name), "utf8");
    const [, head = "", body = ""] = /^---\n([^]*?)\n---\n([^]*)$/.exec(page) ?? [];
    const filled = expect.stringMatching(/\S/) as string;
    expect(parse(head)).toEqual({ title: filled, meta_desc: filled, layout: "package" });
    const links = [...body.matchAll(/\]\(([^)]+)\)/g)].map(([, link = ""]) => link);
    const inRepository = /^https:\/\/github\.com\/[^/]+\/[^/]+\/blob\/main\/(?<path>[^#]+)/;
    const strange = links.filter((link) => {
      const path = inRepository.exec(link)?.groups?.["path"];
      return path === undefined ? !/^(?:https:|#)/.test(link) : !existsSync(join(root, path));
    });
    expect(strange).toEqual([]);
    const offered = /chooser language "(.*)"/.exec(body)?.[1]?.split(",") ?? [];
    expect([...body.matchAll(/{{% choosable language (\w+) %}}/g)].map(([, one]) => one)).toEqual(offered);
  }
});

test("a release packs docs whose links lead to the package or the repository", () => {
  for (const name of ["release/package.mjs", "release/registry.mjs", "child.mjs"])
    cpSync(join(root, "scripts", name), join(clone, "scripts", name));
  const own = {
    name: "a",
    version: "1.2.3",
    homepage: "https://example.org/a#readme",
    files: ["docs/**/*.md"],
  };
  write(join(clone, "package.json"), JSON.stringify(own));
  write(join(clone, "README.md"), "[examples](examples/zone)\n");
  write(join(clone, "docs/rules.md"), "");
  const links = [
    "rules.md#one",
    "../docs",
    "../README.md",
    "#here",
    "https://example.com",
    "../examples/zone",
  ];
  write(join(clone, "docs/a.md"), [...links.map((to) => `[x](${to})`), "![y](pictures/z.svg)"].join("\n"));
  const out = join(sandbox.directory, "out");
  mkdirSync(out);
  const code = "console.log(await own.packForRelease(process.argv[1]))";
  const archive = printed(clone, "release/package.mjs", code, out).trim();
  const read = (path: string) =>
    execFileSync("tar", ["-xOzf", join(out, archive), `package/${path}`], { encoding: "utf8" });
  expect(read("docs/a.md").split("\n")).toEqual([
    ...links.slice(0, 5).map((to) => `[x](${to})`),
    "[x](https://example.org/a/blob/main/examples/zone)",
    "![y](https://example.org/a/raw/main/docs/pictures/z.svg)",
  ]);
  expect(read("README.md")).toBe("[examples](examples/zone)\n");
  expect(readFileSync(join(clone, "docs/a.md"), "utf8")).toContain("[x](../examples/zone)");
});
