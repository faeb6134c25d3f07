import { readdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { type Environment, homeIn } from "../base/pulumi-home";
import { quietly } from "../../api/quietly";
import { isObject, type Properties } from "../base/values";
import { commandLine } from "./command-line";
import { fromSdk } from "../base/from-sdk";

/** The default backend of the command line. */
const DEFAULT = "https://api.pulumi.com";

/** The project files in the order in which the command line looks for them. */
const PROJECT_FILES = ["Pulumi.json", "Pulumi.yaml", "Pulumi.yml"];

/**
 * The URL of the backend that keeps the stack, as the command line finds it: the environment, then the project file, then the login.
 * The plugin runs in the program's folder, with the command line's environment.
 */
export function backendOf(environment: Environment, directory: string): string {
  const url =
    text(environment["PULUMI_BACKEND_URL"]) ?? backendOfProject(directory) ?? backendOfLogin(environment);
  return canonical(inFolder(url ?? DEFAULT, environment, directory));
}

/** A URL of a folder with its whole path: the same relative path leads two clones of a repository to two folders. */
function inFolder(url: string, environment: Environment, directory: string): string {
  const path = /^file:\/\/(?<path>(?![/]).*)$/.exec(url)?.groups?.["path"];
  if (path === undefined) return url;
  const home = environment["HOME"] ?? homedir();
  const folder = commandLine().cwd ?? projectAbove(directory)?.folder ?? directory;
  const whole = /^~(?=[/?]|$)/.test(path) ? path.replace("~", home) : join(folder, path);
  return `file://${whole}`;
}

/** The nearest project file, in a folder or above it. */
export function projectAbove(
  folder: string,
): { readonly folder: string; readonly content: string } | undefined {
  for (const file of PROJECT_FILES) {
    const content = readText(join(folder, file));
    if (content !== undefined) return { folder, content };
  }
  const above = dirname(folder);
  return above === folder ? undefined : projectAbove(above);
}

/** The order of a URL's parameters, and a slash at its end, do not make it another backend. */
function canonical(url: string): string {
  const [address = "", ...parameters] = url.split(/[?&]/);
  const path = address.replace(/\/+$/, "");
  return parameters.length === 0 ? path : `${path}?${parameters.sort().join("&")}`;
}

/** Variables that lead the same URL of a backend to another store. */
const STORES = ["AZURE_STORAGE_ACCOUNT", "AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL_S3"];

/** The store of a backend, by which notes tell stacks of the same name apart. */
export const storeOf = (backend: string, environment: Environment): string =>
  [
    backend,
    ...STORES.filter((name) => text(environment[name]) !== undefined).map(
      (name) => `${name}=${environment[name] ?? ""}`,
    ),
  ].join(" ");

/** Whether the stacks of a backend belong to organizations, as those of Pulumi Cloud do. */
export const hasOrganizations = (backend: string): boolean => /^https?:/.test(backend);

/** The folder of a backend of files. Undefined for others. */
export const folderOf = (backend: string): string | undefined =>
  /^file:\/\/(?<path>[^?]+)/.exec(backend)?.groups?.["path"];

/** The stacks of a backend of files, as `project/stack`, without the engine: one damaged state makes its list fail. Undefined for others. */
export function stacksIn(backend: string): string[] | undefined {
  const folder = folderOf(backend);
  if (folder === undefined) return undefined;
  const stacks = join(folder, ".pulumi", "stacks");
  return quietly(() => readdirSync(stacks, { recursive: true, encoding: "utf8" }))?.flatMap((file) => {
    const [, project, stack] = /^([^/\\]+)[/\\]([^/\\]+)\.json(?:\.gz)?$/.exec(file) ?? [];
    return stack === undefined ? [] : [`${project}/${stack}`];
  });
}

/**
 * Whether the state of a stack (`project/stack`) names an interrupted update or deletion. The command line needs a second for that, so only a backend of plain
 * files is asked. Undefined for others.
 */
export function namesCutOff(backend: string, stack: string): boolean | undefined {
  const folder = folderOf(backend);
  const content = folder && readText(join(folder, ".pulumi", "stacks", `${stack}.json`));
  if (content === undefined || content === "") return undefined;
  return content.includes('"pending_operations"') && /"type":\s*"(?:updating|deleting)"/.test(content);
}

function backendOfProject(directory: string): string | undefined {
  const project = projectAbove(directory);
  return project === undefined ? undefined : urlIn(project.content);
}

/** `backend.url` of a project file, which is YAML or JSON. */
function urlIn(content: string): string | undefined {
  // The parser takes a while to load, and most projects name no backend.
  if (!content.includes("backend")) return undefined;
  const { backend } = parsed(() => parseYaml(content));
  return isObject(backend) ? text(backend["url"]) : undefined;
}

/** The SDK's YAML parser. */
const parseYaml = (content: string): unknown =>
  (fromSdk("js-yaml") as { load(content: string): unknown }).load(content);

function backendOfLogin(environment: Environment): string | undefined {
  const folder = text(environment["PULUMI_CREDENTIALS_PATH"]) ?? homeIn(environment);
  const content = readText(join(folder, "credentials.json"));
  return content === undefined ? undefined : text(parsed(() => JSON.parse(content))["current"]);
}

export const readText = (file: string): string | undefined => quietly(() => readFileSync(file, "utf8"));

/** The content of a file. Empty if it is invalid: the command line reports that itself. */
function parsed(parse: () => unknown): Properties {
  const value = quietly(parse);
  return isObject(value) ? value : {};
}

const text = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;
