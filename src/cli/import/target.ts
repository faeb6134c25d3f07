import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, posix, relative, resolve } from "node:path";
import { valueAt } from "../../provider/base/values";
import { type Context } from "../context";
import { unusableProject, unusableProgram } from "../errors";
import { compilerOf } from "../program/compiler";
import { importsIn, importsPlugin, PACKAGE } from "../program/program-files";
import {
  findProjects,
  languageIn,
  type Project,
  readSettings,
  settingsFileIn,
  settingsIn,
} from "../stacks/projects";

/** The folder of what is added to a program. */
export const ADDED = "imported";

/** A program that is there already. */
export interface ExistingProgram {
  readonly project: Project;
  /** The file that the engine runs first. The new files are imported there. */
  readonly entry: string;
  /** The folder of the new files, relative to the one in which the program runs, with a slash at its end. */
  readonly base: string;
  /** The extension in the program's imports of its files. */
  readonly extension: string;
  /** The text to import the new files. */
  readonly specifier: string;
  /** Whether it imports the classes of the full plugin. */
  readonly usesPlugin: boolean;
  /** Whether it depends on this package. */
  readonly hasPackage: boolean;
}

/** Where a program is written. */
export interface Target {
  /** The folder that the user named. */
  readonly directory: string;
  /** The folder of the new files. */
  readonly folder: string;
  /** The same, relative to the working directory. */
  readonly place: string;
  /** The program that they are added to. Undefined: they are a new one. */
  readonly program?: ExistingProgram;
}

/** Files and folders that do not make a folder a used one. */
const HARMLESS = new Set([".git", ".gitignore", ".gitattributes", "README.md", "LICENSE"]);

/** Finds out where to write: into the program of a folder, or a new program into an empty folder. */
export function targetOf(context: Context, out: string): Target {
  const targetAt = (folder: string, program?: ExistingProgram): Target => ({
    ...{ directory: out, folder, place: relative(context.directory, folder) || "." },
    ...(program && { program }),
  });
  const path = resolve(context.directory, out);
  if (existsSync(path) && !statSync(path).isDirectory()) throw unusableProject(`${out} is not a folder`);
  const entries = existsSync(path) ? readdirSync(path) : [];
  if (settingsFileIn(path) !== undefined) {
    const [project] = findProjects(context, [out]);
    if (project !== undefined) return targetAt(...existingProgram(project));
  }
  const used = entries.filter((name) => !HARMLESS.has(name));
  if (used.length > 0) {
    const folder = out === "." ? "this folder" : out;
    throw unusableProject(
      `${folder} is neither empty nor the folder of a Pulumi project: name another folder with --out`,
    );
  }
  return targetAt(path);
}

/** The folder of what is added to a program, and the program. */
function existingProgram(project: Project): [folder: string, program: ExistingProgram] {
  const { path, directory } = project;
  const settings = settingsIn(path);
  const { main } = settings;
  if (languageIn(settings) !== "nodejs") {
    throw unusableProgram(
      `the program in ${directory} is not written in TypeScript: write a new program with --out`,
    );
  }
  const packageFile = join(path, "package.json");
  const manifest = existsSync(packageFile) ? readSettings(packageFile) : {};
  const start = resolve(path, typeof main === "string" ? main : ".");
  const entry = entryIn(start, manifest["main"]);
  if (entry === undefined) {
    throw unusableProgram(`the program in ${directory} has no index.ts: write a new program with --out`);
  }
  // As the engine does: the program runs in the folder that `main` of the project names, or in that of its file.
  const runsIn = isFile(start) ? dirname(start) : start;
  const hasLoader = valueAt(settings, "runtime.options.nodeargs") !== undefined;
  const imports = importsIn(compilerOf(path), readFileSync(entry, "utf8"));
  const extension = extensionIn(imports, manifest["type"] === "module", hasLoader);
  const folder = unusedFolder(dirname(entry));
  const name = relative(dirname(entry), folder);
  const program = {
    project,
    entry,
    base: `${relative(runsIn, folder).split("\\").join("/")}/`,
    extension,
    specifier: `./${name}${extension === "" ? "" : posix.join("/", `index${extension}`)}`,
    usesPlugin: importsPlugin(path),
    hasPackage: ["dependencies", "devDependencies", "peerDependencies"].some(
      (group) => valueAt(manifest, `${group}.${PACKAGE}`) !== undefined,
    ),
  };
  return [folder, program];
}

/** The extension in the program's imports of its files: as they have it already, or as Node or its loader for TypeScript needs it. */
function extensionIn(imports: readonly string[], isModule: boolean, hasLoader: boolean): string {
  const own = imports.find(
    (path) => /^\.{1,2}\//.test(path) && /^(?:\.[cm]?[jt]s)?$/.test(posix.extname(path)),
  );
  if (own !== undefined) return posix.extname(own).replace(/[cm]/, "");
  if (!isModule) return "";
  return hasLoader ? ".js" : ".ts";
}

function entryIn(start: string, main: unknown): string | undefined {
  const named = typeof main === "string" ? resolve(start, main) : start;
  const places = [start, named, `${named}.ts`, join(named, "index.ts"), join(start, "index.ts")];
  return places.find((place) => /(?<!\.d)\.[cm]?ts$/.test(place) && isFile(place));
}

const isFile = (path: string): boolean => existsSync(path) && statSync(path).isFile();

function unusedFolder(parent: string): string {
  let folder = join(parent, ADDED);
  for (let number = 2; existsSync(folder); number++) folder = join(parent, `${ADDED}-${number}`);
  return folder;
}
