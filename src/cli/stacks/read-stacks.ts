import { join } from "node:path";
import { withCode } from "../../provider/base/codes";
import { hintFor } from "../../provider/base/nearest-name";
import { backendOf, folderOf } from "../../provider/engine/backend";
import { type Words } from "../../provider/engine/secret-words";
import { type Context } from "../context";
import { reasonIn, unreadableStacks } from "../errors";
import { type Progress } from "../progress";
import { lockedIn } from "./locks";
import { type Gap } from "./names-and-gaps";
import { isIn, type SelectedStack, type Selection, selectStacks } from "./select-stacks";
import { calledStack, type StateReader, type ReadStacks, type ReadStack, stackStateOf } from "./stack-state";
import { isDecrypted } from "./state";
import { StateFileReader } from "./read-state-files";
import { Workspaces } from "./workspaces";

const isSame = (one: SelectedStack, other: SelectedStack): boolean =>
  one.project.path === other.project.path && one.name === other.name;

export const readerOf = (
  context: Context,
  progress: Progress,
  words: Words,
  selection: Selection,
): StateReader =>
  selection.states === undefined
    ? new StackReader(context, progress, words, selection)
    : new StateFileReader(context, progress, selection.states, selection);

/** Reads states with the engine. */
class StackReader implements StateReader {
  readonly #workspaces: Workspaces;
  /** All stacks that it has tried to read. */
  readonly #known: SelectedStack[] = [];

  constructor(
    private readonly context: Context,
    private readonly progress: Progress,
    words: Words,
    private readonly selection: Selection,
  ) {
    this.#workspaces = new Workspaces(context, words);
  }

  async read(): Promise<ReadStacks> {
    this.progress.show("looking for stacks");
    const selected = await selectStacks(this.context, this.#workspaces, this.selection);
    const own = selected.stacks.filter((one) => this.#isOurs(one));
    const { states, gaps: unread } = await this.#readAll(own);
    const gaps = [...selected.gaps, ...unread];
    if (own.length === 0 && selected.stacks.length > 0) return { states, gaps };
    const isMissing = ({ reason }: Gap) => reason.includes("no stack named");
    const isNamed = this.selection.stacks.length > 0;
    if (states.length === 0 || (isNamed && gaps.some(isMissing)))
      refuseGaps(this.progress, gaps, states.length + gaps.length);
    return { states, gaps };
  }

  async readChanged(states: readonly ReadStack[], of: readonly ReadStack[]): Promise<ReadStacks> {
    const { all } = this.selection;
    const projects = new Map(of.map(({ selected: { project } }) => [project.path, project]));
    // Before the states: a run that ends in between has saved its own.
    const locked = new Set([...projects.values()].flatMap(({ path }) => this.#lockedIn(path)));
    const listed = await Promise.all(
      [...projects.values()].map(async (project) => {
        const own = of.filter(({ selected }) => selected.project.path === project.path);
        // For a few stacks the list would cost as much as their states. One damaged state makes it fail.
        const isKnown = own.every(({ selected: { updated } }) => updated !== undefined);
        const list = isKnown ? await this.#workspaces.stacksOf(project).catch(() => undefined) : undefined;
        if (list === undefined) return own.map(({ selected }) => selected);
        const now = list.stacks.map((one) => ({ ...one, project }));
        const isConcerned = (one: SelectedStack) =>
          own.some(({ selected }) => isSame(selected, one) && isChanged(selected, one)) ||
          (all && this.#isOurs(one) && !this.#known.some((known) => isSame(known, one)));
        const gone = own.filter(({ selected }) => !now.some((one) => isSame(selected, one)));
        return [...now.filter(isConcerned), ...gone.map(({ selected }) => selected)];
      }),
    );
    const read = await this.#readAll(listed.flat());
    const before = (one: ReadStack) => states.find(({ selected }) => isSame(selected, one.selected));
    return { ...read, states: read.states.filter((one) => before(one)?.digest !== one.digest), locked };
  }

  /** The locked stacks of the backend of a project, if it is a folder. */
  #lockedIn(path: string): string[] {
    const folder = folderOf(backendOf(this.context.environment, path));
    return folder === undefined ? [] : lockedIn(join(folder, ".pulumi", "locks"));
  }

  #isOurs({ name, project: { directory } }: SelectedStack): boolean {
    return isIn(this.selection.shard, calledStack({ name, directory }));
  }

  async #readAll(selected: readonly SelectedStack[]): Promise<ReadStacks> {
    this.#known.push(...selected);
    let done = 0;
    const results = await Promise.allSettled(
      selected.map(async (stack) => {
        const state = await this.#readOne(stack);
        this.progress.show(`reading the states of stacks: ${++done}/${selected.length}`);
        return state;
      }),
    );
    this.context.signal.throwIfAborted();
    return {
      states: results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : [])),
      gaps: selected.flatMap((stack, index) => {
        const result = results[index];
        return result?.status === "rejected"
          ? [
              {
                what: calledStack({ name: stack.name, directory: stack.project.directory }),
                reason: reasonIn(result.reason),
              },
            ]
          : [];
      }),
    };
  }

  async #readOne(selected: SelectedStack): Promise<ReadStack> {
    const { project, name } = selected;
    const deployment = await this.#workspaces.stateOf(project, name).catch(async (error: unknown) => {
      throw await this.#withNearest(error, selected);
    });
    if (!isDecrypted(deployment)) {
      throw unreadableStacks(
        "its secrets cannot be decrypted: check PULUMI_CONFIG_PASSPHRASE, or the access to its secrets provider",
      );
    }
    return stackStateOf(this.context, selected, deployment);
  }

  /** Adds to the error of a stack that does not exist which one may be meant. */
  async #withNearest(error: unknown, { project, name }: SelectedStack): Promise<unknown> {
    const reason = reasonIn(error);
    if (!reason.includes("no stack named")) return error;
    const { stacks } = await this.#workspaces.stacksOf(project).catch(() => ({ stacks: [] }));
    const names = stacks.map((one) => one.name);
    return names.length === 0 ? error : unreadableStacks(`${reason}; ${hintFor(name, names, "stacks")}`);
  }
}

const isChanged = (before: SelectedStack, now: SelectedStack): boolean =>
  now.isInProgress === true || before.updated !== now.updated;

/** Throws if one of the states cannot be read, as its objects would seem unmanaged. */
export function allRead(progress: Progress, { states, gaps }: ReadStacks): readonly ReadStack[] {
  refuseGaps(progress, gaps, states.length + gaps.length);
  return states;
}

/** Fails with what cannot be read. */
function refuseGaps(progress: Progress, gaps: readonly Gap[], of: number): void {
  const [first, ...others] = gaps.map(({ what, reason }) => `cannot read ${what}: ${reason}`);
  if (first === undefined) return;
  if (others.length === 0) throw unreadableStacks(first);
  for (const line of [first, ...others]) progress.note(`error: ${withCode(line, "STACKS_UNREADABLE")}`);
  throw unreadableStacks(`${gaps.length} of ${of} stacks cannot be read`);
}
