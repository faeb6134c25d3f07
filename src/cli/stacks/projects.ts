import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { parse } from "yaml";
import { isObject, type Properties } from "../../provider/base/values";
import { type Context } from "../context";
import { explained, unusableProject } from "../errors";

/** A Pulumi project. */
export interface Project {
  readonly name: string;
  readonly path: string;
  /** Its folder, relative to the working directory. */
  readonly directory: string;
}

/** The names of the file with the settings of a project. */
export const PROJECT_FILES = ["Pulumi.yaml", "Pulumi.yml", "Pulumi.json"];

/** The projects in these folders. A folder without a project stands for the projects below it, or for the project that contains it. */
export function findProjects({ directory }: Context, folders: readonly string[]): Project[] {
  const given = folders.length === 0 ? ["."] : folders;
  const paths = given.flatMap((folder) => {
    const path = resolve(directory, folder);
    if (!existsSync(path) || !statSync(path).isDirectory()) {
      throw unusableProject(`${folder} is not a folder`);
    }
    const below = projectsBelow(realpathSync(path));
    const found = below.length > 0 ? below : projectAbove(path);
    if (found.length === 0) {
      throw unusableProject(`there is no Pulumi.yaml in ${folder} or below it: name the folder of a project`);
    }
    return found;
  });
  return [...new Set(paths)].map((path) => ({
    name: nameIn(path),
    path,
    directory: relative(realpathSync(directory), path) || ".",
  }));
}

/** The file with the settings of the project in a folder. */
export const settingsFileIn = (path: string): string | undefined =>
  PROJECT_FILES.map((file) => join(path, file)).find((file) => existsSync(file));

/** The folders of the projects in a folder and below it. A folder that cannot be read is an error, since projects may be in it. */
export function projectsBelow(path: string): string[] {
  if (settingsFileIn(path) !== undefined) return [path];
  return readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== "node_modules" && !entry.name.startsWith("."))
    .map(({ name }) => name)
    .sort()
    .flatMap((name) => projectsBelow(join(path, name)));
}

function projectAbove(path: string): string[] {
  const above = dirname(path);
  if (above === path) return [];
  return settingsFileIn(above) === undefined ? projectAbove(above) : [realpathSync(above)];
}

function nameIn(path: string): string {
  const { name } = settingsIn(path);
  if (typeof name === "string" && name !== "") return name;
  throw unusableProject(`${settingsFileIn(path) ?? path} has no name`);
}

/** The settings of the project in a folder. Empty if it has none. */
export function settingsIn(path: string): Properties {
  const file = settingsFileIn(path);
  return file === undefined ? {} : readSettings(file);
}

/** The settings in a file, as YAML or JSON, which is YAML too. */
export function readSettings(file: string): Properties {
  const settings: unknown = explained(`cannot read ${file}`, "PROJECT_UNUSABLE", () =>
    parse(readFileSync(file, "utf8")),
  );
  return isObject(settings) ? settings : {};
}

/** The language of the program of a project. */
export const languageIn = ({ runtime }: Properties): unknown =>
  isObject(runtime) ? runtime["name"] : runtime;
