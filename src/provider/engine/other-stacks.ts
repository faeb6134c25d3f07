import { takingTurns } from "../../api/concurrency";
import { stackInUrn } from "../describe/urn";
import { type Environment } from "../base/pulumi-home";
import { isObject, objectsIn, type Properties } from "../base/values";
import { backendOf, stacksIn } from "./backend";
import { askCommandLine, commandLine, stackOfCommand } from "./command-line";
import { holdersIn, type HoldersOf } from "./holders";
import { pendingIn, type PendingOperation } from "./stack-state";

/** A stack of the backend, with what it manages. */
export interface OtherStack {
  /** `project/stack`. */
  readonly name: string;
  readonly holdersOf: HoldersOf;
  /** The operations that a run is at, or was at when it was interrupted. */
  readonly pending: readonly PendingOperation[];
}

export interface OtherStacks {
  readonly stacks: readonly OtherStack[];
  /** How many stacks were not read: one failed, or there was no time for it. */
  readonly unread: number;
  /** The names of those that failed. */
  readonly failed?: readonly string[];
  /** Whether not even their list could be read. */
  readonly isUnknown?: true;
  /** Whether this stack is one of them, as it is not known which. */
  readonly hasOwn?: boolean;
}

/** How long reading may take altogether. A run waits for it, and longer before it deletes or takes over what may be another stack's. */
const PATIENCE_MS = 20_000;
export const LONG_PATIENCE_MS = 180_000;
/** How many states are read at a time. Each is a process of about 80 MB. */
const AT_ONCE = 4;

/**
 * Reads the states of the backend's other stacks, first those of the same project. `isTold`: whether the engine names the own one, and not only a state. What cannot
 * be read is left out: a run does not depend on other stacks.
 */
export async function readOtherStacks(
  own: string | undefined,
  environment: Environment,
  isTold: boolean,
  patienceMs = PATIENCE_MS,
): Promise<OtherStacks> {
  const until = Date.now() + patienceMs;
  const ask = (...args: string[]) => askCommandLine(args, environment, Math.max(1, until - Date.now()));
  const listed = await ask("stack", "ls", "--all", "--json").catch(() =>
    stacksIn(backendOf(environment, commandLine().cwd ?? process.cwd()))?.map((name) => ({
      name: `organization/${name}`,
    })),
  );
  if (!Array.isArray(listed)) return { stacks: [], unread: 0, isUnknown: true };
  const all = listed.filter(isObject);
  const isOwn = ownAmong(own, isTold);
  const names = all
    .flatMap((one) =>
      typeof one["name"] !== "string" || one["resourceCount"] === 0 || isOwn(one) ? [] : [one["name"]],
    )
    .sort((one, other) => Number(isOfProject(other, own)) - Number(isOfProject(one, own)));
  const stacks: OtherStack[] = [];
  const failed: string[] = [];
  let read = 0;
  const readOne = async (name: string) => {
    const exported = await ask("stack", "export", "--stack", name).catch(() => undefined);
    const { deployment = null } = isObject(exported) ? exported : {};
    if (!isObject(exported) || (deployment !== null && !isObject(deployment))) {
      if (Date.now() < until) failed.push(name);
      return;
    }
    read++;
    // A stack that never ran may have none.
    const stack = stackOf(deployment ?? {});
    if (stack !== undefined && !(isTold && stack.name === own)) stacks.push(stack);
  };
  const inTurn = takingTurns(AT_ONCE);
  const inTime = async (name: string) => (Date.now() < until ? readOne(name) : undefined);
  await Promise.all(names.map((name) => inTurn(undefined, () => inTime(name))));
  return { stacks, unread: names.length - read, failed, hasOwn: !isTold && !all.some(isOwn) };
}

/** A stack by its deployment, whose URNs name it. Undefined if it has no resources. */
export function stackOf(deployment: Record<string, unknown>): OtherStack | undefined {
  const [first] = objectsIn(deployment, "resources");
  const name = stackInUrn(String(first?.["urn"]));
  if (name === undefined) return undefined;
  return { name, holdersOf: holdersIn(deployment), pending: pendingIn(deployment) };
}

/** Tells which stack of a list is the one that this process works for. */
function ownAmong(own: string | undefined, isTold: boolean): (listed: Properties) => boolean {
  const command = isTold ? undefined : stackOfCommand();
  if (command?.isKnown !== true) return ({ name }) => isCalled(String(name), own);
  const { name: named } = command;
  if (named === undefined) return ({ current }) => current === true;
  // Stacks of other projects have the same names.
  return ({ name }) => (named.includes("/") ? isCalled(String(name), named) : name === named);
}

/** Whether a stack of the list is `project/stack`. The command line shows stacks of the current project without the project. */
const isCalled = (listed: string, own: string | undefined): boolean =>
  own !== undefined && (listed === own || listed.endsWith(`/${own}`) || own.endsWith(`/${listed}`));

const isOfProject = (listed: string, own = ""): boolean =>
  !listed.includes("/") || listed.split("/").at(-2) === own.split("/")[0];
