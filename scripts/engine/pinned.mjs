/** The versions of the engine to install or build. Only the Go modules under tools/ name them. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { EngineError } from "./error.mjs";

/** The folders of the Go modules that the engine is built from. */
export const modules = {
  engine: fileURLToPath(new URL("../../tools/pulumi/", import.meta.url)),
  languageHost: fileURLToPath(new URL("../../tools/pulumi-language-nodejs/", import.meta.url)),
};

/** @typedef {ReturnType<typeof pinnedVersions>} Pinned */

export function pinnedVersions() {
  const engine = readFileSync(join(modules.engine, "go.mod"), "utf8");
  const languageHost = readFileSync(join(modules.languageHost, "go.mod"), "utf8");
  /** @param {string} goMod @param {RegExp} pattern */
  const only = (goMod, pattern) => {
    const version = pattern.exec(goMod)?.[1];
    if (version === undefined) throw new EngineError(`No tools/*/go.mod has a line like ${String(pattern)}.`);
    return version;
  };
  return {
    engine: only(engine, /github\.com\/pulumi\/pulumi\/pkg\/v3 v(\S+)/),
    languageHost: only(languageHost, /github\.com\/pulumi\/pulumi\/sdk\/v3 v(\S+)/),
    go: only(engine, /^go (\S+)/m),
  };
}
