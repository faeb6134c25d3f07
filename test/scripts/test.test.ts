import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Ending, root, Sandbox, write } from "./fakes";

// The stand-ins for tools are shell scripts.
const describeOnUnix = process.platform === "win32" ? describe.skip : describe;

describeOnUnix("a small repository with", () => {
  let sandbox: Sandbox;
  let clone: string;

  /** Stands in for jest: one test passes, and the programs in MISSING count as missing. */
  const jest = `
    const { appendFileSync, writeFileSync } = require("node:fs");
    for (const line of (process.env.MISSING ?? "").split(",").filter(Boolean)) {
      appendFileSync(process.env.NODECLOUD_MISSING_TOOLS, line + "\\n");
    }
    appendFileSync(__dirname + "/asked", [process.env.NODECLOUD_TESTS, ...process.argv.slice(6)].join(" ") + "\\n");
    for (const line of (process.env.COSTS ?? "").split("|").filter(Boolean)) {
      appendFileSync(process.env.NODECLOUD_TEST_REPORT, line + "\\n");
    }
    const counts = { numPassedTests: 1, numFailedTests: 0, numRuntimeErrorTestSuites: 0, numPendingTests: 0, numTodoTests: 0 };
    writeFileSync(process.argv[process.argv.indexOf("--outputFile") + 1], JSON.stringify(counts));`;

  beforeEach(() => {
    sandbox = new Sandbox();
    clone = join(sandbox.directory, "clone");
    for (const name of [
      "test.mjs",
      "test",
      "child.mjs",
      "engine.mjs",
      "engine",
      "environment.cjs",
      "cache.mjs",
    ]) {
      cpSync(join(root, "scripts", name), join(clone, "scripts", name), { recursive: true });
    }
    cpSync(join(root, ".ci", "run"), join(clone, ".ci", "run"));
    write(join(clone, "node_modules", "jest", "bin", "jest.js"), jest);
    write(join(clone, "bench", "bench.mjs"), "if (process.env.OVER !== undefined) process.exit(1);");
    write(join(clone, "scripts", "generate.mjs"), "");
    sandbox.tool("npm", 'case " $BROKEN " in *" $3 "*) exit 1;; esac; exit "${CODE:-0}"');
    for (const name of ["pulumi", "pulumi-language-nodejs", "pulumi-resource-pulumi-nodejs"]) {
      sandbox.tool(name, "echo v3.230.0");
    }
  });

  afterEach(() => sandbox.remove());

  describe("scripts/test.mjs", () => {
    const lastLines = async (env?: NodeJS.ProcessEnv, ...args: string[]) => {
      const { stdout } = await sandbox.run([join(clone, "scripts", "test.mjs"), ...args], env);
      return stdout.trimEnd().split("\n").slice(-2);
    };

    it("ends with the numbers of passed and failed checks and tests", async () => {
      expect(await lastLines()).toEqual(["", "7 passed, 0 failed"]);
    });

    it("runs the checks of package.json, and fails if one of them fails", async () => {
      const names = ["typecheck", "lint", "format:check", "check:package"];
      const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
        scripts: Record<string, string>;
      };
      expect(Object.keys(scripts)).toEqual(expect.arrayContaining(names));
      const { code, stdout } = await sandbox.run([join(clone, "scripts", "test.mjs")], { BROKEN: "lint" });
      expect(sandbox.calls("npm")).toEqual(names.map((name) => `run --silent ${name}`));
      expect(code).toBe(1);
      expect(stdout).toMatch(/\nFailed: Lint \(eslint, dependency-cruiser\)\n6 passed, 1 failed\n$/);
    });

    it("counts a benchmark over its limits as a failure", async () => {
      expect(await lastLines({ OVER: "1" })).toEqual([
        "Failed: Requests and state of programs with many resources (bench --quick)",
        "6 passed, 1 failed",
      ]);
    });

    it("omits the benchmark if arguments select tests", async () => {
      expect(await lastLines({ OVER: "1" }, "test/api")).toEqual(["", "6 passed, 0 failed"]);
    });

    it("runs the tests of the set that the command names, and beside them its checks", async () => {
      const asked = () => readFileSync(join(clone, "node_modules/jest/bin/asked"), "utf8").trim().split("\n");
      expect(await lastLines({ OVER: "1" }, "--unit")).toEqual(["", "1 passed, 0 failed"]);
      expect(await lastLines({ OVER: "1" }, "--matrix")).toEqual(["", "1 passed, 0 failed"]);
      expect(sandbox.calls("npm")).toEqual([]);
      expect(await lastLines({}, "--ci")).toEqual(["", "7 passed, 0 failed"]);
      expect(await lastLines({}, "--all", "-t", "keeps the node")).toEqual(["", "8 passed, 0 failed"]);
      await lastLines();
      await lastLines({}, "test/api");
      expect(asked()).toEqual([
        "unit",
        "matrix",
        "ci",
        "all -t keeps the node",
        "short",
        "selected test/api",
      ]);
    });

    it("counts a failed sample of the faults in the last line of the whole run", async () => {
      const { code, stdout } = await sandbox.run([join(clone, "scripts/test.mjs"), "--all"], {
        BROKEN: "test:faults",
      });
      expect(code).toBe(1);
      expect(stdout).toMatch(/\nFailed: A sample of the faults \(test:faults\)\n7 passed, 1 failed\n$/);
    });

    it("runs the tests without the engine where there is no engine", async () => {
      sandbox.tool("pulumi", "exit 1");
      const ending = await sandbox.run([join(clone, "scripts/test.mjs"), "--unit"], {
        PULUMI_NODECLOUD_ENGINE: "path",
      });
      expect(ending).toMatchObject({ code: 0, stdout: expect.stringContaining("without the engine") });
      expect(sandbox.calls("pulumi")).toEqual([]);
    });

    it("prints what the tests cost, and names the files over the budget", async () => {
      const costs = [
        { file: "test/api/a.test.ts", seconds: 2, cpu: 1, processes: 2, engine: 0 },
        { file: "test/api/b.test.ts", seconds: 20, cpu: 30.04, processes: 3, engine: 0 },
        { file: "test/engine/c.test.ts", way: "plugin", seconds: 30, cpu: 40, processes: 4, engine: 3 },
      ].map((cost) => JSON.stringify(cost));
      const { stdout } = await sandbox.run([join(clone, "scripts/test.mjs")], { COSTS: costs.join("|") });
      expect(stdout).toContain(
        [
          "3 files: 71 s of CPU, 9 processes started by them, 3 engine runs",
          "   40.0 s of CPU  30.0 s   4 processes   3 engine runs       test/engine/c.test.ts (plugin)",
          "   30.0 s of CPU  20.0 s   3 processes   0 engine runs  OVER test/api/b.test.ts",
          "    1.0 s of CPU   2.0 s   2 processes   0 engine runs       test/api/a.test.ts",
          "1 over the budget:",
        ].join("\n"),
      );
    });

    it("prints one line before the counts with the programs that the omitted tests need", async () => {
      const missing = "named bind9,chromium chromium,named bind9,named-checkzone bind9-utils";
      expect(await lastLines({ MISSING: missing })).toEqual([
        "Not installed: chromium, named, named-checkzone. The tests that need them are omitted " +
          "(Debian: apt-get install chromium bind9 bind9-utils).",
        "7 passed, 0 failed",
      ]);
    });
  });

  describe(".ci/run", () => {
    const tools = [
      "named",
      "named-checkzone",
      "knotd",
      "kzonecheck",
      "script",
      "gh",
      "jq",
      "curl",
      "shellcheck",
      "go",
      "zsh",
      "fish",
      "rsync",
      "python3",
      "chromium",
    ];
    const run = (env: NodeJS.ProcessEnv = {}): Promise<Ending> =>
      sandbox.run([join(clone, ".ci", "run")], env, "bash");

    it("runs the tests of CI if each program is installed, with all of them required, and exits like them", async () => {
      for (const name of [...tools, "apt-get"]) sandbox.tool(name, "");
      sandbox.tool("npm", 'echo "tools required: $NODECLOUD_REQUIRE_TOOLS"; exit 3');
      expect(await run()).toEqual({ code: 3, stdout: "tools required: 1\n", stderr: "" });
      expect(sandbox.calls("npm")).toEqual(["run --silent test:ci"]);
      expect(sandbox.calls("apt-get")).toEqual([]);
    });

    it("runs the tests for nights if it is called with their name", async () => {
      for (const name of tools) sandbox.tool(name, "");
      sandbox.tool("npm", "");
      await sandbox.run([join(clone, ".ci", "run"), "test:all"], {}, "bash");
      expect(sandbox.calls("npm")).toEqual(["run --silent test:all"]);
    });

    it.each([
      ["apt-get", ["id"], 0],
      ["the right to install", ["id", "apt-get"], 1000],
    ])("runs no tests if a program and %s are missing, and says what to install", async (_, there, user) => {
      for (const name of [...tools.slice(0, -1), ...there]) sandbox.tool(name, `echo ${user}`);
      expect(await run()).toEqual({
        code: 1,
        stdout: "",
        stderr: "CI needs programs that are not installed. On Debian, as root: apt-get install chromium\n",
      });
      expect(sandbox.calls("npm")).toEqual([]);
    });
  });
});
