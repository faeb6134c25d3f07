/** Installs the release of the engine by the Automation API of Pulumi's SDK. */
import { fileURLToPath } from "node:url";
import { step } from "../child.mjs";
import { reasonOf } from "./error.mjs";
import { withProgress } from "./progress.mjs";

/** @import { Log } from "../cache.mjs" */
/** @import { Pinned } from "./pinned.mjs" */

const program = fileURLToPath(new URL("run-installer.mjs", import.meta.url));
/** The first file that the Automation API fetches. */
const site = "https://get.pulumi.com/install.sh";
/** The longest wait for the site on a machine that cannot reach it. */
const answerMs = 3_000;
/** A longer installation is stopped, because a build takes about half of this. */
const installMs = 300_000;

/** @param {string} directory @param {Pinned} pinned @param {Log} log */
export async function install(directory, { engine }, log) {
  await withProgress(log, `Installing the Pulumi engine v${engine} (once)`, async () => {
    await expectAnswer();
    await step(process.execPath, [program, directory, engine], {
      stdio: ["ignore", "pipe", "pipe"],
      timeout: installMs,
    });
  });
}

/** Fails within seconds if the site does not answer. The Automation API itself waits two minutes. */
async function expectAnswer() {
  try {
    await fetch(site, { method: "HEAD", signal: AbortSignal.timeout(answerMs) });
  } catch (error) {
    const isLate = error instanceof Error && error.name === "TimeoutError";
    const reason = isLate ? `no answer for ${answerMs / 1000} s` : reasonOf(error);
    throw new Error(`${site}: ${reason}`, { cause: error });
  }
}
