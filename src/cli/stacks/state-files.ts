import { existsSync, statSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { gunzipSync } from "node:zlib";
import { stackInUrn } from "../../provider/describe/urn";
import { quietly } from "../../provider/base/quietly";
import { isObject, objectsIn, type Properties } from "../../provider/base/values";
import { type Context } from "../context";
import { CliError } from "../errors";
import { readInput } from "../input";

/** A stack whose state is in a file. Its secrets stay encrypted. */
export interface StackInFile {
  readonly file: string;
  /** `project/stack`. */
  readonly name: string;
  readonly deployment: Properties;
}

/**
 * Reads the states of stacks: those that a backend keeps as files, or outputs of `pulumi stack export`. A folder stands for all states below it. Throws if a
 * file is no state, as its objects would seem to have no owner.
 */
export async function readStateFiles(context: Context, named: readonly string[]): Promise<StackInFile[]> {
  const stacks: StackInFile[] = [];
  for (const file of await stateFilesIn(context, named)) {
    const stack = await readStateFile(context, file);
    if (stack !== undefined) stacks.push(stack);
  }
  return stacks;
}

/** The files of states among these files, and below these folders. */
export async function stateFilesIn(context: Context, named: readonly string[]): Promise<string[]> {
  const files = await Promise.all(named.map((path) => filesIn(context, path)));
  return [...new Set(files.flat())];
}

/** Undefined for a stack without resources. */
export const readStateFile = async (context: Context, file: string): Promise<StackInFile | undefined> =>
  stackIn(file, await readInput(context, file));

/** The states below a folder, in alphabetical order. A backend also keeps copies and a history, which are not read. */
async function filesIn({ directory }: Context, path: string): Promise<string[]> {
  const whole = resolve(directory, path);
  if (statSync(whole, { throwIfNoEntry: false })?.isDirectory() !== true) return [path];
  const kept = basename(whole) === ".pulumi" ? ["stacks"] : [".pulumi", "stacks"];
  const root = existsSync(join(whole, ...kept)) ? join(path, ...kept) : path;
  const entries = await readdir(resolve(directory, root), { recursive: true });
  const files = entries.filter((name) => /\.json(?:\.gz)?$/.test(name)).sort();
  if (files.length === 0)
    throw new CliError(`${path} contains no states: their names end in .json or .json.gz`, {
      code: "STACKS_UNREADABLE",
    });
  return files.map((name) => join(root, name));
}

/** Undefined for a stack without resources: only its resources name its project. */
function stackIn(file: string, bytes: Buffer): StackInFile | undefined {
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
  const text = () => (isPacked ? gunzipSync(bytes) : bytes).toString().replace(/^\uFEFF/, "");
  // The reason of a failure is not shown, as it quotes the state.
  const deployment = deploymentIn(quietly((): unknown => JSON.parse(text())));
  if (deployment === undefined) {
    throw new CliError(
      `${file} is no state of a stack: give the file of a backend, or the output of \`pulumi stack export\``,
      { code: "STACKS_UNREADABLE" },
    );
  }
  const [first] = objectsIn(deployment, "resources");
  const name = stackInUrn(String(first?.["urn"]));
  return name === undefined ? undefined : { file, name, deployment };
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
