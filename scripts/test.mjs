/**
 * The checks and tests of a change, run by `npm test`: types, lint, formatting, generated files, the package, jest, and
 * the short form of the benchmark. jest gets the arguments: `npm test -- test/api` runs the checks and the test files with a
 * matching path, without the benchmark. `npm run test:matrix` runs only the tests that take too long for `npm test`, and those
 * of both ways of serving a second time, served by the full plugin.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { compiled, npmCommand, run } from "./child.mjs";
import { EngineError, ensureEngine } from "./engine.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const signOfLifeMs = 30_000;

/** @param {string} line */
const say = (line) => process.stdout.write(`${line}\n`);

/** @typedef {{ passed: number; failed: number; leftOut: string | undefined }} Outcome */

/** The user asked to stop, so no further step begins. */
class Stopped extends Error {}

/**
 * @param {string} command
 * @param {string[]} args
 * @param {import("node:child_process").SpawnOptions} [options]
 */
async function runCommand(command, args, options) {
  const ending = await run(command, args, { cwd: root, stdio: "inherit", ...options });
  if (ending.stoppedBy !== undefined) throw new Stopped(`Stopped by ${ending.stoppedBy}`);
  return ending.code;
}

/**
 * Runs a script under this Node.
 * @param {string} script its path from the root.
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} [env]
 */
const runTool = (script, args, env = process.env) =>
  runCommand(process.execPath, [join(root, script), ...args], { env });

/**
 * @param {string} script
 * @param {string[]} args
 * @returns {() => Promise<boolean>} a check that passes if the tool succeeds.
 */
const tool = (script, args) => async () => (await runTool(script, args)) === 0;

/**
 * @param {string} name
 * @returns {() => Promise<boolean>} a check that passes if `npm run NAME` succeeds.
 */
const npmScript = (name) => async () => {
  const { command, args, shell } = npmCommand(["run", "--silent", name]);
  return (await runCommand(command, args, { shell })) === 0;
};

/** @typedef {{ title: string; isGood: () => Promise<boolean> }} Check */

/** @type {Check[]} */
const checks = [
  { title: "Types (tsc)", isGood: npmScript("typecheck") },
  { title: "Lint (eslint, dependency-cruiser)", isGood: npmScript("lint") },
  { title: "Formatting (prettier)", isGood: npmScript("format:check") },
  {
    title: "Generated files are up to date (generate)",
    isGood: tool("scripts/generate.mjs", ["--check"]),
  },
  {
    title: "Contents and types of the package (npm pack, publint, attw)",
    isGood: npmScript("check:package"),
  },
];

/** Skipped if arguments select tests, because it takes a minute. @type {Check} */
const benchmark = {
  title: "Requests and state of programs with many resources (bench --quick)",
  isGood: tool("bench/bench.mjs", ["--quick"]),
};

/**
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<Outcome>}
 */
async function runJest(args, env) {
  const directory = mkdtempSync(join(tmpdir(), "nodecloud-test-"));
  const results = join(directory, "results.json");
  const missing = join(directory, "missing-tools");
  const started = Date.now();
  const signs = setInterval(() => {
    // On a terminal jest shows its own progress.
    if (!process.stderr.isTTY) say(`  … the tests run for ${Math.round((Date.now() - started) / 1000)} s`);
  }, signOfLifeMs);
  try {
    const code = await runTool(
      "node_modules/jest/bin/jest.js",
      ["--maxWorkers=2", "--json", "--outputFile", results, ...args],
      { ...env, NODECLOUD_MISSING_TOOLS: missing },
    );
    const leftOut = existsSync(missing) ? tellLeftOut(readFileSync(missing, "utf8")) : undefined;
    if (!existsSync(results)) return { passed: 0, failed: 1, leftOut };
    const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites, numPendingTests, numTodoTests } =
      JSON.parse(readFileSync(results, "utf8"));
    const skipped = numPendingTests + numTodoTests;
    if (skipped > 0) say(`${skipped} tests were skipped.`);
    const failed = numFailedTests + numRuntimeErrorTestSuites;
    // A run can fail without a failed test, such as when a pattern matches no file.
    return { passed: numPassedTests, failed: code !== 0 && failed === 0 ? 1 : failed, leftOut };
  } finally {
    clearInterval(signs);
    rmSync(directory, { recursive: true, force: true });
  }
}

/**
 * Describes the tests that this machine omits, and the reason.
 * @param {string} notes a line for each missing program: its name and its package.
 */
function tellLeftOut(notes) {
  const pairs = [...new Set(notes.trim().split("\n"))].sort().map((line) => line.split(" "));
  const names = pairs.map(([name]) => name).join(", ");
  const packages = [...new Set(pairs.map(([, from]) => from))].join(" ");
  return `Not installed: ${names}. The tests that need them are omitted (Debian: apt-get install ${packages}).`;
}

/**
 * @param {Check} check
 * @returns {Promise<boolean>} whether it passes.
 */
async function runCheck({ title, isGood }) {
  say(`\n== ${title}`);
  const started = Date.now();
  const good = await isGood().catch((error) => {
    if (error instanceof Stopped) throw error;
    say(`  ${error instanceof Error ? error.message : error}`);
    return false;
  });
  say(`   ${good ? "passed" : "FAILED"} (${((Date.now() - started) / 1000).toFixed(1)} s)`);
  return good;
}

/** The folder of the longest tests: every option with every kind of resource, package layouts, compilers, and SDK versions. */
const matrix = "test/matrix/";

/** The folders of the tests that run once for each way of serving resources. */
const bothWays = ["test/plugin/", "test/engine/"];

/** @param {string[]} given `--matrix`, or arguments for jest. */
async function main(given) {
  const isMatrix = given[0] === "--matrix";
  const args = isMatrix ? [matrix, ...given.slice(1)] : given;
  const engine = await ensureEngine({ log: say });
  /** @type {string[]} */
  const failures = [];
  let done = 0;
  /** @param {Check} check */
  const hold = async (check) => {
    done++;
    if (!(await runCheck(check))) failures.push(check.title);
  };
  for (const check of isMatrix ? [] : checks) await hold(check);

  say(`\n== Tests (jest, with the Pulumi engine ${engine.version})`);
  if (args.length > 0) say(`   only: ${args.join(" ")}`);
  const narrowed = args.length > 0 ? args : [`--testPathIgnorePatterns=${matrix}`];
  const environment = { ...compiled, ...process.env, ...engine.env };
  const tests = await runJest(narrowed, environment);
  if (isMatrix && given.length === 1) {
    say(`\n== Tests of both ways, served by the full plugin (jest ${bothWays.join(" ")})`);
    const { passed, failed } = await runJest(bothWays, { ...environment, NODECLOUD_WAY: "plugin" });
    tests.passed += passed;
    tests.failed += failed;
  }
  if (args.length === 0) await hold(benchmark);

  say("");
  for (const title of failures) say(`Failed: ${title}`);
  if (tests.failed > 0) say("Failed: Tests (jest)");
  if (tests.leftOut !== undefined) say(tests.leftOut);
  const failed = tests.failed + failures.length;
  say(`${tests.passed + done - failures.length} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof EngineError || error instanceof Stopped ? error.message : error);
  process.exitCode = 1;
}
