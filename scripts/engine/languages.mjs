/** The language hosts for Python and Go. Only programs in these languages need them. */
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { cacheDirectory, keep, withLock } from "../cache.mjs";
import { EngineError, reasonOf } from "./error.mjs";
import { findOnPath, windows } from "./find.mjs";
import { buildWithGo, runGo } from "./go.mjs";
import { withProgress } from "./progress.mjs";

/** @typedef {import("../cache.mjs").Log} Log */
/** @typedef {import("../engine.mjs").Engine} Engine */

const sdk = "github.com/pulumi/pulumi/sdk/v3";
/** The Python language host starts this program, which is a file of the same release. */
const pythonExec = "pulumi-language-python-exec";
const hosts = ["pulumi-language-python", "pulumi-language-go"];
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
 * The folder with the language hosts for Python and Go. A release of Pulumi contains them. Otherwise they are built with Go, and stored in the
 * user's cache directory.
 * @param {Engine} engine
 * @param {{ log: Log }} options
 * @returns {Promise<string>}
 */
export async function ensureLanguages(engine, { log }) {
  if (programs.every((program) => findOnPath(program, engine.path) !== undefined))
    return dirname(findOnPath(programs[0] ?? "", engine.path) ?? "");
  const name = ["pulumi-languages", ...hosts.map(versionOf), process.platform, process.arch].join("-");
  const folder = join(cacheDirectory(), name);
  const isThere = () => programs.every((program) => existsSync(join(folder, "bin", program)));
  if (!isThere()) {
    const doing = "building the language hosts";
    await withLock(`${folder}.lock`, { log, doing }, async () => {
      if (!isThere()) await build(folder, log);
    });
  }
  return join(folder, "bin");
}

/** @param {string} folder @param {Log} log */
async function build(folder, log) {
  try {
    await withProgress(log, "Building the language hosts for Python and Go (once)", () =>
      keep(folder, async (temporary) => {
        const bin = join(temporary, "bin");
        mkdirSync(bin);
        for (const host of hosts) await buildWithGo(moduleOf(host), bin);
        const list = ["list", "-mod=readonly", "-m", "-f", "{{.Dir}}", sdk];
        const source = (await runGo(moduleOf(hosts[0] ?? ""), list)).trim();
        copyFileSync(join(source, "python", "cmd", pythonExec), join(bin, pythonExec));
        chmodSync(join(bin, pythonExec), 0o755);
      }),
    );
  } catch (error) {
    throw new EngineError(
      `There are no language hosts for Python and Go: ${reasonOf(error)}\nInstall the Pulumi CLI (${site}) or Go (https://go.dev/dl/), and run this again.`,
    );
  }
}

/**
 * The engine with language hosts.
 * @param {Engine} engine
 * @param {string} folder
 * @returns {Engine}
 */
export function withLanguages(engine, folder) {
  const path = [folder, engine.path].filter(Boolean).join(delimiter);
  return { ...engine, path, env: { ...engine.env, PATH: path } };
}
