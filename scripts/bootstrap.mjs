/**
 * Prepares this repository and runs one of its scripts: `node scripts/bootstrap.mjs [--no-build] [SCRIPT [args…]]`. It works in a
 * fresh clone. It fetches a recent Node, installs the packages and builds `dist`, each only where it is missing or out of date,
 * and prints a line when one of these takes time. Without a script it only prepares. It can import only Node's own
 * modules.
 */
import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { cacheDirectory, keep, withLock } from "./cache.mjs";
import { CommandError, npmCommand, run, step } from "./child.mjs";

/** @import { SpawnOptions } from "node:child_process" */

const root = fileURLToPath(new URL("..", import.meta.url));
const oldestNode = 22;
const fetchedNode = 24;
const windows = process.platform === "win32";

/** @param {string} line */
const log = (line) => console.error(line);

/** The output of the steps goes to stderr, because a program may read the script's own output. */
const toStderr = /** @type {SpawnOptions["stdio"]} */ (["ignore", 2, 2]);

/** @param {string[]} args */
async function main(args) {
  if (Number.parseInt(process.versions.node) < oldestNode) return runUnderFetchedNode(args);
  const [first, ...others] = args;
  const noBuild = first === "--no-build";
  await ensure(packagesMatch, installPackages);
  if (!noBuild) {
    await ensure(buildMatches, build);
    await ensure(() => missingLinks().length === 0, makeLinks);
  }
  const script = noBuild ? others : args;
  if (script.length === 0) return 0;
  return (await run(process.execPath, script, { stdio: "inherit" })).code;
}

/** @param {string[]} args */
async function runUnderFetchedNode(args) {
  const node = await ensureNode();
  const env = { ...process.env, PATH: [dirname(node), process.env["PATH"]].filter(Boolean).join(delimiter) };
  return (await run(node, [fileURLToPath(import.meta.url), ...args], { env, stdio: "inherit" })).code;
}

/**
 * Fetches Node from the npm registry, which the installation of packages needs too.
 * @returns {Promise<string>} the path of the binary.
 */
async function ensureNode() {
  // The package `node` installs one of these with an install script, which npm 11 runs only with the user's approval.
  const system = windows ? "win" : process.platform;
  const prefix = process.platform === "darwin" && process.arch === "arm64" ? "node-bin" : "node";
  const name = `${prefix}-${system}-${process.arch}`;
  const directory = join(cacheDirectory(), `node-${fetchedNode}-${process.platform}-${process.arch}`);
  /** @param {string} inside */
  const binaryIn = (inside) => join(inside, "node_modules", name, "bin", windows ? "node.exe" : "node");

  if (existsSync(binaryIn(directory))) return binaryIn(directory);
  const doing = `fetching Node ${fetchedNode}`;
  return withLock(`${directory}.lock`, { log, doing }, async () => {
    if (existsSync(binaryIn(directory))) return binaryIn(directory);
    log(`Node ${process.version} is too old; fetching Node ${fetchedNode} (once) …`);
    try {
      await keep(directory, async (temporary) => {
        const install = ["install", "--prefix", temporary, "--no-save", "--package-lock=false", ...quietly];
        await npm([...install, "--ignore-scripts", `${name}@${fetchedNode}`], { cwd: temporary });
        await step(binaryIn(temporary), ["--version"], { stdio: ["ignore", "pipe", "pipe"] });
      });
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      const advice = `Install Node ${oldestNode} or newer (https://nodejs.org/), and run this again.`;
      throw new Error(`${why}\n${advice}`, { cause });
    }
    return binaryIn(directory);
  });
}

const quietly = ["--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error"];

/** @param {string[]} args @param {SpawnOptions} options */
function npm(args, options) {
  const npmRun = npmCommand(args);
  return step(npmRun.command, npmRun.args, { ...options, stdio: toStderr, shell: npmRun.shell });
}

const lockFile = join(root, ".cache", "bootstrap.lock");

/**
 * Makes something where it is missing, unless another run makes it meanwhile.
 * @param {() => boolean} isThere @param {() => void | Promise<void>} make
 */
async function ensure(isThere, make) {
  if (isThere()) return;
  await withLock(lockFile, { log, doing: "installing packages or building" }, async () => {
    if (!isThere()) await make();
  });
}

async function installPackages() {
  log("Installing the packages of package-lock.json …");
  rmSync(packagesStamp, { force: true });
  // `npm pack --dry-run` passes its options to the npm that its scripts start.
  const ci = ["ci", "--dry-run=false", "--include=dev", "--include=optional"];
  await npm([...ci, ...quietly], { cwd: root });
  writeFileSync(packagesStamp, hashOf([join(root, "package-lock.json")]));
}

const packagesStamp = join(root, "node_modules", ".package-lock.sha256");

/** npm writes its lock file in node_modules last. Without it, the installation was interrupted. */
function packagesMatch() {
  const record = join(root, "node_modules", ".package-lock.json");
  if (!existsSync(record)) return false;
  const wanted = join(root, "package-lock.json");
  const stamp = existsSync(packagesStamp) ? readFileSync(packagesStamp, "utf8") : undefined;
  if (stamp === hashOf([wanted])) return true;
  // Packages that a user installed by hand are fine if they match.
  const there = packagesIn(record);
  return Object.entries(packagesIn(wanted)).every(([path, { version, integrity, optional, devOptional }]) => {
    const found = there[path];
    if (path === "") return true;
    if (found === undefined) return optional === true || devOptional === true;
    return found.version === version && found.integrity === integrity;
  });
}

/** @typedef {{ version?: string; integrity?: string; optional?: boolean; devOptional?: boolean }} LockedPackage */

/** @param {string} lockfile @returns {Record<string, LockedPackage | undefined> & Record<string, LockedPackage>} */
function packagesIn(lockfile) {
  return JSON.parse(readFileSync(lockfile, "utf8")).packages;
}

const dist = join(root, "dist");
const buildStamp = ".build.json";

async function build() {
  log("Building …");
  const scratch = dirname(lockFile);
  const sources = hashOfSources();
  const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
  const fill = async (/** @type {string} */ temporary) => {
    const compile = [tsc, "-p", "tsconfig.build.json", "--outDir", temporary];
    await step(process.execPath, compile, { cwd: root, stdio: toStderr });
    makeExecutable(temporary);
    const stamp = { sources, output: hashOf([temporary]) };
    writeFileSync(join(temporary, buildStamp), JSON.stringify(stamp));
  };
  await keep(dist, fill, { scratch });
}

/** The programs of the package: their names and paths. @returns {[string, string][]} */
const programs = () => Object.entries(JSON.parse(readFileSync(join(root, "package.json"), "utf8")).bin ?? {});

/**
 * npm makes programs executable only when it installs them.
 * @param {string} directory the output of a build.
 */
function makeExecutable(directory) {
  for (const [, path] of programs()) chmodSync(join(directory, path.replace(/^dist\//, "")), 0o755);
}

/** The programs without a link in node_modules/.bin, by which the engine starts the plugin of this checkout. npm makes the links only if the build exists when it installs. */
const missingLinks = () => (windows ? [] : programs()).filter(([name]) => !existsSync(join(links, name)));
const links = join(root, "node_modules", ".bin");

function makeLinks() {
  mkdirSync(links, { recursive: true });
  for (const [name, path] of missingLinks()) {
    // A link to a file that is missing exists too.
    rmSync(join(links, name), { force: true });
    symlinkSync(join("..", "..", path), join(links, name));
  }
}

/** Compares the output too: a build by hand changes dist without a stamp, and may be incomplete. */
function buildMatches() {
  const stampFile = join(dist, buildStamp);
  if (!existsSync(stampFile)) return false;
  const stamp = JSON.parse(readFileSync(stampFile, "utf8"));
  return stamp.sources === hashOfSources() && stamp.output === hashOf([dist]);
}

function hashOfSources() {
  const names = ["src", "tsconfig.json", "tsconfig.build.json", "package.json", "package-lock.json"];
  return hashOf(names.map((name) => join(root, name)));
}

/** Hashes the names and contents of files, and of all files in directories. @param {string[]} paths */
function hashOf(paths) {
  const hash = createHash("sha256");
  /**
   * @param {string} path
   * @param {string} name relative to the start of the walk, so that a moved directory keeps its hash.
   */
  const add = (path, name) => {
    if (statSync(path).isDirectory()) {
      for (const entry of readdirSync(path).sort()) {
        if (entry !== buildStamp) add(join(path, entry), `${name}/${entry}`);
      }
      return;
    }
    const content = readFileSync(path);
    hash.update(`${name}\0${content.length}\0`).update(content);
  };
  for (const [index, path] of paths.entries()) add(path, String(index));
  return hash.digest("hex");
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  // tsc and npm have already printed their errors.
  log(error instanceof Error ? error.message : String(error));
  process.exitCode = error instanceof CommandError ? error.code : 1;
}
