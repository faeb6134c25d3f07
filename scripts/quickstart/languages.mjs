/** The languages of the quickstart: where their programs are, and what they need. */
import { appendFileSync, cpSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { step } from "../child.mjs";
import { ensureEngine, ensureEngineForAllLanguages } from "../engine.mjs";
import { findOnPath } from "../engine/find.mjs";
import { goSettings, runGo } from "../engine/go.mjs";
import { withProgress } from "../engine/progress.mjs";
import { exampleFolder, root, windows } from "./places.mjs";
import { QuickstartError } from "./stop.mjs";
import { say } from "./terminal.mjs";

/** @import { Engine } from "../engine.mjs" */
/**
 * @typedef {object} Tools
 * @property {Engine} engine
 * @property {Record<string, string>} env The variables to set for commands that use them, with PATH.
 * @property {string[]} folders What PATH has beside that of the user.
 */
/**
 * @typedef {object} Language
 * @property {string} project The folder of Pulumi.yaml and the settings of stacks.
 * @property {string} program Its file, from the root of the checkout.
 * @property {string} options What selects the language on the command line, with a space after it.
 * @property {() => Promise<Tools>} prepare
 */

const log = { log: say };
const goModule = "github.com/pulumi-nodecloud/pulumi-nodecloud/sdks/go/nodecloud";

/** The plugin of this checkout in `Pulumi.yaml`. JSON is YAML. */
const plugins = { providers: [{ name: "nodecloud", path: join(root, "node_modules", ".bin") }] };

/** @type {Record<string, Language>} */
const languages = {
  typescript: {
    project: exampleFolder("quickstart"),
    program: "examples/quickstart/index.ts",
    options: "",
    prepare: async () => toolsOf(await ensureEngine(log), []),
  },
  "typescript-plugin": {
    ...inCopy("plugin", "index.ts"),
    options: "--language typescript-plugin ",
    prepare: async () => {
      moveQuickstart();
      return toolsOf(await ensureEngine(log), []);
    },
  },
  python: {
    ...inCopy("python", "__main__.py"),
    prepare: async () => {
      const engine = await ensureEngineForAllLanguages(log);
      return toolsOf(engine, [await preparePython(copyExample("python"))]);
    },
  },
  go: {
    ...inCopy("go", "main.go"),
    prepare: async () => {
      const engine = await ensureEngineForAllLanguages(log);
      const folder = copyExample("go");
      const sdk = join(root, "sdks", "go", "nodecloud").replaceAll("\\", "/");
      appendFileSync(join(folder, "go.mod"), `\nreplace ${goModule} => ${JSON.stringify(sdk)}\n`);
      return toolsOf(engine, [], await prepareGo(folder));
    },
  },
};

/** Gives the TypeScript program the two lines of docs/moving.md. */
function moveQuickstart() {
  const file = join(copyExample("quickstart", copyOf("plugin")), "index.ts");
  const moved = readFileSync(file, "utf8").replace(
    'from "pulumi-nodecloud"',
    'from "pulumi-nodecloud/plugin"',
  );
  writeFileSync(file, moved);
}

/** @param {string} name */
function copyOf(name) {
  return join(root, ".cache", `quickstart-${name}`);
}

/** @param {string} name @param {string} file */
function inCopy(name, file) {
  const [project, program] = [copyOf(name), `.cache/quickstart-${name}/${file}`];
  return { project, program, options: `--language ${name} ` };
}

/** Copies an example, and leads it to the plugin of this checkout. What the last run has installed stays. @param {string} name */
function copyExample(name, folder = copyOf(name)) {
  cpSync(exampleFolder(name), folder, { recursive: true });
  appendFileSync(join(folder, "Pulumi.yaml"), `plugins: ${JSON.stringify(plugins)}\n`);
  return folder;
}

/** @param {string} name @returns {Language} */
export function languageNamed(name) {
  const language = Object.hasOwn(languages, name) ? languages[name] : undefined;
  if (language === undefined)
    throw new QuickstartError(`--language is "${name}"; it can be ${Object.keys(languages).join(", ")}.`);
  return language;
}

/**
 * @param {Engine} engine @param {string[]} before folders to look for programs in first. @param {Record<string, string>} [more]
 * @returns {Tools}
 */
function toolsOf(engine, before, more = {}) {
  const PATH = [...before, engine.path].join(delimiter);
  const known = (process.env["PATH"] ?? "").split(delimiter);
  const folders = PATH.split(delimiter).filter((folder) => !known.includes(folder));
  return { engine, env: { ...engine.env, ...more, PATH }, folders };
}

/**
 * Makes the virtual environment of a Python program, and installs its requirements.
 * @param {string} folder
 * @returns {Promise<string>} the folder of the environment's programs.
 */
export async function preparePython(folder) {
  const venv = join(folder, "venv");
  const bin = join(venv, windows ? "Scripts" : "bin");
  const python = join(bin, windows ? "python.exe" : "python");
  const own = ["python3", "python"].find((name) => findOnPath(windows ? `${name}.exe` : name) !== undefined);
  if (own === undefined)
    throw new QuickstartError("python3 not found. Install Python 3.9 or newer (https://www.python.org/).");
  const quiet = {
    cwd: folder,
    stdio: /** @type {import("node:child_process").StdioOptions} */ (["ignore", "pipe", "pipe"]),
  };
  const sdk = join(root, "sdks", "python");
  // An old build would keep modules that are no longer generated.
  rmSync(join(sdk, "build"), { recursive: true, force: true });
  await withProgress(
    say,
    "Installing the packages of requirements.txt in a virtual environment",
    async () => {
      if (!existsSync(python)) await step(own, ["-m", "venv", venv], quiet);
      const install = ["install", "--quiet", "--disable-pip-version-check", sdk, "-r", "requirements.txt"];
      await step(python, ["-m", "pip", ...install], quiet);
    },
  );
  return bin;
}

/**
 * Compiles a Go program once, so that its packages are in Go's cache.
 * @param {string} folder
 * @returns {Promise<Record<string, string>>} the variables that lead Go to its settings and caches, which another home would hide.
 */
export async function prepareGo(folder) {
  await withProgress(say, "Compiling the Go program (the first time takes about a minute)", () =>
    runGo(folder, ["vet", "-mod=readonly", "./..."]),
  );
  const places = ["GOENV", "GOPATH", "GOMODCACHE", "GOCACHE"];
  return { ...JSON.parse(await runGo(folder, ["env", "-json", ...places])), ...goSettings };
}
