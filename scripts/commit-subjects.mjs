/**
 * Fails when a commit's subject is longer than 72 characters: `node scripts/commit-subjects.mjs RANGE`, where RANGE is
 * what `git log` takes, such as `main..HEAD`. It skips merge commits, because git writes their subjects.
 */
import { step } from "./child.mjs";

const longest = 72;

const [range] = process.argv.slice(2);
if (range === undefined) throw new Error("Usage: node scripts/commit-subjects.mjs RANGE");

const log = ["log", "--no-merges", "--reverse", "--format=%h %s", range];
const printed = await step("git", log, { stdio: ["ignore", "pipe", "inherit"] });
const tooLong = printed
  .split("\n")
  .map((line) => ({ line, length: [...line.slice(line.indexOf(" ") + 1)].length }))
  .filter(({ length }) => length > longest);

for (const { line, length } of tooLong) {
  console.log(`${line}\n  The subject has ${length} characters. At most ${longest} are allowed.`);
}
if (tooLong.length > 0) process.exitCode = 1;
