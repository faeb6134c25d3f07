/**
 * Fails unless a tag, package.json, package-lock.json and CHANGELOG.md name the same version:
 * `node scripts/check-release.mjs v1.2.3`.
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** @param {string} path */
const read = (path) => readFileSync(fileURLToPath(new URL(`../${path}`, import.meta.url)), "utf8");

/** The newest version of the changelog, with the date of its release. */
const [, logged, date] =
  /^## \[(\d+\.\d+\.\d+)\](?: - (\d{4}-\d{2}-\d{2}))?$/m.exec(read("CHANGELOG.md")) ?? [];

const [tag = ""] = process.argv.slice(2);
const version = tag.replace(/^v/, "");

/** @type {[where: string, found: unknown][]} */
const places = [
  ["package.json", JSON.parse(read("package.json")).version],
  ["package-lock.json", JSON.parse(read("package-lock.json")).version],
  ["CHANGELOG.md", logged],
];
const complaints = places
  .filter(([, found]) => found !== version)
  .map(([where, found]) => `${where} has ${found === undefined ? "no version" : `version ${found}`}`);
if (logged === version && date === undefined) complaints.push("CHANGELOG.md has no date for it");

for (const complaint of complaints) console.log(`The tag is ${tag}, but ${complaint}.`);
if (complaints.length > 0) process.exitCode = 1;
