/** Where engines are kept in the user's cache directory. */
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { cacheDirectory, keep } from "../cache.mjs";
import { programs, pulumi, versionOf } from "./find.mjs";

/** @typedef {"install" | "build"} Maker */
/** @typedef {import("./pinned.mjs").Pinned} Pinned */

/** The folder of the programs within the directory of an engine, as the installer of Pulumi and our build lay it out. */
export const binFolder = { install: "bin", build: "pulumi" };

/**
 * @param {Maker} maker
 * @param {Pinned} pinned
 */
function directoryOf(maker, { engine, languageHost }) {
  const version = maker === "build" ? `${engine}-${languageHost}` : engine;
  return join(cacheDirectory(), `pulumi-${version}-${process.platform}-${process.arch}-${maker}`);
}

/**
 * @param {Maker} maker
 * @param {Pinned} pinned
 */
const binDirOf = (maker, pinned) => join(directoryOf(maker, pinned), binFolder[maker]);

/** @param {string} binDir */
const isComplete = (binDir) => programs.every((program) => existsSync(join(binDir, program)));

/**
 * The first of these makers that has left an engine of the pinned version, with the engine's place.
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
 * Keeps what a maker makes, if it is complete and of the pinned version. To be called under a lock.
 * @param {Maker} maker
 * @param {Pinned} pinned
 * @param {(directory: string) => Promise<void>} make
 */
export function keepEngine(maker, pinned, make) {
  return keep(directoryOf(maker, pinned), async (directory) => {
    await make(directory);
    const binDir = join(directory, binFolder[maker]);
    if (!isComplete(binDir)) throw new Error(`not all of ${programs.join(", ")} are in it`);
    const version = await versionOf(join(binDir, pulumi));
    if (version !== pinned.engine) throw new Error(`it says that it is version ${version}`);
  });
}
