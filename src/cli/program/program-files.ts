import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { PROJECT_FILES } from "../stacks/projects";
import { type Compiler, compilerOf } from "./compiler";

/** The modules from which programs import the classes: as dynamic resources, or as those of the full plugin. */
export const PACKAGE = "pulumi-nodecloud";
export const PLUGIN_ENTRY = `${PACKAGE}/plugin`;

const SOURCE = /(?<!\.d)\.[cm]?[jt]s$|\.[jt]sx$/;

/** The files of a project's program, without packages, what the compiler writes, and other projects. */
export function programFiles(compiler: Compiler, project: string): string[] {
  const output = outputOf(compiler, project);
  const filesIn = (folder: string): string[] =>
    readdirSync(folder, { withFileTypes: true })
      .sort((one, other) => (one.name < other.name ? -1 : 1))
      .flatMap((entry) => {
        const path = join(folder, entry.name);
        if (entry.isFile()) return SOURCE.test(entry.name) ? [path] : [];
        const isOther =
          !entry.isDirectory() ||
          entry.name === "node_modules" ||
          entry.name === "dist" ||
          entry.name.startsWith(".") ||
          path === output ||
          PROJECT_FILES.some((file) => existsSync(join(path, file)));
        return isOther ? [] : filesIn(path);
      });
  return filesIn(project);
}

/** The modules that the text of a file imports. */
export const importsIn = (compiler: Compiler, text: string): string[] =>
  compiler.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName);

/** Whether a project's program imports the classes of the full plugin. */
export function importsPlugin(project: string): boolean {
  const compiler = compilerOf(project);
  return programFiles(compiler, project).some((file) =>
    importsIn(compiler, readFileSync(file, "utf8")).includes(PLUGIN_ENTRY),
  );
}

/** The folder into which the project's settings compile the program. */
function outputOf(compiler: Compiler, project: string): string | undefined {
  const file = join(project, "tsconfig.json");
  if (!existsSync(file)) return undefined;
  const config: unknown = compiler.readConfigFile(file, compiler.sys.readFile).config ?? {};
  const host = { ...compiler.sys, readDirectory: () => [] };
  const { outDir } = compiler.parseJsonConfigFileContent(config, host, project).options;
  return outDir === undefined ? undefined : join(outDir);
}
