import { execFileSync } from "node:child_process";
import { cpSync } from "node:fs";
import { join } from "node:path";
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
