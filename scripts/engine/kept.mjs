/** The engines in the user's cache directory. */
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { cacheDirectory, keep } from "../cache.mjs";
import { programs, pulumi, versionOf } from "./find.mjs";

/** @typedef {"install" | "build"} Maker */
/** @import { Pinned } from "./pinned.mjs" */

/** The folder of the programs within the directory of an engine, as the installer of Pulumi and our build lay it out. */
export const binFolder = { install: "bin", build: "pulumi" };

/** @param {Maker} maker @param {Pinned} pinned */
function directoryOf(maker, { engine, languageHost }) {
  const version = maker === "build" ? `${engine}-${languageHost}` : engine;
  return join(cacheDirectory(), `pulumi-${version}-${process.platform}-${process.arch}-${maker}`);
}

/** @param {Maker} maker @param {Pinned} pinned */
const binDirOf = (maker, pinned) => join(directoryOf(maker, pinned), binFolder[maker]);

/** @param {string} binDir */
const isComplete = (binDir) => programs.every((program) => existsSync(join(binDir, program)));

/**
 * The first of these makers with an engine of the pinned version, and the engine's place.
 * @param {readonly Maker[]} makers
 * @param {Pinned} pinned
 */
export function findKept(makers, pinned) {
  const how = makers.find((maker) => isComplete(binDirOf(maker, pinned)));
  if (how === undefined) return undefined;
  const binDir = binDirOf(how, pinned);
  const path = [binDir, process.env["PATH"]].filter(Boolean).join(delimiter);
  return { binDir, path, env: { PATH: path }, version: pinned.engine, how };
}

/**
 * Stores a new engine if it is complete and has the pinned version. Call it under a lock.
 * @param {Maker} maker
 * @param {Pinned} pinned
 * @param {(directory: string) => Promise<void>} make
 */
export function keepEngine(maker, pinned, make) {
  return keep(directoryOf(maker, pinned), async (directory) => {
    await make(directory);
    const binDir = join(directory, binFolder[maker]);
    if (!isComplete(binDir)) throw new Error(`it does not contain all of ${programs.join(", ")}`);
    const version = await versionOf(join(binDir, pulumi));
    if (version !== pinned.engine) throw new Error(`its version is ${version}`);
  });
}
