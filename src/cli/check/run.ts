import { splitCode } from "../../provider/base/codes";
import { realpathSync } from "node:fs";
import { relative } from "node:path";
import { printableLine } from "../../api/text";
import { Words } from "../../provider/engine/secret-words";
import { isObject } from "../../provider/base/values";
import { type Context } from "../context";
import { EXIT, type ExitCode, lineOf, unusableProject, unreadableStacks } from "../errors";
import { writeResult } from "../output";
import { withProgress } from "../progress";
import { findProjects, type Project, settingsFileIn } from "../stacks/projects";
import { isDecrypted, stateIn } from "../stacks/state";
import { Workspaces } from "../stacks/workspaces";
import { StandInEngine } from "./engine";
import { type Findings, type CheckFormat, formatted, summaryOf } from "./formats";
import { inOrder, type ProgramProblem, problemsOf, type Thrown } from "./problems";
import { type RunnableProgram, programOf, runProgram } from "./program";
import { type KnownState, ProgramResources } from "./resources";
import { type Settings, settingsInFiles } from "./settings";

export interface CheckOptions {
  readonly stack?: string;
  readonly format: CheckFormat;
  readonly out?: string;
}

/** The name of the stack for a program that runs without one. */
const NO_STACK = "check";

/** Runs a program without the engine, and prints the problems of its resources. */
export async function runCheck(
  context: Context,
  directory: string,
  { stack, format, out }: CheckOptions,
): Promise<ExitCode> {
  const [project, ...others] = findProjects(context, [directory]);
  if (project === undefined || others.length > 0)
    throw unusableProject(`there are several projects in ${directory}: name the folder of one`);
  const program = programOf(project);
  const findings = await withProgress(context, (progress) => {
    progress.show("running the program");
    return check(context, { project, program, named: stack, paths: pathsFor(format, context) });
  });
  context.signal.throwIfAborted();
  const text = formatted(format, findings);
  if (text !== "" || out !== undefined) await writeResult(context, text, out);
  for (const note of findings.notes) context.stderr.write(`note: ${printableLine(note)}\n`);
  context.stderr.write(`${summaryOf(findings)}\n`);
  return findings.problems.some(({ severity }) => severity === "error") ? EXIT.findings : EXIT.none;
}

/** The folder to which paths are relative. A workflow of GitHub may run in a part of the repository, and its commands name files of the whole. */
const pathsFor = (format: CheckFormat, { environment, directory }: Context): string =>
  (format === "annotations" && environment["GITHUB_WORKSPACE"]) || directory;

interface CheckTask {
  readonly project: Project;
  readonly program: RunnableProgram;
  /** The stack that the user names. */
  readonly named: string | undefined;
  readonly paths: string;
}

async function check(context: Context, { project, program, named, paths }: CheckTask): Promise<Findings> {
  const words = new Words();
  const workspaces = new Workspaces(context, words);
  const notes: string[] = [];
  const stack = named ?? (await selectedIn(workspaces, project, notes));
  const places = {
    project: project.path,
    program: program.folder,
    directory: realpathSync(paths),
  };
  const known = stack === undefined ? undefined : stateOf(context, workspaces, project, stack, notes);
  const settings = await settingsOf(workspaces, project, stack, notes);
  words.hide(...settings.secrets.map((key) => settings.values[key]));
  const resources = new ProgramResources(context, settings, known ?? Promise.resolve(undefined), places);
  const logged: ProgramProblem[] = [];
  const engine = new StandInEngine(
    { project: project.name, name: (stack ?? NO_STACK).split("/").at(-1) ?? NO_STACK },
    {
      register: (resource) => resources.register(resource),
      outputsInState: () => resources.outputsInState(),
      log: (severity, message) => logged.push({ severity, ...splitCode(message) }),
    },
  );
  // The paths of files are relative to the folder of the program.
  const before = process.cwd();
  process.chdir(program.folder);
  try {
    const run = { project, stack: stack ?? NO_STACK, settings, address: await engine.start() };
    const { thrown, code } = await runProgram(context, program, run);
    const ended = endOf(thrown, code, logged);
    const problems = [
      ...resources.problems,
      ...ended.flatMap((one) => problemsOf(one, places)),
      ...saidBy(thrown, logged),
    ];
    return {
      problems: inOrder(problems.map((problem) => ({ ...problem, message: words.line(problem.message) }))),
      notes: [...notes, ...resources.notes].map((note) => words.line(note)),
      resources: resources.count,
      projectFile: relative(places.directory, settingsFileIn(project.path) ?? project.path),
    };
  } finally {
    engine.stop();
    process.chdir(before);
  }
}

/** The errors of the program. If it ended without a word, the last one says so. */
function endOf(
  thrown: readonly Thrown[],
  code: number | null,
  logged: readonly ProgramProblem[],
): readonly Thrown[] {
  if (code === 0 || logged.some(({ severity }) => severity === "error")) return thrown;
  return [
    ...thrown,
    {
      name: "Error",
      message: code === null ? "a signal ended the program" : `the program ended with the exit code ${code}`,
      stack: "",
    },
  ];
}

/** The problems that the program logs, without its errors, which the SDK logs too. */
const saidBy = (thrown: readonly Thrown[], logged: readonly ProgramProblem[]): ProgramProblem[] =>
  logged.filter(({ message }) => !thrown.some((one) => message.includes(splitCode(one.message).message)));

/** The stack that is selected. Undefined, with a note, if it cannot be found. */
async function selectedIn(
  workspaces: Workspaces,
  project: Project,
  notes: string[],
): Promise<string | undefined> {
  const missing = (reason: string) =>
    void notes.push(`the program runs without the configuration and the state of a stack: ${reason}`);
  try {
    const { selected } = await workspaces.stacksOf(project);
    if (selected === undefined) missing("none is selected; name one with --stack");
    return selected;
  } catch (error) {
    return missing(lineOf(error));
  }
}

/** The state of a stack, so that its own objects count as its own. Undefined, with a note, if it cannot be read. */
async function stateOf(
  { signal }: Context,
  workspaces: Workspaces,
  project: Project,
  stack: string,
  notes: string[],
): Promise<KnownState | undefined> {
  try {
    const deployment = await workspaces.stateOf(project, stack);
    if (!isObject(deployment)) return undefined;
    if (!isDecrypted(deployment)) throw unreadableStacks(`the secrets of stack ${stack} cannot be decrypted`);
    return { deployment, state: stateIn(deployment, project.path, project.path) };
  } catch (error) {
    signal.throwIfAborted();
    notes.push(
      `all resources were checked as new ones, and objects of the stack may seem taken: ${lineOf(error)}`,
    );
    return undefined;
  }
}

/** The configuration of a stack. The command line decrypts the secrets, if there are any. */
async function settingsOf(
  workspaces: Workspaces,
  project: Project,
  stack: string | undefined,
  notes: string[],
): Promise<Settings> {
  const settings = settingsInFiles(project, stack);
  const { encrypted } = settings;
  if (stack === undefined || encrypted.length === 0) return settings;
  try {
    const all = Object.entries(await workspaces.configurationOf(project, stack));
    return {
      values: { ...settings.values, ...Object.fromEntries(all.map(([key, { value }]) => [key, value])) },
      secrets: all.flatMap(([key, { secret }]) => (secret === true ? [key] : [])),
    };
  } catch (error) {
    notes.push(
      `these settings are secret and unknown to the program: ${encrypted.join(", ")}: ${lineOf(error)}`,
    );
    return settings;
  }
}
