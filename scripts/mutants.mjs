/**
 * Plants mistakes in `src`, one at a time, and tells which the tests find: `npm run mutants`. Each mistake is in a line that runs, and
 * compiles. The user's files stay as they are: the tests run in copies of the tree.
 *
 *   --count N        how many (40); half of them where a mistake loses or doubles objects
 *   --seed N         which ones; by default by chance, and printed
 *   --within REGEXP  only files whose paths match, such as src/provider/adoption
 *   --tests REGEXP   only the tests without the engine whose paths match, such as "test/(provider|plugin)/"
 *   --tree DIR       another checkout with its packages, such as an older commit
 *   --nightly        also runs the tests with the engine and the long ones, for those that the other tests do not find
 *   --json FILE      writes the outcome of each
 *   --jobs N         how many at once; by default as many as there are processors
 *   --minutes N      how long the tests without the engine may take for one (10)
 *   --nightly-minutes N  the same for the others (90)
 *
 * It succeeds if the tests find all of them, or `mutants/equivalent.json` says why nobody can.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { chooseMutants } from "./mutants/choose.mjs";
import { compilerOf } from "./mutants/compiler.mjs";
import { findReach } from "./mutants/reach.mjs";
import { HANGS, Scratch } from "./mutants/scratch.mjs";
import { sharedFolders, testFilesOf } from "./mutants/test-files.mjs";

/** @import { Mutant } from "./mutants/choose.mjs" */
/** @import { Outcome } from "./mutants/scratch.mjs" */
/** @typedef {{ file: string; line: number; what: string; before: string; after: string; outcome: string; test: string | undefined; why: string | undefined; seconds: number }} Verdict */

const MINUTE_MS = 60_000;

/** A file of tests that takes longer counts as one of the longer tests. */
const SLOW_MS = 45_000;

const text = /** @type {const} */ ({ type: "string" });
const { values: options } = parseArgs({
  options: {
    ...{
      count: { ...text, default: "40" },
      seed: text,
      within: text,
      tests: text,
      tree: text,
      json: text,
      jobs: text,
    },
    ...{ minutes: { ...text, default: "10" }, "nightly-minutes": { ...text, default: "90" } },
    nightly: { type: "boolean", default: false },
  },
});
const tree = resolve(options.tree ?? fileURLToPath(new URL("..", import.meta.url)));
const seed = Number(options.seed ?? Math.floor(Math.random() * 1_000_000));

/** The changes that no test can find, with the reason. @type {{ file: string; code: string; what: string; why: string }[]} */
const equivalents = JSON.parse(readFileSync(new URL("mutants/equivalent.json", import.meta.url), "utf8"));

/** @param {string} line */
const say = (line) => process.stdout.write(`${line}\n`);

/** @typedef {{ near: (mutant: Mutant) => string[]; longer: readonly string[] }} Suites */

/** Finds the tests for a mutant. @param {Scratch} scratch @returns {Promise<Suites>} */
async function suitesFor(scratch) {
  const { unit, helpers, longer } = testFilesOf(tree);
  const wanted = new RegExp(options.tests ?? "");
  const tests = { unit: unit.filter((test) => wanted.test(test)), helpers };
  const all = await findReach(tree, compiler, scratch, tests, { workers: jobs, withinMs: 30 * MINUTE_MS });
  for (const { file } of all.filter(({ isGood }) => !isGood))
    say(`${file} fails without any change, and is left out`);
  const slow = all.flatMap(({ file, ms }) => (ms > SLOW_MS ? [file] : []));
  const usable = all.filter(({ file, isGood }) => isGood && !slow.includes(file));
  // First the tests beside the file.
  const near = (/** @type {Mutant} */ { file, place }) =>
    usable
      .filter(({ places }) => places.includes(place))
      .sort((one, other) => sharedFolders(other.file, file) - sharedFolders(one.file, file))
      .map((one) => one.file);
  return { near, longer: [...slow, ...longer] };
}

/**
 * Runs tests. A file that hangs runs a second time by itself: a machine with much to do may only be slow.
 * @param {(tests: readonly string[]) => Promise<Outcome>} run
 * @param {readonly string[]} tests
 * @returns {Promise<Outcome>}
 */
async function surely(run, tests) {
  const outcome = await run(tests);
  const hanging = outcome.failure?.file ?? "";
  if (outcome.failure?.test !== HANGS || !tests.includes(hanging)) return outcome;
  const again = await run([hanging]);
  return again.failure === undefined ? surely(run, tests.slice(tests.indexOf(hanging) + 1)) : again;
}

/** @param {Scratch} scratch @param {Mutant} mutant @param {Suites} suites @returns {Promise<Verdict>} */
async function judge(scratch, mutant, suites) {
  const started = Date.now();
  const { file, line, what, before, after, text: put } = mutant;
  const near = { withinMs: Number(options.minutes) * MINUTE_MS };
  let { failure, ended } = await scratch.changed(new Map([[file, put]]), () =>
    surely((tests) => scratch.test(tests, near), suites.near(mutant)),
  );
  let outcome = failure !== undefined ? "killed" : ended ? "survived" : "out of time";
  if (failure === undefined && options.nightly) {
    failure = await scratch.changed(new Map([[file, put]]), () => atNight(scratch, suites.longer));
    if (failure !== undefined) outcome = "killed at night";
  }
  const why = failure === undefined ? equivalentOf(mutant)?.why : undefined;
  const test = failure && `${failure.file}: ${failure.test}`;
  const seconds = Math.round((Date.now() - started) / 1000);
  return { file, line, what, before, after, outcome, test, why, seconds };
}

/** The first failure of the longer tests, in both ways of serving. A test that fails in any case counts too: look at its name. @param {Scratch} scratch @param {readonly string[]} tests */
async function atNight(scratch, tests) {
  const { ensureEngine } = await import("./engine.mjs");
  const { env } = await ensureEngine({ log: (line) => console.error(line) });
  const withinMs = Number(options["nightly-minutes"]) * MINUTE_MS;
  for (const way of ["dynamic", "plugin"]) {
    const how = { withinMs, stop: /** @type {const} */ ("after the file"), build: true };
    const { failure } = await scratch.test(tests, { ...how, env: { ...env, NODECLOUD_WAY: way } });
    if (failure !== undefined) return failure;
  }
  return undefined;
}

/** @param {Mutant} mutant */
const equivalentOf = (mutant) =>
  equivalents.find(
    ({ file, code, what }) => mutant.file === file && mutant.code === code && mutant.what === what,
  );

/** @param {Verdict} verdict */
function tell({ file, line, what, before, after, outcome, test, why, seconds }) {
  const change = `${what}: ${brief(before)} -> ${brief(after)}`;
  say(
    `${outcome.toUpperCase()} ${file}:${line} ${change} (${seconds} s)${test ? ` by ${test}` : ""}${why ? `; ${why}` : ""}`,
  );
}

/** @param {string} code */
const brief = (code) => {
  const line = code.replace(/\s+/g, " ");
  return line.length > 70 ? `${line.slice(0, 67)}...` : line;
};

say(
  `--seed ${seed} --count ${options.count}${options.within === undefined ? "" : ` --within ${options.within}`} in ${tree}`,
);
const compiler = compilerOf(tree);
const mutants = chooseMutants(compiler, { count: Number(options.count), seed, within: options.within });
const jobs = Math.min(Number(options.jobs ?? availableParallelism()), Number(options.count));
const scratches = Array.from({ length: jobs }, () => new Scratch(tree));
/** @type {Verdict[]} */
const verdicts = [];
for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])) {
  process.once(signal, () => {
    for (const scratch of scratches) scratch.remove();
    process.exit(1);
  });
}
try {
  const [first] = scratches;
  if (first === undefined) throw new Error("--jobs must be at least 1");
  const suites = await suitesFor(first);
  await Promise.all(
    scratches.map(async (scratch) => {
      // All take from one list.
      for (let next = mutants.next(); next.done !== true; next = mutants.next()) {
        const verdict = await judge(scratch, next.value, suites);
        verdicts.push(verdict);
        tell(verdict);
      }
    }),
  );
} finally {
  for (const scratch of scratches) scratch.remove();
}
const killed = (/** @type {string} */ outcome) => verdicts.filter((one) => one.outcome === outcome).length;
const alive = verdicts.filter(({ test, why }) => test === undefined && why === undefined).length;
const later = options.nightly ? `, ${killed("killed at night")} more by the longer ones` : "";
say(
  `${verdicts.length} mutants: ${killed("killed")} killed by the tests without the engine${later}, ${alive} not found`,
);
if (options.json !== undefined)
  writeFileSync(options.json, `${JSON.stringify({ seed, tree, verdicts }, null, 2)}\n`);
process.exitCode = alive === 0 ? 0 : 1;
