import { realpathSync } from "node:fs";
import { availableParallelism } from "node:os";
import { takingTurns } from "../../api/concurrency";
import { hintFor } from "../../provider/base/nearest-name";
import { type Words } from "../../provider/engine/secret-words";
import { type Context } from "../context";
import { CliError, lineOf } from "../errors";
import { type Progress } from "../progress";
import { type StackName } from "../drift/findings";
import { type SelectedStack, type Selection, selectStacks } from "./select-stacks";
import { isDecrypted, type State, stateIn } from "./state";
import { Workspaces } from "./workspaces";

/** A stack and its state. */
export interface StackState {
  readonly stack: StackName;
  readonly state: State;
}

/** How many states are read at a time. Each is a process that computes for a third of a second and has about 100 MB. */
const AT_ONCE = Math.max(4, availableParallelism());

/** Reads the states of the selected stacks. Throws if one cannot be read, as its objects would seem unmanaged. */
export async function readStacks(
  context: Context,
  progress: Progress,
  words: Words,
  selection: Selection,
): Promise<StackState[]> {
  const workspaces = new Workspaces(context, words);
  progress.show("looking for stacks");
  const selected = await selectStacks(context, workspaces, selection);
  const inTurn = takingTurns(AT_ONCE);
  let done = 0;
  const results = await Promise.allSettled(
    selected.map((stack) =>
      inTurn(context.signal, async () => {
        const state = await readStack(context, workspaces, stack);
        progress.show(`reading the states of stacks: ${++done}/${selected.length}`);
        return state;
      }),
    ),
  );
  context.signal.throwIfAborted();
  const failures = results.flatMap((result) => (result.status === "rejected" ? [lineOf(result.reason)] : []));
  if (failures.length > 1) {
    for (const failure of failures) progress.note(`error: ${failure}`);
    throw new CliError(`${failures.length} of ${selected.length} stacks cannot be read`);
  }
  if (failures[0] !== undefined) throw new CliError(failures[0]);
  return results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
}

async function readStack(
  { directory }: Context,
  workspaces: Workspaces,
  { project, name }: SelectedStack,
): Promise<StackState> {
  const deployment = await workspaces.stateOf(project, name).catch(async (error: unknown) => {
    throw await withNearest(error, workspaces, { project, name });
  });
  if (!isDecrypted(deployment)) {
    throw new CliError(
      `cannot read stack ${name} of ${project.directory}: its secrets cannot be decrypted: check PULUMI_CONFIG_PASSPHRASE, or the access to its secrets provider`,
    );
  }
  return {
    stack: { name, project: project.name, directory: project.directory },
    state: stateIn(deployment, project.path, realpathSync(directory)),
  };
}

/** Adds to the error of a stack that does not exist which one may be meant. */
async function withNearest(error: unknown, workspaces: Workspaces, { project, name }: SelectedStack) {
  if (!lineOf(error).includes("no stack named")) return error;
  const { names } = await workspaces.stacksOf(project).catch(() => ({ names: [] }));
  return names.length === 0
    ? error
    : new CliError(`${lineOf(error)}; ${hintFor(name, names, "stacks")}`, { cause: error });
}
