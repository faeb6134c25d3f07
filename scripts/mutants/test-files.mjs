import { dirname, join } from "node:path";
import { filesIn } from "../files.mjs";
import { withPrograms } from "../test/sets.mjs";

/** Fixtures, which jest does not run, and the tests of other code than `src`. */
const OTHERS = /^test\/(matrix\/new-family|scripts|bench)\//;

/** Whether a file is in a folder whose tests start an engine, or are long for another reason. @param {string} path */
const isLonger = (path) => withPrograms.some((folder) => path.startsWith(folder));

/** The tests of a tree: those that need no engine, with the other files that they may load, and the longer ones. @param {string} tree */
export function testFilesOf(tree) {
  const files = filesIn(join(tree, "test")).map((path) => `test/${path}`);
  const isTest = (/** @type {string} */ path) => path.endsWith(".test.ts") && !OTHERS.test(path);
  return {
    unit: files.filter((path) => isTest(path) && !isLonger(path)),
    helpers: files.filter((path) => !isTest(path) && !isLonger(path)),
    longer: files.filter((path) => isTest(path) && isLonger(path)),
  };
}

/** How many folders the mirrored places of a test and a file of `src` have in common. @param {string} test @param {string} file */
export function sharedFolders(test, file) {
  const [one, other] = [test, file].map((path) => dirname(path).split("/").slice(1));
  let shared = 0;
  while (one?.[shared] !== undefined && one[shared] === other?.[shared]) shared++;
  return shared;
}
