/** The last texts of the quickstart. */
import { dirname } from "node:path";
import { cacheDirectory } from "../cache.mjs";
import { root, windows } from "./places.mjs";
import { bold, say } from "./terminal.mjs";

const names = [
  "PULUMI_HOME",
  "PULUMI_BACKEND_URL",
  "PULUMI_CONFIG_PASSPHRASE",
  "PULUMI_SKIP_UPDATE_CHECK",
  "NODECLOUD_TOKEN",
  "NODECLOUD_BASE_URL",
];

/**
 * Prints how to continue with the emulator and the stack in a shell.
 * @param {import("./tour.mjs").Setting} setting
 * @param {string | undefined} binDir the engine's directory, if it is not on PATH.
 */
export function tellHowToContinue({ environment, directory, emulator }, binDir) {
  const lines = [windows ? `cd "${root}"` : `cd '${root}'`, ...settingLines(environment, binDir)];
  say(`\n${bold("Continue by hand")}`);
  say(`The emulator (process ${emulator.pid}) and the stack still exist. In a shell:\n`);
  for (const line of lines) say(`  ${line}`);
  say("\nThen edit examples/quickstart/index.ts, and try");
  say("  pulumi up                          or preview, refresh, stack output --show-secrets, …");
  say("\nAt the end:");
  say("  pulumi destroy --yes --remove");
  say(windows ? `  taskkill /F /PID ${emulator.pid}` : `  kill ${emulator.pid}`);
  say(windows ? `  Remove-Item -Recurse "${directory}"` : `  rm -r '${directory}'`);
}

/**
 * The commands that set the environment of a shell.
 * @param {Record<string, string>} environment
 * @param {string | undefined} binDir
 */
function settingLines(environment, binDir) {
  // If Node was fetched, only this process has it on its PATH.
  const ownNode = process.execPath.startsWith(cacheDirectory()) ? dirname(process.execPath) : undefined;
  const path = [binDir, ownNode].filter((entry) => entry !== undefined);
  const settings = names.map((name) => /** @type {const} */ ([name, environment[name] ?? ""]));
  return windows
    ? [
        ...path.map((entry) => `$env:PATH = "${entry};$env:PATH"`),
        ...settings.map(([name, value]) => `$env:${name} = "${value}"`),
      ]
    : [
        ...path.map((entry) => `export PATH='${entry}':"$PATH"`),
        ...settings.map(([name, value]) => `export ${name}='${value}'`),
      ];
}

export function tellWhereNext() {
  say(`\n${bold("Where to go next")}`);
  say("  examples/quickstart/index.ts   the program that ran");
  say("  npm run quickstart -- --keep   the same, but keeps the stack for your own tries");
  say("  README.md                      how to install the package in your project and connect an account");
  say(
    "  examples/ci/                   workflows for GitHub and GitLab: previews of pull requests, and a nightly drift check",
  );
}
