import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { npmCommand, step } from "../child.mjs";
import { pythonWith } from "./python.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Loads both entries, and fails unless the commands are there. */
const PROGRAM = `
const { Node } = require("pulumi-nodecloud");
const plugin = require("pulumi-nodecloud/plugin");
if (typeof Node !== "function" || typeof plugin.Node !== "function") throw new Error("a class is missing");`;

const GO_MODULE = "github.com/pulumi-nodecloud/pulumi-nodecloud/sdks/go/nodecloud";

/** @typedef {{ npm: string; wheel: string; sdist: string; plugin: string; version: string }} Artefacts paths of files */
/** @typedef {(folder: string, artefacts: Artefacts) => Promise<void>} Install */

/** @param {string} name @param {string[]} args @param {string} folder @param {NodeJS.ProcessEnv} [more] */
const inFolder = (name, args, folder, more = {}) =>
  step(name, args, { cwd: folder, stdio: "pipe", env: { ...process.env, ...more } });

/** @param {string[]} args @param {string} folder */
const npm = async (args, folder) => {
  const { command, args: all, shell } = npmCommand(args);
  await step(command, all, { cwd: folder, stdio: "pipe", shell });
};

/** @param {string} folder */
async function expectLoads(folder) {
  await inFolder(process.execPath, ["-e", PROGRAM], folder);
  await inFolder(
    process.execPath,
    ["node_modules/pulumi-nodecloud/dist/bin/nodecloud.js", "--version"],
    folder,
  );
}

/** Node's other package managers come from the registry, in versions that are tried. @param {readonly string[]} command @returns {Install} */
const addedBy = (command) => async (folder, artefacts) => {
  writeFileSync(join(folder, "package.json"), '{ "name": "program", "private": true }');
  await npm([...command, artefacts.npm, "@pulumi/pulumi"], folder);
  await expectLoads(folder);
};

/** @param {"wheel" | "sdist"} which @returns {Install} */
const pip = (which) => async (folder, artefacts) => {
  const python = await pythonWith(join(folder, "venv"), [artefacts[which]]);
  await inFolder(python, ["-c", "import pulumi_nodecloud; pulumi_nodecloud.Node"], folder);
  const found = await inFolder(python, ["-m", "pip", "show", "--files", "pulumi_nodecloud"], folder);
  if (!/licenses\/LICENSE/.test(found)) throw new Error(`the ${which} has no license`);
};

/** The quickstart in Go, with the module as a user gets it. @type {Install} */
async function go(folder) {
  cpSync(join(root, "sdks/go/nodecloud"), join(folder, "module"), { recursive: true });
  for (const name of ["main.go", "go.mod", "go.sum"])
    cpSync(join(root, "examples/go", name), join(folder, name));
  await inFolder("go", ["mod", "edit", `-replace=${GO_MODULE}=./module`], folder);
  await inFolder("go", ["vet", "."], folder, { GOFLAGS: "-mod=mod" });
}

/** @param {string} pulumi @returns {Install} */
const engine =
  (pulumi) =>
  async (folder, { plugin, version }) => {
    const home = join(folder, "home");
    const env = {
      PULUMI_HOME: home,
      PULUMI_SKIP_UPDATE_CHECK: "true",
      PULUMI_IGNORE_AMBIENT_PLUGINS: "true",
    };
    await inFolder(
      pulumi,
      ["plugin", "install", "resource", "nodecloud", version, "--file", plugin],
      folder,
      env,
    );
    const installed = join(home, `plugins/resource-nodecloud-v${version}`);
    // The archive brings its own Node.
    const path = process.env["PATH"]?.split(delimiter).filter((one) => one !== dirname(process.execPath));
    const text = await inFolder(
      pulumi,
      ["package", "get-schema", join(installed, "pulumi-resource-nodecloud")],
      folder,
      {
        ...env,
        PATH: path?.join(delimiter),
      },
    );
    if (JSON.parse(text.slice(text.indexOf("{"))).version !== version)
      throw new Error("the plugin has another version");
  };

/**
 * Installs each artefact in an empty folder and uses it.
 * @param {Artefacts} artefacts @param {{ pulumi: string; say: (line: string) => void }} options
 */
export async function tryInstalls(artefacts, { pulumi, say }) {
  /** @type {Record<string, Install>} */
  const installs = {
    "npm install": addedBy(["install", "--no-audit", "--no-fund"]),
    "pnpm add": addedBy(["exec", "--yes", "--", "pnpm@10", "add"]),
    "yarn add": addedBy(["exec", "--yes", "--", "yarn@1", "add", "--silent"]),
    "pip install (wheel)": pip("wheel"),
    "pip install (sdist)": pip("sdist"),
    "go vet": go,
    "pulumi plugin install": engine(pulumi),
  };
  for (const [name, install] of Object.entries(installs)) {
    const folder = mkdtempSync(join(tmpdir(), "nodecloud-install-"));
    try {
      await install(folder, artefacts);
      say(`  ${name}: it loads`);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
}
