/** Builds the engine with Go from the modules under tools/. */
import { chmodSync, copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { launcher } from "./find.mjs";
import { buildWithGo, runGo } from "./go.mjs";
import { binFolder } from "./kept.mjs";
import { modules } from "./pinned.mjs";
import { withProgress } from "./progress.mjs";

/** @import { Log } from "../cache.mjs" */
/** @import { Pinned } from "./pinned.mjs" */

/** @param {string} directory @param {Pinned} pinned @param {Log} log */
export async function build(directory, pinned, log) {
  const binDir = join(directory, binFolder.build);
  mkdirSync(binDir);
  const version = `github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=v${pinned.engine}`;

  await withProgress(log, `Building the Pulumi engine v${pinned.engine} with Go (once; takes minutes)`, () =>
    buildWithGo(modules.engine, binDir, { flags: `-X ${version}` }),
  );
  await withProgress(log, "Building its Node.js language host", () =>
    buildWithGo(modules.languageHost, binDir),
  );
  copyFileSync(join(await sdkFolder(modules.engine), "nodejs", "dist", launcher), join(binDir, launcher));
  chmodSync(join(binDir, launcher), 0o755);
}

/** The folder of the SDKs that a module uses. @param {string} module */
export async function sdkFolder(module) {
  const sdk = ["list", "-mod=readonly", "-m", "-f", "{{.Dir}}", "github.com/pulumi/pulumi/sdk/v3"];
  return (await runGo(module, sdk)).trim();
}
