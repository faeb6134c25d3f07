import {
  cpSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  readlinkSync,
  writeFileSync,
} from "node:fs";
import { spawn } from "node:child_process";
import { tmpdir } from "node:os";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { cleanEnvironment } from "../environment.cjs";

/** The folders that a copy of the tree does without. */
const LEFT_OUT = ["node_modules", ".git", ".cache", "release", "coverage"];

const beside = (/** @type {string} */ name) => fileURLToPath(new URL(name, import.meta.url));

/** A test that runs longer than this fails. */
const TEST_MS = 30_000;

/** The name of a test that never ends. */
export const HANGS = "it hangs";

/** Tests that show no sign of life for so long hang. */
const SILENT_MS = 90_000;

/**
 * The outcome of tests. `ended` tells whether all of them ran.
 * @typedef {{ failure: { file: string; test: string } | undefined; ended: boolean; files: TestFile[] }} Outcome
 */

/** @typedef {{ file: string; isGood: boolean; ms: number }} TestFile */

/**
 * @typedef {object} RunOptions
 * @property {number} withinMs
 * @property {"at once" | "after the file" | "never"} [stop] what the first failure ends. A file that starts processes has to stop them.
 * @property {NodeJS.ProcessEnv} [env]
 * @property {boolean} [build] whether `dist` is built first.
 * @property {readonly string[]} [more] arguments for jest.
 */

/** A copy of the tree in which files can be changed and tests run. Nobody else's files change. */
export class Scratch {
  #root;
  #tree;
  /** @type {import("node:child_process").ChildProcess | undefined} */
  #running;

  /** @param {string} tree */
  constructor(tree) {
    this.#root = mkdtempSync(join(tmpdir(), "nodecloud-mutants-"));
    this.#tree = join(this.#root, "tree");
    for (const name of ["tree", "tmp", "cache"]) mkdirSync(join(this.#root, name));
    for (const name of readdirSync(tree)) {
      if (!LEFT_OUT.includes(name))
        cpSync(join(tree, name), join(this.#tree, name), { recursive: true, verbatimSymlinks: true });
    }
    // Packages are many, and no test changes them.
    linkAll(join(tree, "node_modules"), join(this.#tree, "node_modules"));
  }

  /** Runs `use` while files have other texts. @template Result @param {ReadonlyMap<string, string>} texts @param {() => Promise<Result>} use */
  async changed(texts, use) {
    const paths = [...texts].map(([file, text]) => ({ path: join(this.#tree, file), text }));
    // The original may change meanwhile.
    const before = paths.map(({ path }) => readFileSync(path));
    for (const { path, text } of paths) writeFileSync(path, text);
    try {
      return await use();
    } finally {
      paths.forEach(({ path }, index) => writeFileSync(path, before[index] ?? ""));
    }
  }

  /**
   * Runs test files in their order, up to the first failure.
   * @param {readonly string[]} tests
   * @param {RunOptions} options
   * @returns {Promise<Outcome>}
   */
  async test(tests, { withinMs, stop = "at once", env = {}, build = false, more = [] }) {
    if (tests.length === 0) return { failure: undefined, ended: true, files: [] };
    const [failure, alive, files] = ["failure", "alive", "files"].map((name) => this.#emptied(name));
    const bail = stop === "never" ? [] : ["--bail"];
    const child = this.#startJest(build, [...bail, ...more, "--runTestsByPath", ...tests], {
      ...env,
      MUTANTS_FAILURE: failure,
      MUTANTS_ALIVE: alive,
      MUTANTS_FILES: files,
      MUTANTS_ORDER: JSON.stringify(tests),
      MUTANTS_STOP: stop,
    });
    const started = Date.now();
    let ending = "";
    const watch = setInterval(() => {
      if (Date.now() - statSync(alive ?? "").mtimeMs > SILENT_MS) ending = HANGS;
      else if (Date.now() - started > withinMs) ending = "late";
      if (ending !== "") this.#end();
    }, 1000);
    const code = await new Promise((resolve) => child.once("close", resolve));
    this.#running = undefined;
    clearInterval(watch);
    const told = readFileSync(failure ?? "", "utf8");
    const first = told === "" ? undefined : JSON.parse(told);
    const hanging = { path: readFileSync(alive ?? "", "utf8"), test: ending };
    const found = first ?? (ending === HANGS ? hanging : undefined);
    if (code !== 0 && found === undefined && ending === "" && stop !== "never")
      throw new Error(`jest ended with ${code}, and names no test`);
    return {
      failure: found && { file: this.#name(found.path), test: found.test },
      ended: ending === "",
      files: linesOf(files ?? "").map(({ path, ...rest }) => ({ ...rest, file: this.#name(path) })),
    };
  }

  /** The path of an empty file for what a run tells. @param {string} name */
  #emptied(name) {
    const path = join(this.#root, name);
    writeFileSync(path, "");
    return path;
  }

  /** @param {boolean} build @param {readonly string[]} args @param {NodeJS.ProcessEnv} env */
  #startJest(build, args, env) {
    const prepared = build ? [join(this.#tree, "scripts/bootstrap.mjs")] : [];
    const always = [
      ...["--forceExit", `--testTimeout=${TEST_MS}`, `--cacheDirectory=${join(this.#root, "cache")}`],
      ...[`--reporters=${beside("first-failure.mjs")}`, `--testSequencer=${beside("in-order.mjs")}`],
      ...(args.some((arg) => arg.startsWith("--maxWorkers")) ? [] : ["--runInBand"]),
    ];
    const jest = join(this.#tree, "node_modules/jest/bin/jest.js");
    this.#running = spawn(process.execPath, [...prepared, jest, ...always, ...args], {
      cwd: this.#tree,
      stdio: "ignore",
      // With its own group, so that it can be ended with all that it started.
      detached: true,
      env: { ...cleanEnvironment(), ...env, TMPDIR: join(this.#root, "tmp") },
    });
    return this.#running;
  }

  /** Ends the tests that run, with all that they started. */
  #end() {
    if (this.#running?.pid !== undefined) process.kill(-this.#running.pid, "SIGKILL");
  }

  /**
   * Runs test files while all files of `src` tell what the tests reach.
   * @param {readonly string[]} tests
   * @param {ReadonlyMap<string, string>} markedFiles
   * @param {{ workers: number; withinMs: number }} options
   */
  async reach(tests, markedFiles, { workers, withinMs }) {
    const hits = this.#emptied("hits");
    const more = [`--maxWorkers=${workers}`, `--setupFilesAfterEnv=${beside("hits.cjs")}`];
    const { files } = await this.changed(markedFiles, () =>
      this.test(tests, { withinMs, stop: "never", env: { MUTANTS_HITS: hits }, more }),
    );
    const reached = new Map(linesOf(hits).map((line) => [this.#name(line.path), line.hits]));
    return files.map((one) => ({ ...one, places: /** @type {string[]} */ (reached.get(one.file) ?? []) }));
  }

  /** @param {string} path */
  #name(path) {
    return relative(this.#tree, path).split(sep).join("/");
  }

  /** Ends what runs, and removes the copy. */
  remove() {
    this.#end();
    rmSync(this.#root, { recursive: true, force: true });
  }
}

/** The lines of a file, as JSON. @param {string} path */
const linesOf = (path) =>
  readFileSync(path, "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));

/** Makes hard links to all files of a folder. @param {string} from @param {string} to */
function linkAll(from, to) {
  mkdirSync(to);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.name === ".cache") continue;
    if (entry.isDirectory()) linkAll(source, target);
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else linkOrCopy(source, target);
  }
}

/** @param {string} source @param {string} target */
function linkOrCopy(source, target) {
  try {
    linkSync(source, target);
  } catch {
    // The temporary folder is on another file system.
    cpSync(source, target);
  }
}
