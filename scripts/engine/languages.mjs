/** The language hosts for Python and Go. Only programs in these languages need them. */
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { cacheDirectory, withLock } from "../cache.mjs";
import { sdkFolder } from "./build.mjs";
import { EngineError, reasonOf } from "./error.mjs";
import { findOnPath, pulumi, windows } from "./find.mjs";
import { buildWithGo } from "./go.mjs";
import { findKept } from "./kept.mjs";
import { pinnedVersions } from "./pinned.mjs";
import { withProgress } from "./progress.mjs";

/** @import { Log } from "../cache.mjs" */
/** @import { Engine } from "../engine.mjs" */

const sdk = "github.com/pulumi/pulumi/sdk/v3";
/** The Python language host starts this program, which is a file of the same release. */
const pythonExec = "pulumi-language-python-exec";
const python = "pulumi-language-python";
const hosts = [python, "pulumi-language-go"];
const programs = [...hosts.map((host) => (windows ? `${host}.exe` : host)), pythonExec];
const site = "https://www.pulumi.com/docs/install/";

/** @param {string} host */
const moduleOf = (host) => fileURLToPath(new URL(`../../tools/${host}/`, import.meta.url));

/** @param {string} host */
function versionOf(host) {
  const goMod = readFileSync(join(moduleOf(host), "go.mod"), "utf8");
  return new RegExp(`${sdk.replaceAll(".", "\\.")} v(\\S+)`).exec(goMod)?.[1] ?? "";
}

/**
 * The folder with the language hosts for Python and Go. A release of Pulumi contains them. Otherwise they are built with Go, once, and stored in
 * the user's cache directory: beside an engine that was built there, because the engine warns of hosts in other folders.
 * @param {Engine} engine
 * @param {{ log: Log }} options
 * @returns {Promise<string>}
 */
export async function ensureLanguages(engine, { log }) {
  const beside = dirname(findOnPath(pulumi, engine.path) ?? "");
  const isBuilt = findKept(["build"], pinnedVersions())?.binDir === beside;
  if (!isBuilt && programs.every((program) => findOnPath(program, engine.path) !== undefined)) return beside;
  const own = join(cacheDirectory(), `pulumi-languages-${process.platform}-${process.arch}`, "bin");
  const folder = isBuilt ? beside : own;
  const stamp = join(dirname(folder), ["languages", ...hosts.map(versionOf)].join("-"));
  if (!existsSync(stamp)) {
    const lock = join(cacheDirectory(), "languages.lock");
    await withLock(lock, { log, doing: "building the language hosts" }, async () => {
      if (!existsSync(stamp)) await build(folder, log);
      writeFileSync(stamp, "");
    });
  }
  return folder;
}

/** @param {string} folder @param {Log} log */
async function build(folder, log) {
  mkdirSync(folder, { recursive: true });
  const temporary = mkdtempSync(join(dirname(folder), "languages-"));
  try {
    await withProgress(log, "Building the language hosts for Python and Go (once)", async () => {
      for (const host of hosts) await buildWithGo(moduleOf(host), temporary);
      const source = await sdkFolder(moduleOf(python));
      copyFileSync(join(source, "python", "cmd", pythonExec), join(temporary, pythonExec));
      chmodSync(join(temporary, pythonExec), 0o755);
    });
    for (const program of programs) renameSync(join(temporary, program), join(folder, program));
  } catch (error) {
    throw new EngineError(
      `There are no language hosts for Python and Go: ${reasonOf(error)}\nInstall the Pulumi CLI (${site}) or Go (https://go.dev/dl/), and run this again.`,
      { cause: error },
    );
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

/** The engine with language hosts. @param {Engine} engine @param {string} folder @returns {Engine} */
export function withLanguages(engine, folder) {
  const folders = engine.path.split(delimiter).filter((other) => other !== folder);
  const path = [folder, ...folders].join(delimiter);
  return { ...engine, path, env: { ...engine.env, PATH: path } };
}
