/**
 * All that CI asks of a change, run by `npm test`: types, lint, formatting, the tables of the docs, the contents of the
 * package, jest, and the short form of the benchmark. Arguments go to jest: `npm test -- test/api` runs the test files
 * whose paths match, besides the checks, and no benchmark. `npm run test:matrix` runs the tests that `npm test` leaves out for their length,
 * and nothing else.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { compiled, npmCommand, run } from "./child.mjs";
import { EngineError, ensureEngine } from "./engine.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const signOfLifeMs = 30_000;

/** @param {string} line */
const say = (line) => process.stdout.write(`${line}\n`);

/** @typedef {{ passed: number; failed: number; leftOut: string | undefined }} Outcome */

/** The user asked to stop: nothing else is begun. */
class Stopped extends Error {}

/**
 * Runs a script under this Node.
 * @param {string} script its path from the root.
 * @param {string[]} args
 * @param {import("node:child_process").SpawnOptions} [options]
 */
async function runTool(script, args, options) {
  const ending = await run(process.execPath, [join(root, script), ...args], {
    cwd: root,
    stdio: "inherit",
    ...options,
  });
  if (ending.stoppedBy !== undefined) throw new Stopped(`Stopped by ${ending.stoppedBy}`);
  return ending.code;
}

/**
 * @param {string} script
 * @param {string[]} args
 * @returns {() => Promise<boolean>} a check that is good when the tool says so.
 */
const tool = (script, args) => async () => (await runTool(script, args)) === 0;

/** @typedef {{ title: string; isGood: () => Promise<boolean> }} Check */

/** @type {Check[]} */
const checks = [
  {
    title: "Types (tsc)",
    isGood: tool("node_modules/typescript/bin/tsc", ["--noEmit", "-p", "tsconfig.json"]),
  },
  { title: "Lint (eslint)", isGood: tool("node_modules/eslint/bin/eslint.js", ["."]) },
  {
    title: "Formatting (prettier)",
    isGood: tool("node_modules/prettier/bin/prettier.cjs", ["--check", "--log-level=warn", "."]),
  },
  { title: "Tables of the docs (generate)", isGood: tool("scripts/generate.mjs", ["--check"]) },
  { title: "Contents of the package (npm pack)", isGood: checkPackage },
];

/** Left out where the tests are narrowed, as it takes a minute. @type {Check} */
const benchmark = {
  title: "Requests and state of programs with many resources (bench --quick)",
  isGood: tool("bench/bench.mjs", ["--quick"]),
};

async function checkPackage() {
  const files = await packedFiles();
  const complaints = [...missingFrom(files), ...strangersIn(files), ...hostsInLockfile()];
  for (const complaint of complaints) say(`  ${complaint}`);
  return complaints.length === 0;
}

/** @returns {Promise<string[]>} the paths of what `npm pack` would pack. */
async function packedFiles() {
  const args = ["pack", "--dry-run", "--json", "--ignore-scripts", "--loglevel=error"];
  const npm = npmCommand(args);
  const { code, output } = await run(npm.command, npm.args, {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
    shell: npm.shell,
  });
  if (code !== 0) throw new Error(`npm pack failed with exit code ${code}:\n${output}`);
  /** @type {{ files: { path: string }[] }[]} */
  const [packed] = JSON.parse(output);
  return packed?.files.map(({ path }) => path) ?? [];
}

/** @param {string[]} files */
function missingFrom(files) {
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  /** @type {string[]} */
  const targets = [...Object.values(manifest.exports), ...Object.values(manifest.bin)].flatMap((target) =>
    typeof target === "string" ? [target] : Object.values(target),
  );
  return [...targets, "LICENSE", "README.md", "CHANGELOG.md"]
    .map((path) => path.replace(/^\.\//, ""))
    .filter((path) => !files.includes(path))
    .map((path) => `${path} is missing from the package`);
}

/** @param {string[]} files */
function strangersIn(files) {
  const isExpected = (/** @type {string} */ path) =>
    /^dist\/.+\.(js|d\.ts)$/.test(path) || /^(package\.json|[A-Z]+\.md|LICENSE)$/.test(path);
  const machine = [root, homedir()]
    .filter((path) => path.length > 1)
    .map((path) => path.replace(/[/\\]$/, ""));
  return files.flatMap((path) => {
    if (!isExpected(path) || /\.test\./.test(path)) return [`${path} does not belong into the package`];
    const text = readFileSync(join(root, path), "utf8");
    return machine
      .filter((directory) => text.includes(`${directory}/`))
      .map((directory) => `${path} names a directory of this machine: ${directory}`);
  });
}

function hostsInLockfile() {
  const found = /"resolved": "https?:[^"]*"/.exec(readFileSync(join(root, "package-lock.json"), "utf8"));
  return found === null ? [] : [`package-lock.json names the registry that it was made with: ${found[0]}`];
}

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
    // On a terminal jest shows itself what it is at.
    if (!process.stderr.isTTY) say(`  … the tests run for ${Math.round((Date.now() - started) / 1000)} s`);
  }, signOfLifeMs);
  try {
    const code = await runTool(
      "node_modules/jest/bin/jest.js",
      ["--maxWorkers=2", "--json", "--outputFile", results, ...args],
      { env: { ...env, NODECLOUD_MISSING_TOOLS: missing } },
    );
    const leftOut = existsSync(missing) ? tellLeftOut(readFileSync(missing, "utf8")) : undefined;
    if (!existsSync(results)) return { passed: 0, failed: 1, leftOut };
    const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites, numPendingTests, numTodoTests } =
      JSON.parse(readFileSync(results, "utf8"));
    const skipped = numPendingTests + numTodoTests;
    if (skipped > 0) say(`${skipped} tests were skipped.`);
    const failed = numFailedTests + numRuntimeErrorTestSuites;
    // Something else than a test can fail, such as a pattern that matches no file.
    return { passed: numPassedTests, failed: code !== 0 && failed === 0 ? 1 : failed, leftOut };
  } finally {
    clearInterval(signs);
    rmSync(directory, { recursive: true, force: true });
  }
}

/**
 * Which tests do not exist on this machine, and why.
 * @param {string} notes a line for each program that a test file did not find: its name and its package.
 */
function tellLeftOut(notes) {
  const pairs = [...new Set(notes.trim().split("\n"))].sort().map((line) => line.split(" "));
  const names = pairs.map(([name]) => name).join(", ");
  const packages = [...new Set(pairs.map(([, from]) => from))].join(" ");
  return `Not installed: ${names}. The tests that need them are left out (Debian: apt-get install ${packages}).`;
}

/**
 * @param {Check} check
 * @returns {Promise<boolean>} whether it is good.
 */
async function runCheck({ title, isGood }) {
  say(`\n== ${title}`);
  const started = Date.now();
  const good = await isGood().catch((error) => {
    if (error instanceof Stopped) throw error;
    say(`  ${error instanceof Error ? error.message : error}`);
    return false;
  });
  say(`   ${good ? "good" : "NOT GOOD"} (${((Date.now() - started) / 1000).toFixed(1)} s)`);
  return good;
}

/** What takes longest: each option and each place with each kind of resource, layouts of packages, compilers, versions of the SDK. */
const matrix = "test/matrix/";

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
  if (args.length > 0) say(`   narrowed to: ${args.join(" ")}`);
  const narrowed = args.length > 0 ? args : [`--testPathIgnorePatterns=${matrix}`];
  const tests = await runJest(narrowed, { ...compiled, ...process.env, ...engine.env });
  if (args.length === 0) await hold(benchmark);

  say("");
  for (const title of failures) say(`Not good: ${title}`);
  if (tests.failed > 0) say("Not good: Tests (jest)");
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
