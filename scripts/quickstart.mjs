/**
 * Shows the package with the real engine and an emulator: preview, up, drift and its repair, destroy. `npm run quickstart`
 * runs it. The state, login and settings of the engine are in a temporary directory.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { EngineError, ensureEngine } from "./engine.mjs";
import { engineEnvironment } from "./environment.cjs";
import { tellHowToContinue, tellWhereNext } from "./quickstart/closing.mjs";
import { startEmulator, token } from "./quickstart/emulator.mjs";
import { reserveStack } from "./quickstart/stack.mjs";
import { QuickstartError, Stopped, watchSignals } from "./quickstart/stop.mjs";
import { bold, heading, say } from "./quickstart/terminal.mjs";
import { tour } from "./quickstart/tour.mjs";

/** @typedef {import("./engine.mjs").Engine} Engine */
/** @typedef {import("./quickstart/emulator.mjs").Emulator} Emulator */

const help = `Usage: npm run quickstart [-- --keep]

Starts an emulator of the API, and shows this package with the real Pulumi engine. It needs no account, and neither uses
nor changes your own Pulumi login and stacks.

  --keep   keeps the emulator and the stack at the end, and prints how to continue by hand
  --help   prints this text
`;

const passphrase = "quickstart";

function readArguments() {
  try {
    const options = {
      keep: { type: /** @type {const} */ ("boolean") },
      help: { type: /** @type {const} */ ("boolean") },
    };
    return parseArgs({ options }).values;
  } catch (error) {
    throw new QuickstartError(`${error instanceof Error ? error.message : error}\n\n${help}`.trimEnd());
  }
}

/**
 * @param {string} directory
 * @param {Engine} engine
 * @param {Emulator} emulator
 * @returns {Record<string, string>}
 */
const environmentIn = (directory, engine, emulator) => ({
  ...engineEnvironment({ home: join(directory, "home"), backend: join(directory, "state"), passphrase }),
  ...engine.env,
  // `npm test` checks the types of this program.
  PULUMI_NODEJS_TRANSPILE_ONLY: "true",
  NODECLOUD_TOKEN: token,
  NODECLOUD_BASE_URL: emulator.url,
});

/**
 * @param {Engine} engine
 * @param {boolean} keep
 */
async function show(engine, keep) {
  const started = Date.now();
  const directory = mkdtempSync(join(tmpdir(), "nodecloud-quickstart-"));
  const { name: stack, settings } = reserveStack();
  /** @type {Emulator | undefined} */
  let emulator;
  let done = false;
  try {
    heading("Start an emulator and create a stack");
    emulator = await startEmulator(directory);
    say(`The Pulumi engine ${engine.version} and an emulator of the API at ${emulator.url} are ready.`);
    say(`State and settings are in ${directory}. Your own login and stacks are not used.`);
    const environment = environmentIn(directory, engine, emulator);
    const setting = { environment, directory, stack, emulator, keep };
    await tour(setting);
    done = true;
    say(`\n${bold("Done")} in ${Math.round((Date.now() - started) / 1000)} s.`);
    if (keep) tellHowToContinue(setting, engine.binDir);
    else tellWhereNext();
  } finally {
    if (!keep || !done) {
      await emulator?.stop();
      rmSync(directory, { recursive: true, force: true });
      rmSync(settings, { force: true });
    }
    if (!done) say("\nThe emulator is stopped, and its data is deleted.");
  }
}

async function main() {
  const { keep = false, help: wantsHelp = false } = readArguments();
  if (wantsHelp) return say(help.trimEnd());
  const engine = await ensureEngine({ log: say });
  watchSignals();
  await show(engine, keep);
}

try {
  await main();
} catch (error) {
  const isExpected = [QuickstartError, Stopped, EngineError].some((type) => error instanceof type);
  console.error(isExpected ? `\n${/** @type {Error} */ (error).message}` : error);
  process.exitCode = error instanceof Stopped ? error.code : 1;
}
