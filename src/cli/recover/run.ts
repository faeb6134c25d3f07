import { linkSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { counted, listed, printableLine } from "../../api/text";
import { systemClock } from "../../provider/base/clock";
import { codeOf, withCode } from "../../provider/base/codes";
import { keyOfParts } from "../../provider/base/key";
import { folderIn } from "../../provider/base/pulumi-home";
import { quietly } from "../../api/quietly";
import { isOver, isRun, thisRun } from "../../provider/base/runs";
import { isObject, objectsIn, type Properties } from "../../provider/base/values";
import { hasOrganizations, backendOf } from "../../provider/engine/backend";
import { Words } from "../../provider/engine/secret-words";
import { shortened } from "../../provider/kind/warnings";
import { SETTINGS } from "../../provider/settings/config";
import { formatDuration, parseDuration } from "../../provider/base/duration";
import { type Context } from "../context";
import {
  CliError,
  EXIT,
  type ExitCode,
  lineOf,
  unreadableStacks,
  unusableProject,
  usageError,
} from "../errors";
import { writeResult } from "../output";
import { type Progress, withProgress } from "../progress";
import { ageOf, calledLock, type LockVerdict, verdictOn } from "../stacks/locks";
import { findProjects, type Project } from "../stacks/projects";
import { selectStacks } from "../stacks/select-stacks";
import { calledStack } from "../stacks/stack-state";
import { stateIn } from "../stacks/state";
import { Workspaces } from "../stacks/workspaces";
import { isConfirmed, isInteractive } from "../terminal";
import { calledPending, fatesOf, savedIn } from "./pending-creations";

export interface RecoverOptions {
  readonly stack?: string;
  readonly all?: boolean;
  readonly yes?: boolean;
  readonly dryRun?: boolean;
  readonly lockOlderThan?: string;
}

/** The task of a command, with what it uses. */
interface Work {
  readonly context: Context;
  readonly progress: Progress;
  readonly words: Words;
  readonly workspaces: Workspaces;
  readonly project: Project;
  readonly stack: string;
  /** The stack in the lines of several stacks. */
  readonly called?: string;
  /** Other folders with a project of this name in the same backend. */
  readonly twins?: readonly string[];
  readonly options: RecoverOptions;
  /** The age of a lock from which its run counts as over, in milliseconds. */
  readonly limit: number | undefined;
}

/** Continues after a killed run. Prints a line for each thing that it does. */
export async function runRecover(context: Context, options: RecoverOptions): Promise<ExitCode> {
  const isAsked = options.yes === true || options.dryRun === true;
  if (!isAsked && options.all === true)
    throw usageError("--all asks no questions: set --yes, or --dry-run to see what it would do");
  if (!isAsked && !(isInteractive(context) && context.stdin.isTTY))
    throw usageError(
      "this changes the stack, and nobody can be asked without a terminal: set --yes, or --dry-run to see what it would do",
    );
  const limit = limitIn(options.lockOlderThan);
  return withProgress(context, async (progress) => {
    const words = new Words();
    const workspaces = new Workspaces(context, words);
    const shared = { context, progress, words, workspaces, options, limit };
    if (options.all === true) return recoverAll(shared);
    const [project, ...others] = findProjects(context, []);
    if (project === undefined || others.length > 0)
      throw unusableProject("run this in the folder of one project");
    progress.show("reading the stack");
    const stack = options.stack ?? (await workspaces.stacksOf(project)).selected;
    if (stack === undefined)
      throw unusableProject("no stack is selected: run `pulumi stack select`, or use --stack");
    const work = { ...shared, project, stack };
    const code = await recover(work);
    if (code === undefined)
      await say(work, `${stack} has no lock and no pending operation: nothing to recover`);
    return code ?? EXIT.none;
  });
}

/** Recovers all stacks of the projects in this folder, one after the other. An error of one of them does not stop the others. */
async function recoverAll(shared: Omit<Work, "project" | "stack" | "called">): Promise<ExitCode> {
  const { context, progress, workspaces } = shared;
  progress.show("looking for stacks");
  const everything = { directories: [], stacks: [], all: true };
  const { stacks, gaps } = await selectStacks(context, workspaces, everything);
  const tell = (what: string, error: unknown) =>
    progress.note(`error: ${withCode(`${what}: ${lineOf(error)}`, codeOf(error, "COMMAND_FAILED"))}`);
  for (const { what, reason } of gaps) tell(what, unreadableStacks(reason));
  const codes: (ExitCode | undefined)[] = gaps.map(() => EXIT.error);
  const keyOf = ({ name, path }: Project) => keyOfParts(name, backendOf(context.environment, path));
  const folders = Map.groupBy(new Set(stacks.map(({ project }) => project)), keyOf);
  for (const { project, name: stack } of stacks) {
    const called = calledStack({ name: stack, directory: project.directory });
    progress.show(`looking at ${called}`);
    const same = folders.get(keyOf(project)) ?? [];
    const twins = [...new Set(same.map(({ directory }) => directory))].filter(
      (directory) => directory !== project.directory,
    );
    const code = await recover({ ...shared, project, stack, called, twins }).catch((error: unknown) => {
      context.signal.throwIfAborted();
      tell(called, error);
      return EXIT.error;
    });
    codes.push(code);
  }
  const idle = codes.filter((code) => code === undefined).length;
  if (idle > 0)
    await writeResult(context, `${idle} of ${counted(stacks.length, "stack")} had nothing to recover`);
  return [EXIT.error, EXIT.findings].find((code) => codes.includes(code)) ?? EXIT.none;
}

function limitIn(text: string | undefined): number | undefined {
  const limit = text === undefined ? undefined : parseDuration(text);
  if (text !== undefined && limit === undefined)
    throw usageError(`--lock-older-than: ${JSON.stringify(text)} is no duration such as 90m or 2h`);
  return limit;
}

/** Undefined if there is nothing to recover. */
async function recover(work: Work): Promise<ExitCode | undefined> {
  const { context, workspaces, project, stack, options } = work;
  const locks = await judgedLocks(work);
  const before = await deploymentOf(work);
  const pending = stateIn(before, context.directory, context.directory).pending;
  if (locks.length === 0 && objectsIn(before, "pending_operations").length === 0) return undefined;
  const { twins = [] } = work;
  if (twins.length > 0)
    throw unusableProject(
      `${listed(twins, "and")} ${twins.length === 1 ? "has" : "have"} the project name ${project.name} too, and the program of the wrong folder would delete what the stack has. ` +
        `Run \`nodecloud recover --stack ${stack}\` in the right folder`,
    );
  const { values: settings } = await workspaces.settingsOf(project, stack);
  const { key } = SETTINGS.resume;
  if (settings[key] === "false")
    throw new CliError(
      `${key} is false in the configuration of ${stack}, so no run resumes: run \`pulumi config rm ${key}\``,
      { code: "SETTING_INVALID" },
    );
  const open = locks.filter(({ isOver }) => !isOver);
  for (const { called, why } of open) await say(work, `kept ${called}: ${why}`);
  if (open.length > 0) {
    await say(
      work,
      "did nothing else: wait for that run, or set --lock-older-than to a time that no run takes",
    );
    return EXIT.findings;
  }
  const names = pending.map(
    (one) => `${one.operation === "creating" ? "creation" : "operation"} of ${calledPending(one)}`,
  );
  const creations = pending.filter(({ operation }) => operation === "creating");
  // The state does not say how far an update or a deletion came.
  const up = ["up", ...(creations.length === pending.length ? [] : ["--refresh"])];
  if (options.dryRun === true) {
    for (const { called, why } of locks) await say(work, `would remove ${called}: ${why}`);
    await say(work, `would run \`pulumi ${up.join(" ")}\` of ${stack} with ${SETTINGS.resume.variable}=true`);
    for (const name of names) await say(work, `would then see to the pending ${name}`);
    return EXIT.findings;
  }
  const question = `Remove ${locks.length} lock(s) of ${stack}, and run \`pulumi up\` without another question?`;
  if (options.yes !== true && !(await isConfirmed(context, printableLine(question)))) {
    context.stderr.write("nothing was changed\n");
    return EXIT.interrupted;
  }
  if (locks.length > 0) {
    const obstacle = await removeLocks(work, locks);
    if (obstacle !== undefined) {
      await say(work, `did nothing else: ${obstacle}. Run this again after it`);
      return EXIT.findings;
    }
  }
  const resuming = { [SETTINGS.resume.variable]: "true" };
  if (pending.some(({ operation }) => operation === "deleting")) {
    work.progress.show("looking at what `pulumi up` would create");
    const preview = ["preview", ...up.slice(1), "--json", "--stack", stack];
    const created = (await workspaces.creationsIn(project, preview, resuming)) - creations.length;
    if (created > 0) {
      const what = `the interrupted run was deleting, and this would create ${counted(created, "resource")}`;
      const next = `If that was a \`pulumi destroy\`, run it again. Otherwise run \`pulumi ${up.join(" ")}\``;
      await say(work, `did not run \`pulumi up\`: ${what}. ${next}`);
      return EXIT.findings;
    }
  }
  await change(work, "running `pulumi up`", [...up, "--yes", "--stack", stack], resuming);
  await say(work, `ran \`pulumi ${up.join(" ")}\` of ${stack} with ${SETTINGS.resume.variable}=true`);
  const deployment = await deploymentOf(work);
  for (const line of changesOf(before, deployment)) await say(work, line);
  return clearPending(work, settings, { before, deployment });
}

/** A lock, with what tells it from others. */
interface Judged extends LockVerdict {
  readonly key: string;
  readonly called: string;
}

const keysOf = (locks: readonly Judged[]): string => String(locks.map(({ key }) => key).sort());

/**
 * Removes the locks that were judged. `pulumi cancel` removes all locks of the stack, so this looks again directly before: another recovery may have ended, and hold
 * the stack. Returns what stands in the way of `pulumi up`.
 */
async function removeLocks(work: Work, locks: readonly Judged[]): Promise<string | undefined> {
  const release = claim(work);
  if (release === undefined) return "another `nodecloud recover` of this stack runs on this machine";
  try {
    if (keysOf(await judgedLocks(work)) !== keysOf(locks))
      return "another run has changed the lock meanwhile";
    await change(work, "removing the lock", ["cancel", "--yes", "--stack", work.stack]);
  } finally {
    release();
  }
  for (const { called, why } of locks) await say(work, `removed ${called}: ${why}`);
  const [newer] = await judgedLocks(work);
  return newer && `another run has begun meanwhile, with ${newer.called}`;
}

/** Keeps other recoveries of the stack on this machine from removing a lock at the same time. Undefined if one does. */
function claim({ context: { environment }, project, stack }: Work): (() => void) | undefined {
  const folder = folderIn(environment, "recoveries");
  const file = join(folder, `${keyOfParts(backendOf(environment, project.path), project.name, stack)}.json`);
  const own = `${file}.${process.pid}`;
  const release = () => rmSync(file, { force: true });
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const before: unknown = quietly(() => JSON.parse(readFileSync(file, "utf8")));
    if (isRun(before) && isOver(before, statSync(file).mtimeMs, systemClock.now())) release();
    writeFileSync(own, JSON.stringify(thisRun(undefined)));
    // Unlike a renaming, this fails if the file exists.
    linkSync(own, file);
    return release;
  } catch (error) {
    // Without a place for the file, or without links, the second look is what protects.
    return (error as NodeJS.ErrnoException).code === "EEXIST" ? undefined : () => undefined;
  } finally {
    rmSync(own, { force: true });
  }
}

/** The locks of the stack, each with whether its run is surely over. */
async function judgedLocks({ context, workspaces, project, stack, limit }: Work): Promise<Judged[]> {
  const now = systemClock.now();
  const { environment } = context;
  if (!hasOrganizations(backendOf(environment, project.path))) {
    const locks = await workspaces.locksOf(project, stack);
    return locks.map((lock) => ({
      ...{ key: `${lock.host} ${lock.pid} ${lock.since}`, called: calledLock(lock, now) },
      ...verdictOn(lock, { now, limit, environment }),
    }));
  }
  const { stacks } = await workspaces.stacksOf(project);
  const isBusy = stacks.some(({ name, isInProgress }) => isSameStack(name, stack) && isInProgress === true);
  if (!isBusy) return [];
  const called = "the lock that Pulumi Cloud shows";
  const since = await workspaces.runSince(project, stack);
  const lock = { key: String(since), called };
  if (since === undefined || limit === undefined)
    return [
      { ...lock, isOver: false, why: "it names no host and no process, so only its age can be judged" },
    ];
  const began = `its run began ${ageOf(since, now)} ago`;
  return now - since > limit
    ? [{ ...lock, isOver: true, why: `${began}, which is longer than ${formatDuration(limit)}` }]
    : [{ ...lock, isOver: false, why: began }];
}

/** Whether one of two names of a stack is the end of the other: `prod` and `example/infra/prod`. */
const isSameStack = (one: string, other: string): boolean =>
  `/${one}`.endsWith(`/${other}`) || `/${other}`.endsWith(`/${one}`);

/** The objects that a run has put into the state or removed from it, as lines. */
function changesOf(before: Properties, after: Properties): readonly string[] {
  const objectsOf = (deployment: Properties) =>
    stateIn(deployment, "", "").resources.map((one) => `${calledPending(one)} (${one.id})`);
  const [old, now] = [objectsOf(before), objectsOf(after)];
  const added = now.filter((one) => !old.includes(one));
  const removed = old.filter((one) => !now.includes(one));
  return [
    ...(added.length === 0 ? [] : [`it put ${shortened(added).join(", ")} into the state`]),
    ...(removed.length === 0 ? [] : [`it removed ${shortened(removed).join(", ")} from the state`]),
  ];
}

/** Makes the engine forget the pending creations, if nothing that they may have created is missing in the state. It forgets all of them or none. */
async function clearPending(
  work: Work,
  settings: Properties,
  { before, deployment }: { readonly before: Properties; readonly deployment: Properties },
): Promise<ExitCode> {
  const { context, progress, words, stack } = work;
  progress.show("looking for what pending creations may have left");
  const savedAt = savedIn(before, systemClock.now());
  const evidence = { deployment, interrupted: before, savedAt, settings };
  const fates = await fatesOf(context, progress, words, evidence);
  const open = fates.filter(({ kept }) => kept !== undefined);
  const creations = fates.filter(({ isCreation }) => isCreation);
  const kept = open.filter(({ isCreation }) => isCreation);
  for (const { called, kept: why, isCreation } of open)
    await say(
      work,
      isCreation
        ? `kept the pending creation of ${called}: ${why}`
        : `after the interrupted update of ${called}, ${why}`,
    );
  if (kept.length > 0 && kept.length < creations.length)
    await say(work, `kept the other ${creations.length - kept.length} too: the engine clears all or none`);
  const exit = open.length > 0 ? EXIT.findings : EXIT.none;
  if (kept.length > 0 || creations.length === 0) return exit;
  const [root] = objectsIn(deployment, "resources");
  // The engine forgets them before it refreshes. The resource of the stack has nothing to refresh.
  const target = root === undefined ? [] : ["--target", String(root["urn"])];
  const args = ["refresh", "--yes", "--skip-preview", "--clear-pending-creates", "--stack", stack, ...target];
  await change(work, "clearing pending creations", args);
  for (const { called } of creations) await say(work, `cleared the pending creation of ${called}`);
  return exit;
}

async function deploymentOf({ workspaces, project, stack }: Work): Promise<Properties> {
  const deployment = await workspaces.stateOf(project, stack);
  return isObject(deployment) ? deployment : {};
}

/** Runs a command that changes the stack. Its output goes to stderr. */
async function change(
  { context, progress, words, workspaces, project }: Work,
  what: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<void> {
  progress.show(what);
  let begun = "";
  const print = (text: string) => {
    const lines = (begun + text).split("\n");
    begun = lines.pop() ?? "";
    for (const line of lines) progress.note(words.line(line));
  };
  try {
    await workspaces.change(project, args, print, environment);
  } catch (error) {
    context.signal.throwIfAborted();
    const [command = ""] = args;
    throw new CliError(`\`pulumi ${command}\` failed: ${words.line(lineOf(error))}`, {
      code: "PULUMI_FAILED",
      cause: error,
    });
  } finally {
    print("\n");
  }
}

const say = ({ context, called }: Work, line: string): Promise<void> =>
  writeResult(context, printableLine(called === undefined ? line : `${called}: ${line}`));
