import { existsSync, statSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { gunzipSync } from "node:zlib";
import { stackInUrn } from "../../provider/describe/urn";
import { quietly } from "../../api/quietly";
import { isObject, objectsIn, type Properties } from "../../provider/base/values";
import { type Context } from "../context";
import { unreadableStacks } from "../errors";
import { readInput } from "../input";
import { lockedIn } from "./locks";

/** A stack whose state is in a file. Its secrets stay encrypted. */
export interface StackInFile {
  readonly file: string;
  /** `project/stack`. That of a stack without resources may be a guess. */
  readonly name: string;
  readonly deployment: Properties;
}

/**
 * Reads the states of stacks: those that a backend keeps as files, or outputs of `pulumi stack export`. A folder stands for all states below it. Throws if a
 * file is no state, as its objects would seem to have no owner.
 */
export async function readStateFiles(context: Context, named: readonly string[]): Promise<StackInFile[]> {
  const stacks: StackInFile[] = [];
  for (const one of await stateFilesIn(context, named)) {
    const stack = await readStateFile(context, one);
    if (objectsIn(stack.deployment, "resources").length > 0) stacks.push(stack);
  }
  return stacks;
}

/** A file, and its path below the folder that a person has named, which is the same for every copy. */
export interface StateFile {
  readonly file: string;
  readonly place: string;
}

/** The files of states among these files, and below these folders. */
export async function stateFilesIn(context: Context, named: readonly string[]): Promise<StateFile[]> {
  const files = await Promise.all(named.map((path) => filesIn(context, path)));
  return [...new Map(files.flat().map((one) => [one.file, one])).values()];
}

export const readStateFile = async (context: Context, one: StateFile): Promise<StackInFile> =>
  stackIn(one, await readInput(context, one.file));

/** The states below a folder, in alphabetical order. A backend also keeps copies and a history, which are not read. */
async function filesIn({ directory }: Context, path: string): Promise<StateFile[]> {
  const root = rootOf(directory, path);
  if (root === undefined) return [{ file: path, place: basename(path) }];
  const entries = await readdir(resolve(directory, root), { recursive: true });
  const files = entries.filter((name) => /\.json(?:\.gz)?$/.test(name)).sort();
  if (files.length === 0)
    throw unreadableStacks(`${path} contains no states: their names end in .json or .json.gz`);
  return files.map((name) => ({ file: join(root, name), place: name }));
}

/** The folder with the states, if the path is a folder. */
function rootOf(directory: string, path: string): string | undefined {
  const whole = resolve(directory, path);
  if (statSync(whole, { throwIfNoEntry: false })?.isDirectory() !== true) return undefined;
  const kept = basename(whole) === ".pulumi" ? ["stacks"] : [".pulumi", "stacks"];
  return existsSync(join(whole, ...kept)) ? join(path, ...kept) : path;
}

/** The stacks, as `project/stack`, whose locks are in copies of whole backends among these folders. */
export const lockedInCopies = ({ directory }: Context, named: readonly string[]): string[] =>
  named.flatMap((path) => {
    const root = rootOf(directory, path);
    return root !== undefined && basename(root) === "stacks"
      ? lockedIn(resolve(directory, root, "..", "locks"))
      : [];
  });

function stackIn({ file, place }: StateFile, bytes: Buffer): StackInFile {
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
  const text = () => (isPacked ? gunzipSync(bytes) : bytes).toString().replace(/^\uFEFF/, "");
  // The reason of a failure is not shown, as it quotes the state.
  const state = quietly((): unknown => JSON.parse(text()));
  const deployment = deploymentIn(state);
  if (deployment === undefined) {
    throw unreadableStacks(
      `${file} is no state of a stack: give the file of a backend, or the output of \`pulumi stack export\``,
    );
  }
  const [first] = objectsIn(deployment, "resources");
  return { file, name: stackInUrn(String(first?.["urn"])) ?? emptyStackIn(state, place), deployment };
}

/** The name of a stack without resources: that in the state of a backend, or that of the file. */
function emptyStackIn(state: unknown, place: string): string {
  const { stack } = isObject(state) && isObject(state["checkpoint"]) ? state["checkpoint"] : {};
  const names = [String(stack ?? ""), place.replace(/\.json(?:\.gz)?$/, "")].map((name) =>
    name.split(/[\\/]/),
  );
  const [project = ".", name = ""] = names.find((parts) => parts.length > 1)?.slice(-2) ?? [
    ".",
    ...(names[1] ?? []),
  ];
  return `${project}/${name}`;
}

/** The deployment of an export, or the last one of a backend's file, which has none before the first run. */
function deploymentIn(state: unknown): Properties | undefined {
  if (!isObject(state)) return undefined;
  const { deployment, checkpoint } = state;
  // A stack that never ran may have none.
  if ("deployment" in state) return isObject(deployment) ? deployment : {};
  if (!isObject(checkpoint)) return undefined;
  return isObject(checkpoint["latest"]) ? checkpoint["latest"] : {};
}
