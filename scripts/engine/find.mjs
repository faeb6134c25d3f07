/** Finds the programs of the engine on PATH. */
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, resolve } from "node:path";
import { step } from "../child.mjs";
import { cleanEnvironment } from "../environment.cjs";
import { reasonOf } from "./error.mjs";

export const windows = process.platform === "win32";
export const pulumi = windows ? "pulumi.exe" : "pulumi";
/** Starts the plugin of dynamic resources. */
export const launcher = `pulumi-resource-pulumi-nodejs${windows ? ".cmd" : ""}`;
/** The programs that an engine needs to run programs of this package. */
export const programs = [pulumi, windows ? "pulumi-language-nodejs.exe" : "pulumi-language-nodejs", launcher];

/** The oldest engine that the peer dependency on the SDK allows. */
export const oldest = "3.216.0";

/** The version of the engine on PATH, or the reason why it is not usable. @returns {Promise<{ version: string } | { reason: string }>} */
export async function engineOnPath() {
  const missing = programs.filter((program) => findOnPath(program) === undefined);
  const found = findOnPath(pulumi);
  if (missing.length > 0 || found === undefined) return { reason: `${missing.join(", ")} not found` };
  try {
    const version = await versionOf(found);
    if (isOlder(version, oldest)) return { reason: `${found} is version ${version}, older than ${oldest}` };
    return { version };
  } catch (error) {
    return { reason: reasonOf(error) };
  }
}

/** @param {string} program @param {string} [path] */
export function findOnPath(program, path = process.env["PATH"]) {
  return (path ?? "")
    .split(delimiter)
    .filter((directory) => directory !== "")
    .map((directory) => resolve(directory, program))
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
export async function versionOf(binary) {
  const printed = await step(binary, ["version"], {
    env: { ...cleanEnvironment(), PULUMI_SKIP_UPDATE_CHECK: "true" },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: 60_000,
  });
  const version = /^v?(\d+\.\d+\.\d+)/m.exec(printed)?.[1];
  if (version === undefined) throw new Error(`${binary} version says "${printed.trim()}"`);
  return version;
}

/** @param {string} version @param {string} than */
function isOlder(version, than) {
  return version.localeCompare(than, "en", { numeric: true }) < 0;
}
