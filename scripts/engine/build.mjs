/** Builds the engine with Go from the modules under tools/. */
import { chmodSync, copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { step } from "../child.mjs";
import { findOnPath, launcher, windows } from "./find.mjs";
import { binFolder } from "./kept.mjs";
import { modules } from "./pinned.mjs";
import { withProgress } from "./progress.mjs";

/** @typedef {import("../cache.mjs").Log} Log */
/** @typedef {import("./pinned.mjs").Pinned} Pinned */

/**
 * @param {string} directory
 * @param {Pinned} pinned
 * @param {Log} log
 */
export async function build(directory, pinned, log) {
  const go = findOnPath(windows ? "go.exe" : "go");
  if (go === undefined) throw new Error("go not found");
  const binDir = join(directory, binFolder.build);
  mkdirSync(binDir);
  /**
   * @param {string} cwd
   * @param {string[]} args
   */
  const runGo = (cwd, args) =>
    step(go, args, {
      cwd,
      // The build needs no C compiler, and a go.work above this checkout must not change it.
      env: { ...process.env, CGO_ENABLED: "0", GOWORK: "off" },
      stdio: ["ignore", "pipe", "pipe"],
    });
  // These programs do not depend on the state of the checkout, and recording it fails in some checkouts.
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
