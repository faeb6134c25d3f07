import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { marked } from "./places.mjs";

/**
 * Which test files reach a place of `src`, and those that fail without any change.
 * @typedef {{ reached: { file: string; places: string[] }[]; failing: string[]; slow: string[] }} Reach
 */

/** A file of tests that takes longer counts as one of the longer tests. */
const SLOW_MS = 45_000;

/**
 * Runs all tests without the engine once, to find out what they reach. A tree that has not changed keeps the answer.
 * @param {string} tree
 * @param {import("./choose.mjs").Compiler} compiler
 * @param {import("./scratch.mjs").Scratch} scratch
 * @param {readonly string[]} tests
 * @param {{ workers: number; withinMs: number }} options
 * @returns {Promise<Reach>}
 */
export async function findReach(tree, compiler, scratch, tests, options) {
  const kept = join(tree, ".cache", "mutants", `${hashOf(tree)}.json`);
  if (existsSync(kept)) return JSON.parse(readFileSync(kept, "utf8"));
  const markedFiles = new Map(compiler.files.map((file) => [file, marked(file, compiler.source(file))]));
  const { files, reached } = await scratch.reach(tests, markedFiles, options);
  const failing = files.filter(({ isGood }) => !isGood).map(({ file }) => file);
  const slow = files.filter(({ ms }) => ms > SLOW_MS).map(({ file }) => file);
  const reach = { reached, failing, slow };
  mkdirSync(dirname(kept), { recursive: true });
  writeFileSync(kept, JSON.stringify(reach));
  return reach;
}

/** @param {string} tree */
function hashOf(tree) {
  const hash = createHash("sha256");
  for (const folder of ["src", "test"]) {
    const names = readdirSync(join(tree, folder), { recursive: true, withFileTypes: true });
    for (const path of names
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .sort())
      hash.update(`${path}\0`).update(readFileSync(path));
  }
  return hash.digest("hex").slice(0, 16);
}
