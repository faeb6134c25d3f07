import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root, Sandbox, write } from "./fakes";

interface Cost {
  readonly file: string;
  readonly way?: string;
  readonly seconds: number;
  readonly cpu: number;
  readonly processes: number;
  readonly engine: number;
}

// The stand-ins for tools are shell scripts.
const describeOnUnix = process.platform === "win32" ? describe.skip : describe;

/** A test that keeps its own process and another one busy for a while, and starts the engine and a stand-in. */
const busy = `
const { execFileSync, spawnSync } = require("node:child_process");
const work = "const end = process.cpuUsage().user + 3e5; while (process.cpuUsage().user < end);";
test("is busy", () => {
  spawnSync("pulumi", ["about"], { env: { PATH: process.env.OTHER } });
  spawnSync("pulumi", ["version"]);
  execFileSync(process.execPath, ["-e", work]);
});
test("starts the engine and waits for it", async () => {
  const child = require("node:child_process").spawn("pulumi", ["version"]);
  await new Promise((resolve) => child.on("close", resolve));
  expect(process.env.NODECLOUD_WAY).toBe("plugin");
});`;

describeOnUnix("scripts/test/environment.mjs", () => {
  let sandbox: Sandbox;

  beforeEach(() => {
    sandbox = new Sandbox();
    const environment = join(root, "scripts/test/environment.mjs");
    const config = {
      testEnvironment: environment,
      projects: [{ testEnvironment: environment, testEnvironmentOptions: { way: "plugin" }, transform: {} }],
    };
    write(join(sandbox.directory, "project/package.json"), "{}");
    write(join(sandbox.directory, "project/jest.config.json"), JSON.stringify(config));
    write(join(sandbox.directory, "project/busy.test.js"), busy);
    sandbox.tool("pulumi", "");
    sandbox.tool("pulumi", "", join(sandbox.directory, "other"));
  });

  afterEach(() => sandbox.remove());

  async function runTests(env: NodeJS.ProcessEnv = {}) {
    const report = join(sandbox.directory, "costs");
    const args = [
      join(root, "node_modules/jest/bin/jest.js"),
      ...["--rootDir", join(sandbox.directory, "project"), "--config"],
      join(sandbox.directory, "project/jest.config.json"),
    ];
    const ending = await sandbox.run(args, {
      NODECLOUD_TEST_REPORT: report,
      OTHER: [join(sandbox.directory, "other"), sandbox.env["PATH"]].join(":"),
      ...env,
    });
    const costs = readFileSync(report, "utf8").trim().split("\n");
    return { ...ending, costs: costs.map((line) => JSON.parse(line) as Cost) };
  }

  it("tells each file its way, and notes the processes, engine runs and CPU of the file and of what it started", async () => {
    const { code, costs } = await runTests();
    expect(code).toBe(0);
    expect(costs).toEqual([
      {
        file: "busy.test.js",
        way: "plugin",
        seconds: expect.any(Number) as number,
        cpu: expect.any(Number) as number,
        processes: 4,
        engine: 2,
      },
    ]);
    expect(costs[0]?.cpu).toBeGreaterThan(0.3);
  });

  it("fails a test of `npm run test:unit` that starts a program", async () => {
    const { code, stderr } = await runTests({ NODECLOUD_TESTS: "unit" });
    expect(code).toBe(1);
    expect(stderr).toContain("A test of `npm run test:unit` starts pulumi.");
    expect(sandbox.calls("pulumi")).toEqual([]);
  });
});
