/** Runs jest. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { costsIn, reportOf } from "./costs.mjs";
import { runTool, say } from "./steps.mjs";

const signOfLifeMs = 30_000;

/** For two cores: a test often waits, such as for the engine to stop, or for the pause before a repeated request. */
const workers = 3;

/** @typedef {{ passed: number; failed: number; leftOut: string | undefined; costs: string[] }} Outcome */

/**
 * @param {import("./sets.mjs").SetName} set
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<Outcome>} `costs` are the lines of the report, and `leftOut` says which tests this machine omits.
 */
export async function runJest(set, args, env) {
  const directory = mkdtempSync(join(tmpdir(), "nodecloud-test-"));
  const results = join(directory, "results.json");
  const missing = join(directory, "missing-tools");
  const report = join(directory, "costs");
  const started = Date.now();
  const signs = setInterval(() => {
    // On a terminal jest shows its own progress.
    if (!process.stderr.isTTY) say(`  … the tests run for ${Math.round((Date.now() - started) / 1000)} s`);
  }, signOfLifeMs);
  const notes = { NODECLOUD_TESTS: set, NODECLOUD_MISSING_TOOLS: missing, NODECLOUD_TEST_REPORT: report };
  try {
    const { code } = await runTool(
      "node_modules/jest/bin/jest.js",
      [`--maxWorkers=${workers}`, "--json", "--outputFile", results, ...args],
      { env: { ...env, ...notes }, stdio: "inherit" },
    );
    const leftOut = existsSync(missing) ? tellLeftOut(readFileSync(missing, "utf8")) : undefined;
    const costs = existsSync(report) ? reportOf(costsIn(readFileSync(report, "utf8"))) : [];
    if (!existsSync(results)) return { passed: 0, failed: 1, leftOut, costs };
    const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites, numPendingTests, numTodoTests } =
      JSON.parse(readFileSync(results, "utf8"));
    const skipped = numPendingTests + numTodoTests;
    if (skipped > 0) say(`${skipped} tests were skipped.`);
    const failed = numFailedTests + numRuntimeErrorTestSuites;
    // A run can fail without a failed test, such as when a pattern matches no file.
    return { passed: numPassedTests, failed: code !== 0 && failed === 0 ? 1 : failed, leftOut, costs };
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
