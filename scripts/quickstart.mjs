/**
 * Shows the package with the real engine and an emulator: preview, up, drift and its repair, destroy. `npm run quickstart`
 * runs it. The state, login and settings of the engine are in a temporary directory.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { EngineError } from "./engine.mjs";
import { engineEnvironment } from "./environment.cjs";
import { tellHowToContinue, tellWhereNext } from "./quickstart/closing.mjs";
import { startEmulator, token } from "./quickstart/emulator.mjs";
import { languageNamed } from "./quickstart/languages.mjs";
import { reserveStack } from "./quickstart/stack.mjs";
import { QuickstartError, Stopped, watchSignals } from "./quickstart/stop.mjs";
import { bold, heading, say } from "./quickstart/terminal.mjs";
import { tour } from "./quickstart/tour.mjs";

/** @import { Emulator } from "./quickstart/emulator.mjs" */
/** @import { Language, Tools } from "./quickstart/languages.mjs" */

const help = `Usage: npm run quickstart [-- --language python] [--keep]

Starts an emulator of the API, and shows this package with the real Pulumi engine. It needs no account, and neither uses
nor changes your own Pulumi login and stacks.

  --language LANGUAGE   typescript (default), typescript-plugin (the same program, served by the full plugin), python or go
  --keep                keeps the emulator and the stack at the end, and prints how to continue by hand
  --help                prints this text
`;

const passphrase = "quickstart";

function readArguments() {
  try {
    const options = {
      keep: { type: /** @type {const} */ ("boolean") },
      language: { type: /** @type {const} */ ("string"), default: "typescript" },
      help: { type: /** @type {const} */ ("boolean") },
    };
    return parseArgs({ options }).values;
  } catch (error) {
    throw new QuickstartError(`${error instanceof Error ? error.message : error}\n\n${help}`.trimEnd());
  }
}

/** @param {string} directory @param {Tools} tools @param {Emulator} emulator @returns {Record<string, string>} */
const environmentIn = (directory, tools, emulator) => ({
  ...engineEnvironment({ home: join(directory, "home"), backend: join(directory, "state"), passphrase }),
  ...tools.env,
  // `npm test` checks the types of this program.
  PULUMI_NODEJS_TRANSPILE_ONLY: "true",
  NODECLOUD_TOKEN: token,
  NODECLOUD_BASE_URL: emulator.url,
});

/** @param {Language} language @param {Tools} tools @param {boolean} keep */
async function show(language, tools, keep) {
  const started = Date.now();
  const directory = mkdtempSync(join(tmpdir(), "nodecloud-quickstart-"));
  const { name: stack, settings } = reserveStack(language.project);
  /** @type {Emulator | undefined} */
  let emulator;
  let done = false;
  try {
    heading("Start an emulator and create a stack");
    emulator = await startEmulator(directory);
    say(`The Pulumi engine ${tools.engine.version} and an emulator of the API at ${emulator.url} are ready.`);
    say(`State and settings are in ${directory}. Your own login and stacks are not used.`);
    const place = { project: language.project, environment: environmentIn(directory, tools, emulator) };
    const setting = { place, directory, stack, emulator, keep };
    await tour(setting);
    done = true;
    say(`\n${bold("Done")} in ${Math.round((Date.now() - started) / 1000)} s.`);
    if (keep) tellHowToContinue(setting, tools.folders, language.program);
    else tellWhereNext(language.program, language.options);
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
  const { keep = false, help: wantsHelp = false, language: name } = readArguments();
  if (wantsHelp) return say(help.trimEnd());
  const language = languageNamed(name);
  const tools = await language.prepare();
  watchSignals();
  await show(language, tools, keep);
}

try {
  await main();
} catch (error) {
  const isExpected = [QuickstartError, Stopped, EngineError].some((type) => error instanceof type);
  console.error(isExpected ? `\n${/** @type {Error} */ (error).message}` : error);
  process.exitCode = error instanceof Stopped ? error.code : 1;
}
