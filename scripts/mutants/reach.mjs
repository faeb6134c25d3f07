import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { filesIn } from "../files.mjs";
import { marked } from "./places.mjs";

/**
 * A file of tests: whether it passes without any change, how long it takes, and which places of `src` it reaches.
 * @typedef {{ file: string; isGood: boolean; ms: number; places: string[] }} Reach
 */

/**
 * Runs the tests without the engine once, to find out what they reach. What is known of a file is kept until `src`, a helper or the file changes.
 * @param {string} tree
 * @param {import("./choose.mjs").Compiler} compiler
 * @param {import("./scratch.mjs").Scratch} scratch
 * @param {{ unit: readonly string[]; helpers: readonly string[] }} tests
 * @param {{ workers: number; withinMs: number }} options
 * @returns {Promise<Reach[]>}
 */
export async function findReach(tree, compiler, scratch, { unit, helpers }, options) {
  const file = join(tree, ".cache", "mutants.json");
  /** @type {Record<string, Reach>} */
  const before = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
  const sources = hashOf(tree, [...filesIn(join(tree, "src")).map((path) => `src/${path}`), ...helpers]);
  const keys = new Map(unit.map((test) => [test, `${sources} ${hashOf(tree, [test])}`]));
  const unknown = unit.filter((test) => before[keys.get(test) ?? ""] === undefined);
  const markedFiles = new Map(compiler.files.map((path) => [path, marked(path, compiler.source(path))]));
  const found = unknown.length === 0 ? [] : await scratch.reach(unknown, markedFiles, options);
  const now = [...Object.entries(before), ...found.map((one) => [keys.get(one.file) ?? "", one])];
  const kept = Object.fromEntries(now.filter(([key]) => String(key).startsWith(sources)));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(kept));
  return [...keys.values()].flatMap((key) => kept[key] ?? []);
}

/** @param {string} tree @param {readonly string[]} files */
function hashOf(tree, files) {
  const hash = createHash("sha256");
  for (const file of files) hash.update(`${file}\0`).update(readFileSync(join(tree, file)));
  return hash.digest("hex").slice(0, 16);
}
