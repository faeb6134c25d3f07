import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, join, relative, resolve } from "node:path";
import { promisify } from "node:util";
import { homeIn } from "../../provider/process/pulumi-home";
import { PLUGIN_TYPE_PREFIX } from "../../provider/describe/type-token";
import { isObject, type Properties } from "../../provider/state/values";
import { type Context } from "../context";
import { lineOf } from "../errors";
import { compilerOf } from "../program/compiler";
import { PACKAGE, PLUGIN_ENTRY, programFiles } from "../program/program-files";
import { settingsIn } from "../stacks/projects";
import { packageVersion } from "../../provider/process/package-version";
import { type Check } from "./check";

const NAME = "nodecloud";
const EXECUTABLE = `pulumi-resource-${NAME}`;
const EXTENSIONS = process.platform === "win32" ? [".exe", ".cmd"] : [""];
const PATIENCE_MS = 30_000;
const NPM_FOLDER = /[\\/]node_modules[\\/]\.bin[\\/]?$/;

/** Where the engine finds the plugin: by the path of the project, on the PATH, or among the installed plugins. */
interface Found {
  readonly file: string;
  readonly by: string;
}

const check = (status: Check["status"], finding: string, advice?: string): Check => ({
  ...{ name: "plugin", status, finding },
  ...(advice === undefined ? {} : { advice }),
});

/** Checks that the engine finds the full plugin in the version of the package, if a stack or its program uses the plugin. */
export async function checkPlugin(context: Context, deployment: unknown): Promise<Check[]> {
  const settings = settingsIn(context.directory);
  const path = pathIn(settings);
  if (path === undefined && !isInState(deployment) && !isInProgram(context.directory)) return [];
  const wanted = versionIn(context.directory);
  const install = `npm install ${PACKAGE}, with \`plugins: providers: [{name: ${NAME}, path: node_modules/.bin}]\` in Pulumi.yaml, or \`pulumi plugin install resource ${NAME} v${wanted}\``;
  if (path !== undefined) {
    const file = executableIn(resolve(context.directory, path));
    return file === undefined
      ? [
          check(
            "problem",
            `Pulumi.yaml names ${path}, which has no ${EXECUTABLE}`,
            `correct plugins.providers: run ${install}`,
          ),
        ]
      : [await versionCheck(context, { file, by: `plugins.providers of Pulumi.yaml` }, wanted)];
  }
  const found = onPath(context) ?? installed(context, wanted);
  if (found === undefined && onPath(context, { ofNpm: true }) !== undefined) {
    const finding = `only the PATH that npm or npx sets has ${EXECUTABLE}, so \`pulumi\` outside of npm does not find it`;
    return [check("problem", finding, `run ${install}`)];
  }
  if (found !== undefined) return [await versionCheck(context, found, wanted)];
  const others = installedVersions(context);
  const finding =
    others.length === 0
      ? `neither Pulumi.yaml, nor the PATH, nor the installed plugins have ${EXECUTABLE}`
      : `the installed versions of the plugin are ${others.join(", ")}, and the package is ${wanted}`;
  return [check("problem", finding, `run ${install}`)];
}

async function versionCheck(context: Context, { file, by }: Found, wanted: string): Promise<Check> {
  const place = relative(context.directory, file).startsWith("..") ? file : relative(context.directory, file);
  const advice = `install version ${wanted} of the plugin, or the other version of the package`;
  try {
    const version = await versionOf(context, file);
    return version === wanted
      ? check("ok", `${version}, found by ${by}: ${place}`)
      : check(
          "problem",
          `${place}, found by ${by}, has version ${version}, and the package is ${wanted}`,
          advice,
        );
  } catch (error) {
    context.signal.throwIfAborted();
    return check("problem", `${place}, found by ${by}, does not start: ${sayingOf(error)}`, advice);
  }
}

/** Asks an executable for its version. */
async function versionOf({ environment, directory, signal }: Context, file: string): Promise<string> {
  const { stdout } = await promisify(execFile)(file, ["--version"], {
    ...{ env: { ...environment }, cwd: directory, signal, timeout: PATIENCE_MS },
    // Node starts a script of Windows only by its shell.
    shell: file.endsWith(".cmd"),
  });
  const version = stdout.trim();
  if (!/^\d+\.\d+\.\d+\S*$/.test(version)) throw new Error("it does not tell its version");
  return version;
}

const sayingOf = (error: unknown): string => {
  const stderr = isObject(error) ? error["stderr"] : undefined;
  const last =
    typeof stderr === "string"
      ? stderr
          .trim()
          .split("\n")
          .findLast((line) => line.includes("rror"))
      : undefined;
  return last ?? lineOf(error);
};

/** The path that a project's settings name. */
function pathIn({ plugins }: Properties): string | undefined {
  const providers = isObject(plugins) ? plugins["providers"] : undefined;
  const own = Array.isArray(providers)
    ? providers.filter(isObject).find(({ name }) => name === NAME)
    : undefined;
  return typeof own?.["path"] === "string" ? own["path"] : undefined;
}

function isInState(deployment: unknown): boolean {
  const resources = isObject(deployment) ? deployment["resources"] : undefined;
  return (
    Array.isArray(resources) &&
    resources.filter(isObject).some(({ type }) => String(type).startsWith(PLUGIN_TYPE_PREFIX))
  );
}

/** Whether a program in JavaScript or TypeScript imports the classes of the plugin. Others need the package in any case. */
function isInProgram(project: string): boolean {
  try {
    return programFiles(compilerOf(project), project).some((file) =>
      readFileSync(file, "utf8").includes(PLUGIN_ENTRY),
    );
  } catch {
    return false;
  }
}

/** The version of the package that programs load. Programs in other languages need the version of this command. */
function versionIn(directory: string): string {
  try {
    const program = createRequire(join(directory, "package.json"));
    return (program(`${PACKAGE}/package.json`) as { readonly version: string }).version;
  } catch {
    return packageVersion();
  }
}

const executableIn = (folder: string): string | undefined =>
  EXTENSIONS.map((extension) => join(folder, EXECUTABLE + extension)).find((file) => existsSync(file));

/** npm and npx put `node_modules/.bin` on the PATH of what they run. A run of `pulumi` does not have it there. */
function onPath({ environment }: Context, { ofNpm = false } = {}): Found | undefined {
  if (/^(?:1|true)$/i.test(environment["PULUMI_IGNORE_AMBIENT_PLUGINS"] ?? "")) return undefined;
  const folders = (environment["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  const isByNpm = (folder: string) => environment["npm_command"] !== undefined && NPM_FOLDER.test(folder);
  const wanted = folders.filter((folder) => isByNpm(folder) === ofNpm);
  const file = wanted.map(executableIn).find((one) => one !== undefined);
  return file === undefined ? undefined : { file, by: "the PATH" };
}

const pluginsIn = ({ environment }: Context): string => join(homeIn(environment), "plugins");

function installed(context: Context, wanted: string): Found | undefined {
  const file = executableIn(join(pluginsIn(context), `resource-${NAME}-v${wanted}`));
  return file === undefined ? undefined : { file, by: "the installed plugins" };
}

function installedVersions(context: Context): string[] {
  const folder = pluginsIn(context);
  const start = `resource-${NAME}-v`;
  const names = existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : [];
  return names
    .filter((entry) => entry.isDirectory() && entry.name.startsWith(start))
    .map(({ name }) => name.slice(start.length))
    .sort();
}
