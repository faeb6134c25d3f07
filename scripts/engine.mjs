/**
 * Makes sure that a Pulumi engine is there. `node scripts/engine.mjs` prints the directory to put on PATH.
 *
 * PULUMI_NODECLOUD_ENGINE=path|download|build   allows one way only
 * PULUMI_NODECLOUD_RELEASES=URL                 where releases are downloaded from, for a mirror
 */
import { createHash } from "node:crypto";
import {
  accessSync,
  chmodSync,
  constants,
  copyFileSync,
  createWriteStream,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
} from "node:fs";
import { delimiter, dirname, join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { cacheDirectory, keep, withLock } from "./cache.mjs";
import { step } from "./child.mjs";
import { cleanEnvironment } from "./environment.cjs";

/** @typedef {import("./cache.mjs").Log} Log */
/** @typedef {"path" | "download" | "build"} Way */
/**
 * @typedef {object} Engine
 * @property {string | undefined} binDir What has to be put on PATH; nothing where the engine was found there.
 * @property {string} path The PATH to use.
 * @property {Record<string, string>} env What to set for commands that use the engine.
 * @property {string} version
 * @property {Way} how
 */

const windows = process.platform === "win32";
const platform = `${process.platform}-${process.arch}`;
const pulumi = windows ? "pulumi.exe" : "pulumi";
const launcher = `pulumi-resource-pulumi-nodejs${windows ? ".cmd" : ""}`;
const files = [pulumi, windows ? "pulumi-language-nodejs.exe" : "pulumi-language-nodejs", launcher];

/** The oldest engine that the peer dependency on the SDK allows. */
const oldest = "3.216.0";
const installPage = "https://www.pulumi.com/docs/install/";
const releases = "https://github.com/pulumi/pulumi/releases/download";
/** The platforms for which a release is packed as a tar file. */
const released = ["linux-x64", "linux-arm64", "darwin-x64", "darwin-arm64"];
const firstByteMs = 5_000;
const nextByteMs = 30_000;

const modules = {
  engine: fileURLToPath(new URL("../tools/pulumi/", import.meta.url)),
  languageHost: fileURLToPath(new URL("../tools/pulumi-language-nodejs/", import.meta.url)),
};

/** None of the ways led to an engine; the message says why and what to install. */
export class EngineError extends Error {
  /** @param {string} message */
  constructor(message) {
    super(message);
    this.name = "EngineError";
  }
}

/**
 * Finds the engine's three programs on PATH, else downloads the release, else builds them with Go. What was downloaded
 * or built is kept in the user's cache directory.
 * @param {{ log: Log }} options
 * @returns {Promise<Engine>}
 */
export async function ensureEngine({ log }) {
  const ways = allowedWays();
  /** @type {Map<Way, string>} */
  const failures = new Map();

  if (ways.includes("path")) {
    const found = await onPath();
    if ("version" in found) return found;
    failures.set("path", found.reason);
  }
  const pinned = pinnedVersions();
  const makers = ways.filter((way) => way !== "path");
  const findKept = () => {
    const way = makers.find((maker) => isComplete(binDirOf(directoryOf(maker, pinned))));
    return way && keptEngine(way, pinned);
  };
  const kept = findKept();
  if (kept !== undefined) return kept;
  if (makers.length === 0) throw new EngineError(explain(failures, pinned.go));

  const lock = join(cacheDirectory(), "engine.lock");
  return withLock(lock, { log, doing: "setting up the Pulumi engine" }, async () => {
    const keptMeanwhile = findKept();
    if (keptMeanwhile !== undefined) return keptMeanwhile;
    for (const way of makers) {
      const make = way === "download" ? download : build;
      try {
        await keep(directoryOf(way, pinned), async (directory) => {
          await make(directory, pinned, log);
          const binDir = binDirOf(directory);
          if (!isComplete(binDir)) throw new Error(`not all of ${files.join(", ")} are in it`);
          const version = await versionOf(join(binDir, pulumi));
          if (version !== pinned.engine) throw new Error(`it says that it is version ${version}`);
        });
        return keptEngine(way, pinned);
      } catch (error) {
        failures.set(way, reasonOf(error));
        if (way !== makers.at(-1)) log(`  did not work: ${reasonOf(error)}`);
      }
    }
    throw new EngineError(explain(failures, pinned.go));
  });
}

/** @returns {Way[]} */
function allowedWays() {
  /** @type {Way[]} */
  const all = ["path", "download", "build"];
  const forced = process.env["PULUMI_NODECLOUD_ENGINE"];
  if (forced === undefined || forced === "") return all;
  const allowed = all.filter((way) => way === forced);
  if (allowed.length === 0) {
    throw new EngineError(`PULUMI_NODECLOUD_ENGINE is "${forced}"; it can be ${all.join(", ")}, or unset.`);
  }
  return allowed;
}

/** @returns {Promise<Engine | { reason: string }>} */
async function onPath() {
  const missing = files.filter((file) => findOnPath(file) === undefined);
  const found = findOnPath(pulumi);
  if (missing.length > 0 || found === undefined) return { reason: `${missing.join(", ")} not found` };
  try {
    const version = await versionOf(found);
    if (isOlder(version, oldest)) return { reason: `${found} is version ${version}, older than ${oldest}` };
    const path = process.env["PATH"] ?? "";
    return { binDir: undefined, path, env: { PATH: path }, version, how: "path" };
  } catch (error) {
    return { reason: reasonOf(error) };
  }
}

/** @param {string} file */
function findOnPath(file) {
  return (process.env["PATH"] ?? "")
    .split(delimiter)
    .filter((directory) => directory !== "")
    .map((directory) => resolve(directory, file))
    .find((candidate) => {
      try {
        accessSync(candidate, constants.X_OK);
        return statSync(candidate).isFile();
      } catch {
        return false;
      }
    });
}

/** @param {string} binary */
async function versionOf(binary) {
  const printed = await step(binary, ["version"], {
    env: { ...cleanEnvironment(), PULUMI_SKIP_UPDATE_CHECK: "true" },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: 60_000,
  });
  const version = /^v?(\d+\.\d+\.\d+)/m.exec(printed)?.[1];
  if (version === undefined) throw new Error(`${binary} version says "${printed.trim()}"`);
  return version;
}

/**
 * @param {string} version
 * @param {string} than
 */
function isOlder(version, than) {
  return version.localeCompare(than, "en", { numeric: true }) < 0;
}

/** @typedef {ReturnType<typeof pinnedVersions>} Pinned */

/** The Go modules under tools/ are the one place that names versions; a download is of the same release. */
function pinnedVersions() {
  const engine = readFileSync(join(modules.engine, "go.mod"), "utf8");
  const languageHost = readFileSync(join(modules.languageHost, "go.mod"), "utf8");
  /**
   * @param {string} goMod
   * @param {RegExp} pattern
   */
  const only = (goMod, pattern) => {
    const version = pattern.exec(goMod)?.[1];
    if (version === undefined) throw new EngineError(`tools/*/go.mod has nothing like ${String(pattern)}.`);
    return version;
  };
  return {
    engine: only(engine, /github\.com\/pulumi\/pulumi\/pkg\/v3 v(\S+)/),
    languageHost: only(languageHost, /github\.com\/pulumi\/pulumi\/sdk\/v3 v(\S+)/),
    go: only(engine, /^go (\S+)/m),
  };
}

/**
 * @param {Way} way
 * @param {Pinned} pinned
 */
function directoryOf(way, { engine, languageHost }) {
  const version = way === "build" ? `${engine}-${languageHost}` : engine;
  return join(cacheDirectory(), `pulumi-${version}-${platform}-${way}`);
}

/**
 * The release's tar file has all its programs in this folder; a build follows it.
 * @param {string} directory
 */
function binDirOf(directory) {
  return join(directory, "pulumi");
}

/** @param {string} binDir */
function isComplete(binDir) {
  return files.every((file) => existsSync(join(binDir, file)));
}

/**
 * @param {Way} how
 * @param {Pinned} pinned
 * @returns {Engine}
 */
function keptEngine(how, pinned) {
  const binDir = binDirOf(directoryOf(how, pinned));
  const path = [binDir, process.env["PATH"]].filter(Boolean).join(delimiter);
  return { binDir, path, env: { PATH: path }, version: pinned.engine, how };
}

/**
 * @param {string} directory
 * @param {Pinned} pinned
 * @param {Log} log
 */
async function download(directory, { engine }, log) {
  if (!released.includes(platform)) throw new Error(`there is no release for ${platform}`);
  const base = `${process.env["PULUMI_NODECLOUD_RELEASES"] || releases}/v${engine}`;
  const name = `pulumi-v${engine}-${platform}.tar.gz`;
  const archive = join(directory, name);
  await withProgress(log, `Downloading the Pulumi engine v${engine} (once)`, async () => {
    // The short text first: where it cannot be had, the large file need not be asked for.
    const checksums = await text(fetchChunks(`${base}/pulumi-${engine}-checksums.txt`));
    const expected = checksums
      .split("\n")
      .map((line) => line.trim().split(/\s+\*?/))
      .find(([, file]) => file === name)?.[0];
    if (expected === undefined) throw new Error(`the published checksums have none for ${name}`);

    const hash = createHash("sha256");
    await pipeline(
      fetchChunks(`${base}/${name}`),
      async function* (chunks) {
        for await (const chunk of chunks) {
          hash.update(chunk);
          yield chunk;
        }
      },
      createWriteStream(archive),
    );
    const actual = hash.digest("hex");
    if (actual !== expected.toLowerCase()) {
      throw new Error(`the checksum of ${name} is ${actual}, but ${expected} is the published one`);
    }
  });
  await step("tar", ["-xzf", name, ...files.map((file) => `pulumi/${file}`)], {
    cwd: directory,
    stdio: ["ignore", "pipe", "pipe"],
  });
  rmSync(archive);
}

/**
 * What a URL answers, as long as it keeps answering.
 * @param {string} url
 * @returns {AsyncGenerator<Uint8Array, void>}
 */
async function* fetchChunks(url) {
  const controller = new AbortController();
  const giveUpAfter = (/** @type {number} */ ms) =>
    setTimeout(() => controller.abort(new Error(`no answer for ${ms / 1000} s`)), ms);
  let timer = giveUpAfter(firstByteMs);
  try {
    const reply = await fetch(url, { signal: controller.signal });
    if (!reply.ok || reply.body === null) throw new Error(`status ${reply.status}`);
    for await (const chunk of reply.body) {
      clearTimeout(timer);
      yield chunk;
      timer = giveUpAfter(nextByteMs);
    }
  } catch (error) {
    throw new Error(`${url}: ${reasonOf(error)}`, { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

/**
 * @param {string} directory
 * @param {Pinned} pinned
 * @param {Log} log
 */
async function build(directory, pinned, log) {
  const go = findOnPath(windows ? "go.exe" : "go");
  if (go === undefined) throw new Error("go not found");
  const binDir = binDirOf(directory);
  mkdirSync(binDir);
  /**
   * @param {string} cwd
   * @param {string[]} args
   */
  const runGo = (cwd, args) =>
    step(go, args, {
      cwd,
      // No C compiler is needed, and no go.work around this checkout matters.
      env: { ...process.env, CGO_ENABLED: "0", GOWORK: "off" },
      stdio: ["ignore", "pipe", "pipe"],
    });
  // Version control: the checkout's state says nothing about these programs, and stamping it fails in some checkouts.
  const flags = ["-mod=readonly", "-buildvcs=false", "-o", `${binDir}/`];
  const version = `github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=v${pinned.engine}`;

  await withProgress(log, `Building the Pulumi engine v${pinned.engine} with Go (once; takes minutes)`, () =>
    runGo(modules.engine, ["build", ...flags, "-ldflags", `-s -w -X ${version}`, "tool"]),
  );
  await withProgress(log, "Building its Node.js language host", () =>
    runGo(modules.languageHost, ["build", ...flags, "-ldflags", "-s -w", "tool"]),
  );
  const sdk = ["list", "-mod=readonly", "-m", "-f", "{{.Dir}}", "github.com/pulumi/pulumi/sdk/v3"];
  const source = (await runGo(modules.engine, sdk)).trim();
  copyFileSync(join(source, "nodejs", "dist", launcher), join(binDir, launcher));
  chmodSync(join(binDir, launcher), 0o755);
}

/**
 * @template T
 * @param {Log} log
 * @param {string} title
 * @param {() => Promise<T>} work
 */
async function withProgress(log, title, work) {
  const started = Date.now();
  const seconds = () => Math.round((Date.now() - started) / 1000);
  log(`${title} …`);
  const ticks = setInterval(() => log(`  … ${seconds()} s so far`), 15_000);
  try {
    const result = await work();
    log(`  done in ${seconds()} s`);
    return result;
  } finally {
    clearInterval(ticks);
  }
}

/**
 * @param {Map<Way, string>} failures
 * @param {string} go
 */
function explain(failures, go) {
  const titles = { path: "on PATH", download: "download", build: "build with Go" };
  const forced = process.env["PULUMI_NODECLOUD_ENGINE"];
  return [
    `No Pulumi engine could be had${forced ? ` (PULUMI_NODECLOUD_ENGINE=${forced} allows no other way)` : ""}:`,
    ...[...failures].map(([way, reason]) => `  ${titles[way]}: ${reason.replaceAll("\n", "\n    ")}`),
    `Install the Pulumi CLI ${oldest} or newer (${installPage}) or Go ${go} or newer (https://go.dev/dl/), and run this again.`,
  ].join("\n");
}

/**
 * @param {unknown} error
 * @returns {string}
 */
function reasonOf(error) {
  if (!(error instanceof Error)) return String(error);
  // fetch says only "fetch failed"; its cause knows more, sometimes by code alone.
  if (error.message === "fetch failed" && error.cause !== undefined) return reasonOf(error.cause);
  return error.message || ("code" in error ? String(error.code) : error.name);
}

const invoked = process.argv[1];
if (invoked !== undefined && realpathSync(invoked) === fileURLToPath(import.meta.url)) {
  try {
    const { binDir } = await ensureEngine({ log: (line) => console.error(line) });
    console.log(binDir ?? dirname(findOnPath(pulumi) ?? ""));
  } catch (error) {
    console.error(error instanceof EngineError ? error.message : error);
    process.exitCode = 1;
  }
}
