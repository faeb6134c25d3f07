/** The last texts of the quickstart. */
import { dirname } from "node:path";
import { cacheDirectory } from "../cache.mjs";
import { windows } from "./places.mjs";
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
 * @param {readonly string[]} folders the folders of programs that are not on PATH.
 * @param {string} program its file.
 */
export function tellHowToContinue({ place, directory, emulator }, folders, program) {
  const { project, environment } = place;
  const lines = [windows ? `cd "${project}"` : `cd '${project}'`, ...settingLines(environment, folders)];
  say(`\n${bold("Continue by hand")}`);
  say(`The emulator (process ${emulator.pid}) and the stack still exist. In a shell:\n`);
  for (const line of lines) say(`  ${line}`);
  say(`\nThen edit ${program}, and try`);
  say("  pulumi up                          or preview, refresh, stack output --show-secrets, …");
  say("\nAt the end:");
  say("  pulumi destroy --yes --remove");
  say(windows ? `  taskkill /F /PID ${emulator.pid}` : `  kill ${emulator.pid}`);
  say(windows ? `  Remove-Item -Recurse "${directory}"` : `  rm -r '${directory}'`);
}

/** The commands that set the environment of a shell. @param {Record<string, string>} environment @param {readonly string[]} folders */
function settingLines(environment, folders) {
  // If Node was fetched, only this process has it on its PATH.
  const ownNode = process.execPath.startsWith(cacheDirectory()) ? dirname(process.execPath) : undefined;
  const path = [...folders, ownNode].filter((entry) => entry !== undefined);
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

/** @param {string} program its file. @param {string} options those that the quickstart was started with, each with a space after it. */
export function tellWhereNext(program, options) {
  const rows = [
    [program, "the program that ran"],
    [`npm run quickstart -- ${options}--keep`, "the same, but keeps the stack for your own tries"],
    ["README.md", "how to install the package in your project, and what to read next"],
    ["docs/languages.md", "programs in TypeScript, Python, Go and other languages"],
    ["examples/ci/", "workflows for GitHub and GitLab: previews of pull requests, and a nightly drift check"],
  ];
  const width = Math.max(...rows.map(([first = ""]) => first.length)) + 3;
  say(`\n${bold("Where to go next")}`);
  for (const [first = "", second] of rows) say(`  ${first.padEnd(width)}${second}`);
}
