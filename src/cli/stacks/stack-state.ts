import { createHash } from "node:crypto";
import { realpathSync } from "node:fs";
import { type Context } from "../context";
import { type Gap, type StackName } from "./names-and-gaps";
import { type SelectedStack } from "./select-stacks";
import { type ResourcesOfState, stateIn } from "./state";

/** A stack and its state. */
export interface ReadStack {
  readonly stack: StackName;
  readonly state: ResourcesOfState;
  readonly selected: SelectedStack;
  /** Differs from that of a state with another content. */
  readonly digest: string;
}

/** The states of stacks, and those that cannot be read: their objects seem to have no owner. */
export interface ReadStacks {
  readonly states: readonly ReadStack[];
  readonly gaps: readonly Gap[];
  /** The stacks, as `project/stack`, that were locked before they were read again. Only files show it. */
  readonly locked?: ReadonlySet<string>;
}

/** A stack in messages. */
export const calledStack = ({ name, directory }: Pick<StackName, "name" | "directory">): string =>
  `stack ${name} of ${directory}`;

/** Reads the states of the selected stacks, also again after other runs may have changed them. */
export interface StateReader {
  /** Throws if it can read none of them, or if one that the user names does not exist. */
  read(): Promise<ReadStacks>;
  /** The states of some of the stacks that have changed since they were read, and those of stacks that are new. */
  readChanged(states: readonly ReadStack[], of: readonly ReadStack[]): Promise<ReadStacks>;
}

/** The state of a stack, read from its deployment. */
export const stackStateOf = (
  { directory }: Context,
  selected: SelectedStack,
  deployment: unknown,
): ReadStack => ({
  stack: { name: selected.name, project: selected.project.name, directory: selected.project.directory },
  state: stateIn(deployment, selected.project.path, realpathSync(directory)),
  selected,
  digest: createHash("sha256").update(JSON.stringify(deployment)).digest("hex"),
});
