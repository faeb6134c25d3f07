import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/** @import { File } from "./tar.mjs" */

const root = fileURLToPath(new URL("../..", import.meta.url));
const require = createRequire(import.meta.url);

const PROGRAM = "dist/bin/pulumi-resource-nodecloud.js";

/** The files that the plugin reads beside its code. */
const DATA = ["LICENSE", "package.json", "schema.json"];

/**
 * The files of the package and of its dependencies that the plugin can load, in the folder `lib`, as npm lays them out. The code is not bundled, so it is what
 * the tests test.
 * @returns {Promise<File[]>}
 */
export async function contentsOfPlugin() {
  const own = await loadedBy([PROGRAM]);
  const fromSdk = createRequire(require.resolve("@pulumi/pulumi/package.json"));
  const libraries = [...new Set(own.flatMap(loadedFromSdk))].map((name) => fromSdk.resolve(name));
  const code = await loadedBy([PROGRAM, ...libraries]);
  const packages = [...new Set(code.flatMap(packagesAround))];
  const paths = [...DATA, ...code, ...packages.flatMap(papersOf), "node_modules/@pulumi/pulumi/package.json"];
  return [...new Set(paths)].map((path) => ({ path: `lib/${path}`, bytes: readFileSync(join(root, path)) }));
}

/** The files that these programs load, at once or later, as paths from the root of this repository. @param {readonly string[]} entryPoints */
async function loadedBy(entryPoints) {
  const found = await Promise.all(
    CONDITIONS.map(async (conditions) => Object.keys(await inputsOf(entryPoints, conditions))),
  );
  return [...new Set(found.flat())].sort();
}

/** Which file of a package Node takes depends on its version. */
const CONDITIONS = [[], ["module-sync"]];

/** @param {readonly string[]} entryPoints @param {string[]} conditions */
async function inputsOf(entryPoints, conditions) {
  const { metafile } = await build({
    entryPoints: [...entryPoints],
    conditions,
    absWorkingDir: root,
    bundle: true,
    metafile: true,
    write: false,
    outdir: "out",
    platform: "node",
    format: "cjs",
    // The packages that the code looks for, and can do without, are warnings.
    logLevel: "error",
  });
  return metafile.inputs;
}

/** The libraries that a compiled file resolves from the SDK, which no tool can see. @param {string} file */
function loadedFromSdk(file) {
  if (file.startsWith("node_modules/")) return [];
  const text = readFileSync(join(root, file), "utf8");
  return [...text.matchAll(/\bfromSdk\)?\("([^"]+)"\)/g)].map(([, name = ""]) => name);
}

/** The folders with a `package.json` around a file of a package, which say how Node reads the file. @param {string} file */
function packagesAround(file) {
  const folders = [];
  for (let folder = dirname(file); folder.includes("node_modules/"); folder = dirname(folder)) {
    if (existsSync(join(root, folder, "package.json"))) folders.push(folder);
  }
  return folders;
}

/** The description and the licenses of a package. @param {string} folder */
const papersOf = (folder) =>
  readdirSync(join(root, folder))
    .filter((name) => name === "package.json" || /^(?:licen[cs]e|notice)(?:[.-]|$)/i.test(name))
    .map((name) => `${folder}/${name}`);
