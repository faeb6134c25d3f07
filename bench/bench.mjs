/** Measures the speed of programs: `npm run bench`. docs/performance.md and bench/results.md show the results. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { constants, cpus, totalmem } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { ensureEngine } from "../scripts/engine.mjs";
import { measureAgainst } from "./against.mjs";
import { measureBucket, mostSeconds } from "./bucket.mjs";
import { measureCheck } from "./check.mjs";
import { measureEngineLimits } from "./engine-limits.mjs";
import { measureFleet } from "./fleet.mjs";
import { measureFloor } from "./floor.mjs";
import {
  fleetTargets,
  floorGoal,
  floorRatio,
  isOfTime,
  quick,
  quickLimits,
  quickStacks,
  targets,
} from "./limits.mjs";
import { measureCase, measureStart } from "./measure.mjs";
import * as report from "./report.mjs";
import { isSubject, subjects } from "./subjects.mjs";

/** @import { Results, Verdict } from "./limits.mjs" */
/** @import { Case, Setting } from "./measure.mjs" */
/** @typedef {Pick<Case, "subject" | "size" | "checkpoints">} Plan */

const root = fileURLToPath(new URL("..", import.meta.url));
const pages = [join(root, "docs", "performance.md"), join(root, "bench", "results.md")];
const plots = join(root, "docs", "performance");

const bucketSize = 2000;

const help = `Usage: npm run bench [-- options]

Measures programs with many resources on an emulator of the API, with the real Pulumi engine, and compares them with a naive
dynamic provider. Prints tables to stdout and progress to stderr. Without options it measures everything, in about 45 minutes on two cores.

  --quick            measures a few small programs, and limits their requests and bytes of state, but no times
  --against DIR      measures small programs in turns with another version, whose built checkout is DIR. Fails if a preview
                     or a refresh of this version is more than 5 percent slower
  --only NAMES       measures only these: ${Object.keys(subjects).join(",")},
                     start,floor,check,engine-limits,fleet,bucket
  --sizes NUMBERS    sets the numbers of records (default: 100,1000,5000,12000, 1000 for floor, and ${bucketSize} for bucket), or of
                     stacks for fleet (default: 200). A run of bucket ends after ${mostSeconds} seconds
  --engine-limits    is the same as --only engine-limits
  --json FILE        stores the results here (default: .cache/bench/results.json). With --only or --sizes, the other
                     results of earlier runs stay
  --patience N       stops each command after N seconds (default: 600). For a program of the naive provider, the limit
                     applies to all its commands together
  --write            writes the results to docs/performance.md and bench/results.md at the end
  --write-only       writes the results of an earlier run there, without measuring
  --help             prints this text

Exit codes:
  0  every target is met
  1  a target is missed, or something failed. A missed goal is only told
`;

const options = /** @type {const} */ ({
  quick: { type: "boolean", default: false },
  against: { type: "string" },
  only: { type: "string" },
  sizes: { type: "string" },
  "engine-limits": { type: "boolean", default: false },
  json: { type: "string" },
  patience: { type: "string", default: "600" },
  write: { type: "boolean", default: false },
  "write-only": { type: "boolean", default: false },
  help: { type: "boolean", default: false },
});

const startRounds = 10;
const floorSize = 1000;
const mistakes = 50;
const engineLimitsSize = 500;
const fleetStacks = 200;
/** The stacks that Pulumi's own commands read, for comparison. */
const fleetSamples = 3;

/** @typedef {{ setting: Setting; size: number | undefined; keep: () => void }} Part How to measure, and what stores the results so far. */

/** The measurements of a full run beside the programs. @type {Record<string, { title: string; measure: (results: Results, part: Part) => Promise<void> }>} */
const parts = {
  start: {
    title: "Previews of small programs …",
    measure: async (results, { setting }) => {
      results.startUp = await measureStart(startRounds, setting);
    },
  },
  floor: {
    title: "Previews without a provider …",
    measure: async (results, { setting, size = floorSize }) => {
      results.floor = await measureFloor(size, startRounds, setting);
      const ratio = floorRatio(results.floor);
      if (ratio > floorGoal)
        tell(
          `The goal is missed: × ${ratio.toFixed(2)} of the floor. The goal is × ${floorGoal.toFixed(2)}.`,
        );
    },
  },
  check: {
    title: `A program with ${mistakes} mistakes …`,
    measure: async (results, { setting }) => {
      results.check = await measureCheck(mistakes, startRounds, setting);
      const { check, preview, ratio } = results.check;
      tell(`  check: ${check.toFixed(2)} s, preview: ${preview.toFixed(2)} s, × ${ratio.toFixed(2)}`);
    },
  },
  "engine-limits": {
    title: "Settings of the engine …",
    measure: async (results, { setting, size = engineLimitsSize, keep }) => {
      const limits = { size, rows: /** @type {import("./engine-limits.mjs").Setting[]} */ ([]) };
      results.engineLimits = limits;
      await measureEngineLimits(size, setting, (row) => {
        limits.rows.push(row);
        keep();
      });
    },
  },
  fleet: {
    title: "Stacks of one account …",
    measure: async (results, { setting, size = fleetStacks }) => {
      const fleet = await measureFleet(size, setting, { samples: fleetSamples });
      results.fleet = { ...fleet, machine: results.machine };
    },
  },
  bucket: {
    title: "A state in a bucket …",
    measure: async (results, { setting, size = bucketSize }) => {
      results.bucket = { ...(await measureBucket(size, setting)), machine: results.machine };
    },
  },
};

/** An invalid command line. */
class UsageError extends Error {}

/** @param {string} line */
const tell = (line) => process.stderr.write(`${line}\n`);
/** @param {string} text */
const say = (text) => process.stdout.write(`${text}\n`);

function readArguments() {
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/** @param {string} text @param {string} name */
function wholeNumber(text, name) {
  const value = Number(text);
  if (!Number.isInteger(value) || value <= 0)
    throw new UsageError(`--${name} must be a whole number above 0, not "${text}".`);
  return value;
}

/**
 * @param {string[]} wanted subjects.
 * @param {number[] | undefined} sizes
 * @returns {Plan[]} in the order of size.
 */
function planOf(wanted, sizes) {
  const plans = wanted.filter(isSubject).flatMap((subject) => {
    const { withCheckpoints, sizes: own } = subjects[subject];
    return (sizes ?? own).flatMap((size) => {
      // With and without checkpoints, if both finish in time and checkpoints cost much.
      const isLarge = size >= 1000 && Number.isFinite(withCheckpoints);
      const kinds = [
        ...(size <= withCheckpoints ? [true] : []),
        ...(isLarge || size > withCheckpoints ? [false] : []),
      ];
      return kinds.map((checkpoints) => ({ subject, size, checkpoints }));
    });
  });
  return plans.sort((one, other) => one.size - other.size);
}

const machine = () =>
  `Node ${process.version}, ${process.platform}, ${cpus()[0]?.model ?? "unknown processor"}, ${cpus().length} cores, ` +
  `${Math.round(totalmem() / 2 ** 30)} GB`;

/** @param {string} file @returns {Results | undefined} */
const readResults = (file) => (existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined);

/** @param {string} file @param {Results} results */
function keepResults(file, results) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(results, undefined, 1)}\n`);
}

/** @param {Results} results */
function writePage(results) {
  const texts = pages.map((page) => readFileSync(page, "utf8"));
  const filled = report.filled(texts, report.parts(results));
  for (const [index, text] of filled.entries()) writeFileSync(pages[index] ?? "", text);
  mkdirSync(plots, { recursive: true });
  writeFileSync(join(plots, "growth.svg"), report.growthPlot(results.cases));
  writeFileSync(join(plots, "ratios.svg"), report.ratiosPlot(results.cases));
  tell(`Wrote ${pages.join(" and ")}, and the plots.`);
}

/** @param {Verdict[]} verdicts @returns {number} the exit code. */
function judge(verdicts) {
  const missed = verdicts.filter(({ isMet }) => !isMet);
  for (const { what, found, allowed, unit } of missed) {
    tell(`Missed: ${what}: ${Number(found.toFixed(2))} ${unit}. The limit is ${Number(allowed.toFixed(2))}.`);
  }
  return missed.length === 0 ? 0 : 1;
}

/** @param {Pick<Case, "subject" | "size" | "checkpoints">} plan */
const nameOf = ({ subject, size, checkpoints }) =>
  `${subject} ${size}${checkpoints ? "" : " without checkpoints"}`;

/** Whether a program other than the naive one has no complete result. @param {Case[]} cases */
const isUnfinished = (cases) =>
  cases.some(({ subject, incomplete }) => subject !== "naive" && incomplete !== undefined);

/** @param {Setting} setting */
async function runQuick(setting) {
  /** @type {Case[]} */
  const cases = [];
  for (const { subject, size } of quick) {
    tell(`${subject} ${size} …`);
    cases.push(await measureCase(subject, size, true, setting));
  }
  tell(`${quickStacks} stacks of one account …`);
  const fleet = await measureFleet(quickStacks, setting, { samples: 0 });
  const verdicts = [...quickLimits(cases), ...fleetTargets(fleet)];
  say(report.verdicts(verdicts));
  return Math.max(judge(verdicts), isUnfinished(cases) ? 1 : 0);
}

async function main() {
  const values = readArguments();
  if (values.help) return say(help.trimEnd());
  const file = resolve(values.json ?? join(root, ".cache", "bench", "results.json"));
  if (values["write-only"]) {
    const results = readResults(file);
    if (results === undefined) throw new UsageError(`${file} does not exist: measure first.`);
    return writePage(results);
  }
  const all = [...Object.keys(subjects), ...Object.keys(parts)];
  const wanted = values["engine-limits"] ? ["engine-limits"] : (values.only?.split(",") ?? all);
  const strange = wanted.find((name) => !all.includes(name));
  if (strange !== undefined) throw new UsageError(`--only accepts ${all.join(", ")}, not "${strange}".`);
  const sizes = values.sizes?.split(",").map((text) => wholeNumber(text, "sizes"));
  const patienceSeconds = wholeNumber(values.patience, "patience");

  const engine = await ensureEngine({ log: tell });
  const setting = { engine: engine.env, patienceSeconds, tell };
  if (values.quick) return void (process.exitCode = await runQuick(setting));
  if (values.against !== undefined) {
    const verdicts = await measureAgainst(resolve(values.against), startRounds, setting);
    say(report.verdicts(verdicts));
    process.exitCode = judge(verdicts);
    return;
  }

  const isFull = values.only === undefined && sizes === undefined && !values["engine-limits"];
  const earlier = isFull ? undefined : readResults(file);
  /** @type {Results} */
  const results = { cases: [], ...earlier, machine: `${machine()}; Pulumi ${engine.version}` };
  const keep = () => keepResults(file, results);
  const started = Date.now();
  /** @type {Case[]} */
  const measured = [];
  let failed = false;
  for (const plan of planOf(wanted, sizes)) {
    tell(`${nameOf(plan)} … (${Math.round((Date.now() - started) / 60_000)} min so far)`);
    const others = results.cases.filter((of) => nameOf(of) !== nameOf(plan));
    try {
      const found = await measureCase(plan.subject, plan.size, plan.checkpoints, setting);
      measured.push(found);
      results.cases = [...others, found];
      keep();
    } catch (error) {
      failed = true;
      tell(`  failed: ${error instanceof Error ? error.message : error}`);
    }
  }
  for (const [name, { title, measure }] of Object.entries(parts)) {
    if (!wanted.includes(name)) continue;
    tell(title);
    try {
      await measure(results, { setting, size: sizes?.[0], keep });
      keep();
    } catch (error) {
      failed = true;
      tell(`  failed: ${error instanceof Error ? error.message : error}`);
    }
  }

  for (const part of Object.values(report.parts(results))) say(`${part}\n`);
  tell(`Stored in ${file}.`);
  if (values.write) writePage(results);
  // A partial run may compare results of different runs.
  const verdicts = isFull
    ? targets(results)
    : targets({ ...results, cases: measured }).filter((of) => !isOfTime(of));
  process.exitCode = Math.max(judge(verdicts), failed || isUnfinished(measured) ? 1 : 0);
}

// The exit handlers of this process stop its child processes.
for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])) {
  process.on(signal, () => process.exit(128 + constants.signals[signal]));
}

try {
  await main();
} catch (error) {
  console.error(error instanceof UsageError ? `${error.message}\n\n${help.trimEnd()}` : error);
  process.exitCode = 1;
}
