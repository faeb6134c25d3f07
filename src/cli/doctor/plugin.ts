import { existsSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, join, relative, resolve } from "node:path";
import { homeIn } from "../../provider/base/pulumi-home";
import { quietly } from "../../api/quietly";
import { PLUGIN_TYPE_PREFIX } from "../../provider/describe/type-token";
import { isObject, objectsIn, type Properties } from "../../provider/base/values";
import { type Context } from "../context";
import { lineOf } from "../errors";
import { importsPlugin, PACKAGE } from "../program/program-files";
import { settingsIn } from "../stacks/projects";
import { packageVersion } from "../../provider/base/package-version";
import { type Check, outcomesOf } from "./check";
import { printedBy, versionAt } from "./machine";

const NAME = "nodecloud";
const EXECUTABLE = `pulumi-resource-${NAME}`;
/** The folder of an installed version begins with it. */
const VERSIONED = `resource-${NAME}-v`;
const EXTENSIONS = process.platform === "win32" ? [".exe", ".cmd"] : [""];
const NPM_FOLDER = /[\\/]node_modules[\\/]\.bin[\\/]?$/;

const { ok, problem } = outcomesOf("plugin");

/** Checks that the engine finds the full plugin in the version of the package, if a stack or its program uses the plugin. */
export async function checkPlugin(context: Context, deployment: unknown): Promise<Check[]> {
  const settings = settingsIn(context.directory);
  const path = pathIn(settings);
  if (path === undefined && !isInState(deployment) && !isInProgram(context.directory)) return [];
  const wanted = versionIn(context.directory);
  const install = `npm install ${PACKAGE}, with \`plugins: providers: [{name: ${NAME}, path: node_modules/.bin}]\` in Pulumi.yaml, or \`pulumi plugin install resource ${NAME} v${wanted}\``;
  const places =
    path === undefined
      ? [
          ...foldersOnPath(context).map((folder) => ({ folder, by: "the PATH" })),
          { folder: join(pluginsIn(context), VERSIONED + wanted), by: "the installed plugins" },
        ]
      : [{ folder: resolve(context.directory, path), by: "plugins.providers of Pulumi.yaml" }];
  for (const { folder, by } of places) {
    const file = executableIn(folder);
    if (file !== undefined) return [await versionCheck(context, file, by, wanted)];
  }
  if (path === undefined) return [problem(missing(context, wanted), `run ${install}`)];
  const finding = `Pulumi.yaml names ${path}, which has no ${EXECUTABLE}`;
  return [problem(finding, `correct plugins.providers: run ${install}`)];
}

/** Why the engine finds no plugin. */
function missing(context: Context, wanted: string): string {
  if (foldersOnPath(context, { ofNpm: true }).some(executableIn))
    return `only the PATH that npm or npx sets has ${EXECUTABLE}, so \`pulumi\` outside of npm does not find it`;
  const folder = pluginsIn(context);
  const others = (existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : [])
    .filter((entry) => entry.isDirectory() && entry.name.startsWith(VERSIONED))
    .map(({ name }) => name.slice(VERSIONED.length))
    .sort();
  return others.length === 0
    ? `neither Pulumi.yaml, nor the PATH, nor the installed plugins have ${EXECUTABLE}`
    : `the installed versions of the plugin are ${others.join(", ")}, and the package is ${wanted}`;
}

async function versionCheck(context: Context, file: string, by: string, wanted: string): Promise<Check> {
  const inside = relative(context.directory, file);
  const place = inside.startsWith("..") ? file : inside;
  const advice = `install version ${wanted} of the plugin`;
  try {
    const version = await printedBy(context, file, ["--version"]);
    if (!/^\d+\.\d+\.\d+\S*$/.test(version)) throw new Error("it prints no version");
    if (version === wanted) return ok(`${version}, found by ${by}: ${place}`);
    return problem(
      `${place}, found by ${by}, has version ${version}, and the package is ${wanted}`,
      `${advice}, or version ${version} of the package`,
    );
  } catch (error) {
    context.signal.throwIfAborted();
    return problem(`${place}, found by ${by}, does not start: ${sayingOf(error)}`, advice);
  }
}

/** The last line of an error in what a program printed. */
function sayingOf(error: unknown): string {
  const lines = isObject(error)
    ? String(error["stderr"] ?? "")
        .trim()
        .split("\n")
    : [];
  return lines.findLast((line) => line.includes("rror")) ?? lineOf(error);
}

/** The path that a project's settings name. */
function pathIn({ plugins }: Properties): string | undefined {
  const own = objectsIn(plugins, "providers").find(({ name }) => name === NAME);
  return typeof own?.["path"] === "string" ? own["path"] : undefined;
}

const isInState = (deployment: unknown): boolean =>
  objectsIn(deployment, "resources").some(({ type }) => String(type).startsWith(PLUGIN_TYPE_PREFIX));

/** Whether a program in JavaScript or TypeScript imports the classes of the plugin. Others need the package in any case. */
const isInProgram = (project: string): boolean => quietly(() => importsPlugin(project)) ?? false;

/** The version of the package that programs load. Programs in other languages need the version of this command. */
const versionIn = (directory: string): string =>
  versionAt(createRequire(join(directory, "package.json")), PACKAGE)?.version ?? packageVersion();

const executableIn = (folder: string): string | undefined =>
  EXTENSIONS.map((extension) => join(folder, EXECUTABLE + extension)).find((file) => existsSync(file));

/** npm and npx put `node_modules/.bin` on the PATH of what they run. A run of `pulumi` does not have it there. */
function foldersOnPath({ environment }: Context, { ofNpm = false } = {}): string[] {
  if (/^(?:1|true)$/i.test(environment["PULUMI_IGNORE_AMBIENT_PLUGINS"] ?? "")) return [];
  const folders = (environment["PATH"] ?? "").split(delimiter);
  // npm adds its folders at the front. A folder that the shell has too is there twice.
  const isByNpm = (folder: string) =>
    environment["npm_command"] !== undefined &&
    NPM_FOLDER.test(folder) &&
    folders.indexOf(folder) === folders.lastIndexOf(folder);
  return folders.filter((folder) => folder !== "" && isByNpm(folder) === ofNpm);
}

const pluginsIn = ({ environment }: Context): string => join(homeIn(environment), "plugins");
