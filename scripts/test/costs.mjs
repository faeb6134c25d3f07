/** The report of what each test file cost, as scripts/test/environment.mjs measured it. */
import { isUnit } from "./sets.mjs";

/** @typedef {{ file: string; way?: string; seconds: number; cpu: number; processes: number; engine: number }} Cost */

/** The CPU seconds that a file may cost. A run names the files that cost more. */
export const budget = { withoutEngine: 6, withEngine: 60 };

/** The number of files that the report shows in any case. */
const shown = 10;

/**
 * @param {string} lines a line of JSON for each file.
 * @returns {Cost[]} the most expensive first.
 */
export const costsIn = (lines) =>
  lines
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => /** @type {Cost} */ (JSON.parse(line)))
    .sort((one, other) => other.cpu - one.cpu);

/** @param {Cost} cost */
const isOver = ({ file, cpu }) => cpu > (isUnit(file) ? budget.withoutEngine : budget.withEngine);

/** @param {Cost} cost */
const row = (cost) =>
  [
    `${cost.cpu.toFixed(1).padStart(7)} s of CPU`,
    `${cost.seconds.toFixed(1).padStart(6)} s`,
    `${String(cost.processes).padStart(4)} processes`,
    `${String(cost.engine).padStart(4)} engine runs`,
    `${isOver(cost) ? "  OVER " : "       "}${cost.file}${cost.way === undefined ? "" : ` (${cost.way})`}`,
  ].join("");

/**
 * The lines of the report: the sum, the most expensive files, and all files over the budget.
 * @param {readonly Cost[]} costs the most expensive first.
 */
export function reportOf(costs) {
  const sum = (/** @type {"cpu" | "processes" | "engine"} */ name) =>
    costs.reduce((total, cost) => total + cost[name], 0);
  const over = costs.filter(isOver);
  return [
    `${costs.length} files: ${Math.round(sum("cpu"))} s of CPU, ${sum("processes")} processes started by them, ${sum("engine")} engine runs`,
    ...costs.filter((cost, index) => index < shown || over.includes(cost)).map(row),
    `${over.length} over the budget: ${budget.withoutEngine} s of CPU, and ${budget.withEngine} s in the folders with the engine.`,
  ];
}
