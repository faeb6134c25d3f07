import { appendFileSync, writeFileSync } from "node:fs";

/**
 * A reporter for jest. It writes the first failure to the file in MUTANTS_FAILURE, each sign of life to MUTANTS_ALIVE, and a line about each
 * file of tests to MUTANTS_FILES.
 */
export default class FirstFailure {
  #isTold = false;

  /** @param {{ path: string }} test */
  onTestStart({ path }) {
    this.#live(path);
  }

  /** @param {{ path: string }} test @param {{ status: string; fullName: string }} result */
  onTestCaseResult({ path }, { status, fullName }) {
    this.#live(path);
    if (status === "failed") this.#tell(path, fullName);
  }

  /** @param {{ path: string }} test @param {{ testExecError?: unknown; numFailingTests: number; perfStats: { runtime: number } }} result */
  onTestResult({ path }, { testExecError, numFailingTests, perfStats }) {
    const isGood = testExecError === undefined && numFailingTests === 0;
    const line = JSON.stringify({ path, isGood, ms: perfStats.runtime });
    appendFileSync(process.env["MUTANTS_FILES"] ?? "", `${line}\n`);
    if (!isGood) this.#tell(path, "it cannot run");
  }

  /** @param {string} path */
  #live(path) {
    writeFileSync(process.env["MUTANTS_ALIVE"] ?? "", path);
  }

  /** @param {string} path @param {string} test */
  #tell(path, test) {
    if (this.#isTold || process.env["MUTANTS_STOP"] === "never") return;
    this.#isTold = true;
    writeFileSync(process.env["MUTANTS_FAILURE"] ?? "", JSON.stringify({ path, test }));
    // jest itself would first run the other tests of the file. One that starts processes has to stop them.
    if (process.env["MUTANTS_STOP"] === "at once") process.exit(1);
  }
}
