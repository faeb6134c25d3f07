/**
 * Finds, installs or builds the Pulumi engine. `node scripts/engine.mjs` prints the directory to put on PATH. With --languages it prints the
 * directories for programs in Python and Go too, in the form of PATH.
 *
 * PULUMI_NODECLOUD_ENGINE=path|install|build   allows only one way
 */
import { realpathSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { cacheDirectory, withLock } from "./cache.mjs";
import { build } from "./engine/build.mjs";
import { EngineError, reasonOf } from "./engine/error.mjs";
import { engineOnPath, findOnPath, oldest, pulumi } from "./engine/find.mjs";
import { install } from "./engine/install.mjs";
import { findKept, keepEngine } from "./engine/kept.mjs";
import { ensureLanguages, withLanguages } from "./engine/languages.mjs";
import { pinnedVersions } from "./engine/pinned.mjs";

export { EngineError };

/** @import { Log } from "./cache.mjs" */
/** @import { Maker } from "./engine/kept.mjs" */
/** @typedef {"path" | Maker} Way */
/**
 * @typedef {object} Engine
 * @property {string | undefined} binDir The directory to put on PATH. Undefined if the engine was found on PATH.
 * @property {string} path The PATH to use.
 * @property {Record<string, string>} env The variables to set for commands that use the engine.
 * @property {string} version
 * @property {Way} how
 */

const installPage = "https://www.pulumi.com/docs/install/";
/** @type {Record<Way, string>} */
const titles = { path: "on PATH", install: "install", build: "build with Go" };
const makes = { install, build };

/**
 * Finds the engine's three programs on PATH, else in the user's cache directory. Else it installs the pinned release there,
 * or builds it with Go.
 * @param {{ log: Log }} options
 * @returns {Promise<Engine>}
 */
export async function ensureEngine({ log }) {
  const ways = allowedWays();
  /** @type {Map<Way, string>} */
  const failures = new Map();
  if (ways.includes("path")) {
    const found = await engineOnPath();
    if ("version" in found) return onPath(found.version);
    failures.set("path", found.reason);
  }
  const pinned = pinnedVersions();
  const makers = ways.filter((way) => way !== "path");
  const kept = findKept(makers, pinned);
  if (kept !== undefined) return kept;

  const lock = join(cacheDirectory(), "engine.lock");
  const make = () => makeEngine(makers, pinned, failures, log);
  const made =
    makers.length === 0
      ? undefined
      : await withLock(lock, { log, doing: "setting up the Pulumi engine" }, make);
  if (made === undefined) throw new EngineError(explain(failures, pinned.go));
  return made;
}

/** An engine that also runs programs in Python and Go. @param {{ log: Log }} options @returns {Promise<Engine>} */
export async function ensureEngineForAllLanguages(options) {
  const engine = await ensureEngine(options);
  return withLanguages(engine, await ensureLanguages(engine, options));
}

/** @returns {Way[]} */
function allowedWays() {
  const all = /** @type {Way[]} */ (Object.keys(titles));
  const forced = process.env["PULUMI_NODECLOUD_ENGINE"];
  if (forced === undefined || forced === "") return all;
  const allowed = all.filter((way) => way === forced);
  if (allowed.length === 0) {
    throw new EngineError(`PULUMI_NODECLOUD_ENGINE is "${forced}"; it can be ${all.join(", ")}, or unset.`);
  }
  return allowed;
}

/** @param {string} version @returns {Engine} */
function onPath(version) {
  const path = process.env["PATH"] ?? "";
  return { binDir: undefined, path, env: { PATH: path }, version, how: "path" };
}

/**
 * Makes an engine in the first way that works, unless another run has made one in the meantime.
 * @param {readonly Maker[]} makers
 * @param {import("./engine/pinned.mjs").Pinned} pinned
 * @param {Map<Way, string>} failures receives the reason of each way that fails.
 * @param {Log} log
 */
async function makeEngine(makers, pinned, failures, log) {
  const keptMeanwhile = findKept(makers, pinned);
  if (keptMeanwhile !== undefined) return keptMeanwhile;
  for (const maker of makers) {
    try {
      await keepEngine(maker, pinned, (directory) => makes[maker](directory, pinned, log));
      return findKept([maker], pinned);
    } catch (error) {
      failures.set(maker, reasonOf(error));
      if (maker !== makers.at(-1)) log(`  failed: ${reasonOf(error)}`);
    }
  }
  return undefined;
}

/** @param {Map<Way, string>} failures @param {string} go */
function explain(failures, go) {
  const forced = process.env["PULUMI_NODECLOUD_ENGINE"];
  return [
    `There is no Pulumi engine${forced ? ` (PULUMI_NODECLOUD_ENGINE=${forced} allows no other way)` : ""}:`,
    ...[...failures].map(([way, reason]) => `  ${titles[way]}: ${reason.replaceAll("\n", "\n    ")}`),
    `Install the Pulumi CLI ${oldest} or newer (${installPage}) or Go ${go} or newer (https://go.dev/dl/), and run this again.`,
  ].join("\n");
}

const invoked = process.argv[1];
if (invoked !== undefined && realpathSync(invoked) === fileURLToPath(import.meta.url)) {
  try {
    const { values } = parseArgs({ options: { languages: { type: "boolean", default: false } } });
    const options = { log: (/** @type {string} */ line) => console.error(line) };
    const engine = await ensureEngine(options);
    const directory = engine.binDir ?? dirname(findOnPath(pulumi) ?? "");
    const others = values.languages ? [await ensureLanguages(engine, options)] : [];
    console.log([...new Set([directory, ...others])].join(delimiter));
  } catch (error) {
    console.error(error instanceof EngineError ? error.message : error);
    process.exitCode = 1;
  }
}
