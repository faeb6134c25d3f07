/** Builds the Go modules under tools/. */
import { step } from "../child.mjs";
import { findOnPath, windows } from "./find.mjs";

/**
 * The build needs no C compiler, and a go.work above this checkout must not change it. An older Go fetches the one that a module asks for.
 */
export const goSettings = {
  CGO_ENABLED: "0",
  GOWORK: "off",
  GOTOOLCHAIN: process.env["GOTOOLCHAIN"] ?? "auto",
};

/**
 * Runs Go in a folder.
 * @param {string} cwd
 * @param {string[]} args
 * @returns {Promise<string>} what it prints.
 */
export async function runGo(cwd, args) {
  const go = findOnPath(windows ? "go.exe" : "go");
  if (go === undefined) throw new Error("go not found");
  return step(go, args, {
    cwd,
    env: { ...process.env, ...goSettings },
    stdio: ["ignore", "pipe", "pipe"],
  });
}

/**
 * Builds a program of a module into a folder, which exists. The program does not depend on the state of the checkout, and recording it fails in
 * some checkouts.
 * @param {string} module the folder of the module.
 * @param {string} binDir
 * @param {{ what?: string; flags?: string }} [options] `what` is a package, by default the module's tools. `flags` are more flags of the linker.
 */
export const buildWithGo = (module, binDir, { what = "tool", flags = "" } = {}) =>
  runGo(module, [
    ...["build", "-mod=readonly", "-buildvcs=false", "-o", `${binDir}/`],
    ...["-ldflags", `-s -w ${flags}`.trimEnd(), what],
  ]);
