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
    require("node:fs").appendFileSync(__dirname + "/arguments", process.argv.slice(5).join(" ") + "\\n");
    const counts = { numPassedTests: 1, numFailedTests: 0, numRuntimeErrorTestSuites: 0, numPendingTests: 0, numTodoTests: 0 };
    writeFileSync(process.argv[process.argv.indexOf("--outputFile") + 1], JSON.stringify(counts));`;

  beforeEach(() => {
    sandbox = new Sandbox();
    clone = join(sandbox.directory, "clone");
    for (const name of ["test.mjs", "child.mjs", "engine.mjs", "engine", "environment.cjs", "cache.mjs"]) {
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

    it("leaves test/matrix to a separate command, which runs no other checks", async () => {
      const asked = () =>
        readFileSync(join(clone, "node_modules/jest/bin/arguments"), "utf8").trim().split("\n");
      await lastLines();
      expect(await lastLines({ OVER: "1" }, "--matrix")).toEqual(["", "2 passed, 0 failed"]);
      expect(asked()).toEqual([
        expect.stringMatching(/--testPathIgnorePatterns=test\/matrix\/$/),
        expect.stringMatching(/[^=]test\/matrix\/$/),
        // Served by the full plugin.
        expect.stringMatching(/[^=]test\/plugin\/ test\/engine\/$/),
      ]);
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

    it("runs all tests if each program is installed, and exits like them", async () => {
      for (const name of tools) sandbox.tool(name, "");
      sandbox.tool("npm", 'echo "npm $*"; if [ "$2" = test:faults ]; then exit 4; fi');
      const faults = "npm run test:faults -- --sample --part together,model\n";
      const stdout = `npm test\nnpm run test:matrix\n${faults}`;
      expect(await run()).toEqual({ code: 4, stdout, stderr: "" });
    });

    it("stops after a failed test", async () => {
      for (const name of [...tools, "apt-get"]) sandbox.tool(name, "");
      sandbox.tool("npm", 'echo "tools required: $NODECLOUD_REQUIRE_TOOLS"; exit 3');
      expect(await run()).toEqual({ code: 3, stdout: "tools required: 1\n", stderr: "" });
      expect(sandbox.calls("npm")).toEqual(["test"]);
      expect(sandbox.calls("apt-get")).toEqual([]);
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
