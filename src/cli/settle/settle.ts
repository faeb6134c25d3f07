import { readFileSync, realpathSync } from "node:fs";
import { relative } from "node:path";
import { Words } from "../../provider/engine/secret-words";
import { type Context } from "../context";
import { type Progress } from "../progress";
import { findProjects } from "../stacks/projects";
import { readStacks } from "../stacks/read-stacks";
import { type StateResource } from "../stacks/state";
import { compilerOf } from "./compiler";
import { programFiles } from "./program-files";
import { replaceFiles } from "./replace-files";
import { type Removed, settleFile, type Stays } from "./settle-file";

/** Which programs are settled, and by which stacks. */
export interface SettleOptions {
  /** The folders of projects, or folders that contain projects. By default the working directory. */
  readonly directories?: readonly string[];
  /** The names of stacks. By default the selected stack of each project. */
  readonly stacks?: readonly string[];
  /** Whether the states of all stacks are read. */
  readonly all?: boolean;
  /** Whether the files stay as they are. */
  readonly check?: boolean;
}

/** What was removed, and what stays. The paths of files are relative to the working directory. */
export interface Settled {
  readonly removed: readonly (Removed & { readonly file: string })[];
  readonly stays: readonly (Stays & { readonly file: string })[];
}

/**
 * Removes the options `import` from programs, if the state of a selected stack has their objects. It writes only after everything was read, and an
 * interruption then no longer stops it.
 */
export async function settleProgram(
  context: Context,
  progress: Progress,
  { directories = [], stacks = [], all = false, check = false }: SettleOptions = {},
): Promise<Settled> {
  const projects = findProjects(context, directories);
  const states = await readStacks(context, progress, new Words(), { directories, stacks, all });
  const folder = realpathSync(context.directory);
  const files = projects.flatMap((project) => {
    const own = states.filter(({ stack }) => stack.directory === project.directory);
    const adopted = own.flatMap(({ state }) => state.resources.filter(({ isLeaving }) => !isLeaving));
    progress.show(`reading the program of ${project.directory}`);
    return own.length === 0 ? [] : settledFilesOf(project.path, folder, adopted);
  });
  context.signal.throwIfAborted();
  if (!check) replaceFiles(files.filter(({ from, text }) => text !== from));
  return {
    removed: files.flatMap(({ file, removed }) => removed.map((one) => ({ file, ...one }))),
    stays: files.flatMap(({ file, stays }) => stays.map((one) => ({ file, ...one }))),
  };
}

function settledFilesOf(project: string, folder: string, adopted: readonly StateResource[]) {
  const compiler = compilerOf(project);
  return programFiles(compiler, project).map((path) => {
    const file = relative(folder, path);
    const from = readFileSync(path, "utf8");
    return { path, file, from, ...settleFile(compiler, file, from, adopted) };
  });
}
