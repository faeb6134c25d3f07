import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import ts from "typescript";

/** The folders whose tests start an engine, or are long for another reason. */
const LONGER = /^test\/(engine|matrix|faults|consumers|examples|types)\//;

/** Fixtures, which jest does not run. */
const NO_TESTS = "test/matrix/new-family/";

/**
 * The tests of a tree: those that need no engine, and the others.
 * @param {string} tree
 */
export function testFilesOf(tree) {
  const importsOf = importsIn(tree);
  const tests = readdirSync(join(tree, "test"), { recursive: true, encoding: "utf8" })
    .map((path) => `test/${path.split(sep).join("/")}`)
    .filter((path) => path.endsWith(".test.ts") && !path.startsWith(NO_TESTS))
    .sort();
  const isUnit = (/** @type {string} */ path) =>
    !LONGER.test(path) && distance(path, ENGINE, importsOf) === Infinity;
  return {
    unit: tests.filter((path) => isUnit(path) && reachesSources(path, importsOf)),
    /** The files of a test: itself, and its helpers. @param {string} path */
    partsOf: (path) => [...edgesFrom(path, importsOf)].flat().filter((file) => file.startsWith("test/")),
    longer: tests.filter((path) => !isUnit(path)),
    /** Test files, those nearest to a file of `src` first. @param {readonly string[]} paths @param {string} file */
    nearest: (paths, file) => {
      const rank = new Map(
        paths.map((path) => [path, distance(path, file, importsOf) - 3 * sharedFolders(path, file)]),
      );
      return [...paths].sort((one, other) => (rank.get(one) ?? 0) - (rank.get(other) ?? 0));
    },
  };
}

/** @param {string} tree @returns {(file: string) => string[]} the files of the tree that a file imports. */
function importsIn(tree) {
  /** @type {Map<string, string[]>} */
  const known = new Map();
  /** @param {string} file */
  const find = (file) => {
    const { importedFiles } = ts.preProcessFile(
      withoutTypes(readFileSync(join(tree, file), "utf8")),
      true,
      true,
    );
    return importedFiles.flatMap(({ fileName }) => {
      if (!fileName.startsWith(".")) return fileName === ENGINE ? [ENGINE] : [];
      const path = join(dirname(file), fileName).split(sep).join("/");
      return [path, `${path}.ts`, `${path}/index.ts`].filter(
        (one) => one.endsWith(".ts") && existsSync(join(tree, one)),
      );
    });
  };
  return (file) => {
    const imported = known.get(file) ?? (file === ENGINE ? [] : find(file));
    known.set(file, imported);
    return imported;
  };
}

/** A file without the imports that only bring types. @param {string} text */
const withoutTypes = (text) =>
  text.replace(/^import (type )?(\{[^}]*\}|\* as \w+) from .*$/gm, (line, isType, names) =>
    isType !== undefined || namesOf(names).every((name) => name.startsWith("type ")) ? "" : line,
  );

/** @param {string} names */
const namesOf = (names) =>
  names
    .split(/[{},]/)
    .map((name) => name.trim())
    .filter(Boolean);

/** The module of the SDK that runs the engine. */
const ENGINE = "@pulumi/pulumi/automation";

/** The number of imports from one file to another. @param {string} from @param {string} to @param {(file: string) => string[]} importsOf */
function distance(from, to, importsOf) {
  let steps = 0;
  for (const edge of edgesFrom(from, importsOf)) {
    if (edge.includes(to)) return steps;
    steps++;
  }
  return Infinity;
}

/** @param {string} test @param {(file: string) => string[]} importsOf */
function reachesSources(test, importsOf) {
  for (const edge of edgesFrom(test, importsOf)) {
    if (edge.some((file) => file.startsWith("src/"))) return true;
  }
  return false;
}

/** The files that a file imports: itself, those one import away, those two away … @param {string} from @param {(file: string) => string[]} importsOf */
function* edgesFrom(from, importsOf) {
  const seen = new Set([from]);
  for (let edge = [from]; edge.length > 0;) {
    yield edge;
    edge = [...new Set(edge.flatMap(importsOf))].filter((file) => !seen.has(file));
    for (const file of edge) seen.add(file);
  }
}

/** How many folders the mirrored places of a test and a file have in common. @param {string} test @param {string} file */
function sharedFolders(test, file) {
  const [one, other] = [test, file].map((path) => dirname(path).split("/").slice(1));
  let shared = 0;
  while (one?.[shared] !== undefined && one[shared] === other?.[shared]) shared++;
  return shared;
}
