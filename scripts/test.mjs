/**
 * Runs checks and tests: `npm test`, and the commands `test:…` of package.json, whose tests scripts/test/sets.mjs lists. jest gets the
 * arguments: `npm test -- test/api` runs the checks and the test files with a matching path, without the benchmark. The checks run one after the other while jest runs.
 */
import { manyStarts } from "./child.mjs";
import { EngineError, ensureEngine } from "./engine.mjs";
import { runJest } from "./test/jest.mjs";
import { npmScript, runCheck, say, Stopped, tool } from "./test/steps.mjs";

/** @import { SetName } from "./test/sets.mjs" */
/** @import { Check } from "./test/steps.mjs" */

/** @type {Check[]} */
const checks = [
  { title: "Types (tsc)", step: npmScript("typecheck") },
  { title: "Lint (eslint, dependency-cruiser)", step: npmScript("lint") },
  { title: "Formatting (prettier)", step: npmScript("format:check") },
  {
    title: "Generated files are up to date (generate)",
    step: tool("scripts/generate.mjs", ["--check"]),
  },
  {
    title: "Contents and types of the package (npm pack, publint, attw)",
    step: npmScript("check:package"),
  },
];

/** @type {Check} */
const benchmark = {
  title: "Requests and state of programs with many resources (bench --quick)",
  step: tool("bench/bench.mjs", ["--quick"]),
};

/** It shares the machine with jest, so it has one job. The date is its seed, so that each night tries others. @type {Check} */
const faults = {
  title: "A sample of the faults (test:faults)",
  step: npmScript("test:faults", [
    ...["--", "--sample", "--part", "together,model,reviews", "--jobs", "1"],
    ...["--seed", new Date().toISOString().slice(0, 10).replaceAll("-", "")],
  ]),
};

/** The checks that run beside the tests of a set. @type {Record<SetName, readonly Check[]>} */
const beside = {
  unit: [],
  short: [...checks, benchmark],
  matrix: [],
  ci: [...checks, benchmark],
  all: [...checks, benchmark, faults],
  selected: checks,
};

/** @param {string[]} given the set as an option such as `--ci`, then arguments for jest. */
async function main(given) {
  const [first = "", ...others] = given;
  const named = first.replace(/^--/, "");
  const isNamed = first !== named && named in beside;
  const args = isNamed ? others : given;
  const set = /** @type {SetName} */ (isNamed ? named : args.length > 0 ? "selected" : "short");
  const engine = set === "unit" ? undefined : await ensureEngine({ log: say });
  const environment = { ...manyStarts, ...process.env, ...engine?.env };

  say(
    `\n== Tests (jest, ${engine === undefined ? "without the engine" : `with the Pulumi engine ${engine.version}`})`,
  );
  if (args.length > 0) say(`   only: ${args.join(" ")}`);
  /** @type {string[]} */
  const failures = [];
  const held = beside[set];
  const holdAll = async () => {
    for (const check of held) if (!(await runCheck(check))) failures.push(check.title);
  };
  const [tests] = await Promise.all([runJest(set, args, environment), holdAll()]);

  say("\n== Cost of the tests");
  for (const line of tests.costs) say(line);
  say("");
  for (const title of failures) say(`Failed: ${title}`);
  if (tests.failed > 0) say("Failed: Tests (jest)");
  if (tests.leftOut !== undefined) say(tests.leftOut);
  const failed = tests.failed + failures.length;
  say(`${tests.passed + held.length - failures.length} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof EngineError || error instanceof Stopped ? error.message : error);
  process.exitCode = 1;
}
