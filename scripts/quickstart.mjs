/**
 * Shows the package with the real engine and an emulator: preview, up, a change outside Pulumi that is found and repaired,
 * destroy. `npm run quickstart` runs it. The state, login and settings of the engine are in a temporary directory.
 */
import { spawn } from "node:child_process";
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { createClient } from "pulumi-nodecloud/api";
import { cacheDirectory } from "./cache.mjs";
import { run } from "./child.mjs";
import { EngineError, ensureEngine } from "./engine.mjs";
import { engineEnvironment, hermeticEnvironment } from "./environment.cjs";

/** @typedef {import("pulumi-nodecloud/api").Client} Client */
/** @typedef {Awaited<ReturnType<typeof startEmulator>>} Emulator */

const help = `Usage: npm run quickstart [-- --keep]

Starts an emulator of the API, and shows with the real Pulumi engine what this package does. It needs no account, and
neither uses nor changes your own Pulumi login and stacks.

  --keep   keeps the emulator and the stack at the end, and prints how to continue by hand
  --help   prints this text
`;

const root = fileURLToPath(new URL("..", import.meta.url)).replace(/[\\/]$/, "");
const program = join(root, "examples", "quickstart");
const windows = process.platform === "win32";
const token = "emulator-token";
const passphrase = "quickstart";
const elsewhere = "198.51.100.7";
/** @type {NodeJS.Signals[]} */
const stopSignals = ["SIGINT", "SIGTERM", "SIGHUP"];
const emulatorStartMs = 600_000;
const emulatorStopMs = 5_000;

/** A step failed. The message says which. */
class QuickstartError extends Error {}

/** The user stopped the quickstart. */
class Stopped extends Error {
  /** @param {NodeJS.Signals} signal */
  constructor(signal) {
    super(`Stopped by ${signal}`);
    this.code = 128 + constants.signals[signal];
  }
}

/** @type {NodeJS.Signals | undefined} */
let stoppedBy;

function throwIfStopped() {
  if (stoppedBy !== undefined) throw new Stopped(stoppedBy);
}

const hasColors = process.stdout.isTTY && process.stdout.hasColors();
/** @param {string} text */
const bold = (text) => (hasColors ? `\u001b[1m${text}\u001b[22m` : text);
/** @param {string} text */
const dim = (text) => (hasColors ? `\u001b[2m${text}\u001b[22m` : text);

/** @param {string} [text] */
const say = (text = "") => process.stdout.write(`${text}\n`);

let step = 0;
/** @param {string} title */
function heading(title) {
  const line = `${++step}. ${title}`;
  say(`\n${bold(line)}\n${dim("─".repeat(line.length))}`);
}

/** @param {string} text */
const look = (text) => say(`${bold("→")} ${text}`);

/**
 * Runs a command of the engine on this terminal.
 * @param {Record<string, string>} environment
 * @param {string} command such as `pulumi up --yes`.
 * @param {{ unshown?: string[] }} [options] `unshown` are flags that do not change the display.
 * @returns {Promise<number>} the exit code.
 */
async function pulumi(environment, command, { unshown = [] } = {}) {
  throwIfStopped();
  say(`$ ${bold(command)}\n`);
  const [name = "", ...args] = command.split(" ");
  const { code } = await run(name, [...args, ...unshown], { cwd: root, env: environment, stdio: "inherit" });
  throwIfStopped();
  return code;
}

/**
 * @param {Record<string, string>} environment
 * @param {string} command
 */
async function mustSucceed(environment, command) {
  const code = await pulumi(environment, command);
  if (code !== 0) throw new QuickstartError(`\`${command}\` failed with exit code ${code}.`);
}

/**
 * @param {string} log the engine's events, one per line.
 * @returns {Change[]} the changes that a preview proposes.
 */
function changesIn(log) {
  return readFileSync(log, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line).resOutputsEvent?.metadata)
    .filter((metadata) => metadata !== undefined && !["same", "refresh", "read"].includes(metadata.op))
    .map((metadata) => ({
      resource:
        String(metadata.urn).split("::").slice(2).join(" ").split("/").at(-1)?.split(":").at(-1) ?? "",
      op: metadata.op,
      inputs: changedKeys(metadata.old?.inputs ?? {}, metadata.new?.inputs ?? {}),
    }));
}
/** @typedef {{ resource: string; op: string; inputs: string[] }} Change `resource` is "DomainRecord www", for example. */

/**
 * @param {Record<string, unknown>} olds
 * @param {Record<string, unknown>} news
 */
function changedKeys(olds, news) {
  return [...new Set([...Object.keys(olds), ...Object.keys(news)])].filter(
    (key) => JSON.stringify(olds[key]) !== JSON.stringify(news[key]),
  );
}

/** The name of an unused stack. Existing settings may be those of a real account. */
function reserveStack() {
  for (let number = 1; ; number++) {
    const name = number === 1 ? "quickstart" : `quickstart-${number}`;
    const settings = join(program, `Pulumi.${name}.yaml`);
    try {
      writeFileSync(settings, "", { flag: "wx" });
      return { name, settings };
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    }
  }
}

/** @param {string} directory the directory of its log. */
async function startEmulator(directory) {
  const script = join(root, "dist", "bin", "nodecloud-emulator.js");
  const log = join(directory, "emulator.log");
  const output = openSync(log, "w");
  // Detached, so that a Ctrl-C reaches only the engine, which may still send requests.
  const options = {
    detached: true,
    env: hermeticEnvironment(join(directory, "home")),
    stdio: /** @type {["ignore", number, number]} */ (["ignore", output, output]),
  };
  const child = spawn(process.execPath, [script, "--port", "0"], options);
  closeSync(output);
  const ended = new Promise((resolve) => child.once("close", resolve));
  const { pid } = child;
  child.unref();

  const deadline = Date.now() + emulatorStartMs;
  for (;;) {
    const printed = readFileSync(log, "utf8");
    const url = /^nodecloud-emulator listening on (\S+)$/m.exec(printed)?.[1];
    if (url !== undefined && pid !== undefined) return { url, pid, stop };
    if (child.exitCode !== null || stoppedBy !== undefined || Date.now() > deadline) {
      await stop();
      throwIfStopped();
      throw new QuickstartError(`The emulator did not start:\n${printed.trim()}`);
    }
    await sleep(20);
  }

  async function stop() {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.ref();
    child.kill();
    const patience = setTimeout(() => child.kill("SIGKILL"), emulatorStopMs);
    await ended;
    clearTimeout(patience);
  }
}

/**
 * Changes the target of a DNS record through the API, outside Pulumi.
 * @param {Client} client
 */
async function changeFromOutside(client) {
  const { record, at } = await findRecord(client);
  say(`PUT /domains/${at.domainId}/records/${at.recordId} {"target": "${elsewhere}"}`);
  await client.records.update(at, { target: elsewhere });
  look(`The A record "${record.name}" pointed to ${record.target}, and now points to ${elsewhere}.`);
  return record.target;
}

/** @param {Client} client */
async function findRecord(client) {
  for await (const { id: domainId } of client.domains.list.all()) {
    for await (const record of client.records.list.all({ domainId })) {
      if (record.type === "A") return { record, at: { domainId, recordId: record.id } };
    }
  }
  throw new QuickstartError("The A record of the quickstart is missing.");
}

/**
 * @param {Client} client
 * @returns {Promise<number>} the number of the program's objects that remain in the account.
 */
async function countObjects({ nodes, domains, mysql, postgresql, images }) {
  const pages = await Promise.all([nodes.list(), domains.list(), mysql.list(), postgresql.list()]);
  const own = (await images.list()).data.filter((image) => !image.is_public);
  return pages.reduce((count, page) => count + page.results, own.length);
}

/**
 * @param {Record<string, string>} environment
 * @param {{ directory: string; stack: string; emulator: Emulator; keep: boolean }} setting
 */
async function tell(environment, { directory, stack, emulator, keep }) {
  const client = createClient({ token, baseUrl: emulator.url });
  await mustSucceed(environment, `pulumi stack init ${stack}`);

  heading("Preview the program");
  await mustSucceed(environment, "pulumi preview");
  look("Nothing is created yet. Values that the API will choose are [unknown].");

  heading("Create it");
  await mustSucceed(environment, "pulumi up --yes --skip-preview");
  look(
    "Each row showed what its resource waited for. The emulator's clock runs 600 times faster than real time.",
  );

  heading("The outputs of the program");
  await mustSucceed(environment, "pulumi stack output");
  look("The password is a secret. The state holds it encrypted, and only --show-secrets shows it.");

  heading("Change a record outside Pulumi");
  const wanted = await changeFromOutside(client);

  heading("Find the drift");
  await findDrift(environment, join(directory, "drift.events"));
  look("Only this record has changed, and the exit code makes a nightly job fail.");

  heading("Repair it");
  await mustSucceed(environment, "pulumi up --refresh --yes --skip-preview");
  const { target } = (await findRecord(client)).record;
  if (target !== wanted) {
    throw new QuickstartError(`The record should point to ${wanted} again, but points to ${target}.`);
  }
  look(`The record points to ${wanted} again.`);

  heading("Check that nothing is left to do");
  await mustSucceed(environment, "pulumi preview --expect-no-changes");
  look("The account matches the program.");
  if (keep) return;

  heading("Remove everything");
  await mustSucceed(environment, "pulumi destroy --yes --skip-preview --remove");
  const left = await countObjects(client);
  if (left > 0) throw new QuickstartError(`${left} objects are left in the account.`);
  look("The account is empty again.");
}

/**
 * @param {Record<string, string>} environment
 * @param {string} eventLog
 */
async function findDrift(environment, eventLog) {
  const command = "pulumi refresh --preview-only --expect-no-changes --diff";
  // The flag for the event log needs this variable. The display stays the same.
  const code = await pulumi({ ...environment, PULUMI_DEBUG_COMMANDS: "true" }, command, {
    unshown: ["--event-log", eventLog],
  });
  if (code === 0) throw new QuickstartError("The drift was not found: the command should have failed.");
  if (!existsSync(eventLog)) throw new QuickstartError(`\`${command}\` failed with exit code ${code}.`);
  const found = changesIn(eventLog).map(
    ({ op, resource, inputs }) => `${op} ${resource} ${inputs.join(", ")}`,
  );
  const expected = "update DomainRecord www target";
  if (found.join("; ") !== expected) {
    throw new QuickstartError(`The drift should be "${expected}", but was "${found.join("; ")}".`);
  }
}

/**
 * @param {Record<string, string>} environment
 * @param {{ directory: string; emulator: Emulator; binDir: string | undefined }} setting
 */
function tellHowToGoOn(environment, { directory, emulator, binDir }) {
  // If Node was fetched, only this process has it on its PATH.
  const ownNode = process.execPath.startsWith(cacheDirectory()) ? dirname(process.execPath) : undefined;
  const path = [binDir, ownNode].filter((entry) => entry !== undefined);
  const names = ["PULUMI_HOME", "PULUMI_BACKEND_URL", "PULUMI_CONFIG_PASSPHRASE", "PULUMI_SKIP_UPDATE_CHECK"];
  const settings = [...names, "NODECLOUD_TOKEN", "NODECLOUD_BASE_URL"].map(
    (name) => /** @type {const} */ ([name, environment[name] ?? ""]),
  );
  const lines = windows
    ? [
        ...path.map((entry) => `$env:PATH = "${entry};$env:PATH"`),
        ...settings.map(([name, value]) => `$env:${name} = "${value}"`),
      ]
    : [
        ...path.map((entry) => `export PATH='${entry}':"$PATH"`),
        ...settings.map(([name, value]) => `export ${name}='${value}'`),
      ];
  say(`\n${bold("Continue by hand")}`);
  say(`The emulator (process ${emulator.pid}) and the stack still exist. In a shell:\n`);
  for (const line of [windows ? `cd "${root}"` : `cd '${root}'`, ...lines]) say(`  ${line}`);
  say("\nThen edit examples/quickstart/index.ts, and try");
  say("  pulumi up                          or preview, refresh, stack output --show-secrets, …");
  say("\nAt the end:");
  say("  pulumi destroy --yes --remove");
  say(windows ? `  taskkill /F /PID ${emulator.pid}` : `  kill ${emulator.pid}`);
  say(windows ? `  Remove-Item -Recurse "${directory}"` : `  rm -r '${directory}'`);
}

function tellWhereNext() {
  say(`\n${bold("Where to go next")}`);
  say("  examples/quickstart/index.ts   the program that ran");
  say("  npm run quickstart -- --keep   the same, and keeps the stack to try things by hand");
  say("  README.md                      install it in your own project, connect an account");
  say("  examples/ci/                   a preview of each pull request, and a nightly check for drift");
}

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

async function main() {
  const { keep = false, help: wantsHelp = false } = readArguments();
  if (wantsHelp) return say(help.trimEnd());
  const engine = await ensureEngine({ log: say });

  for (const signal of stopSignals) process.on(signal, () => (stoppedBy ??= signal));
  const started = Date.now();
  const directory = mkdtempSync(join(tmpdir(), "nodecloud-quickstart-"));
  const { name: stack, settings } = reserveStack();
  /** @type {Emulator | undefined} */
  let emulator;
  let done = false;
  try {
    heading("Start an emulator and create a stack");
    emulator = await startEmulator(directory);
    /** @type {Record<string, string>} */
    const environment = {
      ...engineEnvironment({ home: join(directory, "home"), backend: join(directory, "state"), passphrase }),
      ...engine.env,
      // `npm test` checks the types of this program.
      PULUMI_NODEJS_TRANSPILE_ONLY: "true",
      NODECLOUD_TOKEN: token,
      NODECLOUD_BASE_URL: emulator.url,
    };
    say(`The Pulumi engine ${engine.version} and an emulator of the API at ${emulator.url} are ready.`);
    say(`State and settings are in ${directory}; your own login and stacks are not used.`);
    await tell(environment, { directory, stack, emulator, keep });
    done = true;
    say(`\n${bold("Done")}, in ${Math.round((Date.now() - started) / 1000)} s.`);
    if (keep) tellHowToGoOn(environment, { directory, emulator, binDir: engine.binDir });
    else tellWhereNext();
  } finally {
    if (!keep || !done) {
      await emulator?.stop();
      rmSync(directory, { recursive: true, force: true });
      rmSync(settings, { force: true });
    }
    if (!done) say("\nThe emulator is stopped, and its data is gone.");
  }
}

try {
  await main();
} catch (error) {
  const isExpected = [QuickstartError, Stopped, EngineError].some((type) => error instanceof type);
  console.error(isExpected ? `\n${/** @type {Error} */ (error).message}` : error);
  process.exitCode = error instanceof Stopped ? error.code : 1;
}
