import { withCode } from "../../provider/base/codes";
import { basename, relative, resolve } from "node:path";
import { counted, printableLine } from "../../api/text";
import { nameInUrn, partsOfUrn } from "../../provider/describe/urn";
import { Words } from "../../provider/engine/secret-words";
import { SETTINGS } from "../../provider/settings/config";
import { cached } from "../../api/cached";
import { type Properties } from "../../provider/base/values";
import { type Connection, Connections } from "../account/accounts";
import { type Context } from "../context";
import { typesOfOnly } from "../descriptions";
import { type Gap } from "../stacks/names-and-gaps";
import { readIgnoreFile } from "../drift/ignore/ignore";
import { type Managed, managedIn, ManagedObjects } from "../drift/managed";
import { isBeingCreated } from "../drift/settled";
import { CliError, EXIT, type ExitCode, lineOf, usageError } from "../errors";
import { writeResult } from "../output";
import { type Progress, withProgress } from "../progress";
import { projectsBelow } from "../stacks/projects";
import { allRead, readerOf } from "../stacks/read-stacks";
import { calledStack, type ReadStack } from "../stacks/stack-state";
import { Workspaces } from "../stacks/workspaces";
import { PACKAGE, PLUGIN_ENTRY } from "../program/program-files";
import { isConfirmed } from "../terminal";
import { chooseObjects } from "./choose-objects";
import { type Declared, declaredIn, type Taken } from "./declared";
import { planState } from "./from/plan-state";
import { readStack } from "./from/read-stack";
import { readTerraform } from "./from/read-terraform";
import { planResources, type Style } from "./plan-resources";
import { projectFiles, projectNameOf } from "./project-files";
import { summaryOf } from "./summary";
import { type Target, targetOf } from "./target";
import { writeBeside, writeFolder } from "./write-files";
import { type WrittenProgram, programOf } from "./write-source";

export interface ImportOptions {
  readonly only?: readonly string[];
  readonly match?: readonly string[];
  readonly out?: string;
  readonly style: Style;
  readonly protect?: boolean;
  readonly plugin?: boolean;
  readonly stack?: readonly string[];
  readonly all?: boolean;
  readonly ignoreFile?: string;
  readonly yes?: boolean;
  readonly fromTerraform?: string;
  readonly fromStack?: string;
}

/** Reads an account, and writes a program that adopts what no stack manages. */
export async function runImport(
  context: Context,
  directories: readonly string[],
  options: ImportOptions,
): Promise<ExitCode> {
  const { out = directories[0] ?? "." } = options;
  if (options.out === undefined && directories.length > 1)
    throw usageError("name the folder of the program with --out");
  const target = targetOf(context, out);
  const folders = foldersOf(context, target, directories, options);
  const only = typesOfOnly(options.only, directories);
  if (options.match?.includes("tag:") === true)
    throw usageError("--match: the pattern tag: is empty: write a tag after it, such as tag:prod");
  const ignored = await readIgnoreFile(context, options.ignoreFile);
  const source = await sourceOf(context, options);
  const {
    account,
    managed,
    keys,
    notes: found,
  } = await withProgress(context, (progress) =>
    readAccount(context, progress, target, folders, { ...options, only }),
  );
  const notes = [...found, ...unreadNotes(context, target, folders)];
  const declared =
    target.program === undefined
      ? { imports: [], texts: new Set<string>() }
      : declaredIn(target.program.project.path);
  const chosen = chooseObjects(account, managed, {
    ...{ only, match: options.match, ignored },
    today: new Date().toISOString().slice(0, 10),
    declared: new Set(declared.imports.map(({ key }) => key)),
  });
  const taken = takenIn(managed, declared, target, keys);
  const base = target.program?.base ?? "";
  const plan =
    source === undefined
      ? programOf(planResources(account, chosen, { style: options.style, base, taken: taken.names }))
      : planState(account, chosen, source, taken);
  context.signal.throwIfAborted();
  if (plan.files.length > 0) {
    const question = `Write ${counted(plan.files.length, "file")} of a program to ${target.place}?`;
    if (options.yes !== true && !(await isConfirmed(context, printableLine(question)))) {
      context.stderr.write("nothing was written\n");
      return EXIT.interrupted;
    }
    context.signal.throwIfAborted();
    write(target, plan, options);
  }
  await writeResult(context, summaryOf(context, { plan, account, notes, target }));
  return account.gaps.length > 0 ? EXIT.error : EXIT.none;
}

/** The state to adopt, if the command is to read one. */
const sourceOf = async (context: Context, { fromTerraform, fromStack }: ImportOptions) => {
  if (fromTerraform !== undefined) return readTerraform(context, fromTerraform);
  return fromStack === undefined ? undefined : readStack(context, fromStack);
};

/** Names the projects here whose stacks were not read. */
function unreadNotes(context: Context, target: Target, folders: readonly string[]): string[] {
  if (target.program !== undefined || folders.length > 0) return [];
  let here: string[];
  try {
    here = projectsBelow(context.directory);
  } catch (error) {
    return [
      `the projects here could not be looked for, so the program may have objects that they manage: ${lineOf(error)}`,
    ];
  }
  if (here.length === 0) return [];
  const names = here.map((path) => relative(context.directory, path) || ".");
  return [
    `the stacks of ${names.join(", ")} were not read, so the program may have objects that they manage: name the folders, as in nodecloud import ${names[0] ?? ""} --out ${target.directory}`,
  ];
}

/** The folders of the projects whose stacks count. */
function foldersOf(
  { directory }: Context,
  target: Target,
  directories: readonly string[],
  { stack, all }: ImportOptions,
): readonly string[] {
  if (target.program !== undefined) return [...new Set([...directories, target.program.project.directory])];
  const folders = directories.filter((folder) => resolve(directory, folder) !== target.folder);
  if (folders.length === 0 && (all === true || stack !== undefined)) {
    throw usageError(
      `${all === true ? "--all" : "--stack"} needs the folders of projects: nodecloud import infra dns --all --out ${target.directory}`,
    );
  }
  return folders;
}

/** Reads the states of stacks, and the account. The program has the configuration of the first of its stacks. */
async function readAccount(
  context: Context,
  progress: Progress,
  target: Target,
  directories: readonly string[],
  {
    stack = [],
    all = false,
    only,
  }: Pick<ImportOptions, "stack" | "all"> & { only?: ReadonlySet<string> | undefined },
) {
  const words = new Words();
  const connections = new Connections(context, progress, words, { only });
  const reader =
    directories.length === 0
      ? undefined
      : readerOf(context, progress, words, { directories, stacks: stack, all });
  const before = reader === undefined ? [] : allRead(progress, await reader.read());
  progress.show("reading the configuration of the program");
  const project = target.program?.project;
  const state = before.find(({ stack }) => stack.directory === project?.directory);
  const own =
    project && state && (await new Workspaces(context, words).settingsOf(project, state.stack.name));
  connections.trust(own?.values ?? {});
  for (const state of before) managedIn(state, connections, words);
  const wanted = connectionOf(context, connections, own?.values);
  const { accounts, failures } = await connections.accounts();
  const [failure, ...others] = failures.values();
  for (const other of others) progress.note(`error: ${withCode(other.message, other.code)}`);
  if (failure !== undefined) throw failure;
  const account = accounts.get(wanted);
  if (account === undefined) throw new TypeError(`the account at ${wanted.endpoint} was not listed`);
  // Other runs may have created what the account has and those states do not.
  progress.show("looking for changes of other runs");
  const newer = reader === undefined ? [] : allRead(progress, await reader.readChanged(before, before));
  const isNewer = ({ stack }: ReadStack) =>
    newer.some((one) => calledStack(one.stack) === calledStack(stack));
  const states = [...before.filter((one) => !isNewer(one)), ...newer];
  const managed = states.flatMap((one) => managedIn(one, connections, words));
  const owners = new ManagedObjects(managed);
  const pending = states.flatMap((one) => one.state.pending);
  const open = [...account.objects].filter(
    ([key, object]) => !owners.has(account, key) && isBeingCreated(object, pending),
  );
  const objects = new Map(account.objects);
  for (const [key] of open) objects.delete(key);
  const interrupted = states
    .filter(({ state }) => state.pending.length > 0)
    .map(
      ({ stack: { name, directory } }) =>
        `stack ${name} of ${directory} has interrupted operations: run \`nodecloud recover\` or \`pulumi up\` first, because some of its objects may not be in the state`,
    );
  const gaps: Gap[] = account.gaps.map(({ what, reason }) => ({
    what,
    reason: words.line(reason),
  }));
  return {
    account: { ...account, objects, gaps },
    managed,
    // Those of the program: `infra:webRootPass`.
    keys: (own?.keys ?? []).map((key) => key.slice(key.indexOf(":") + 1)),
    notes: [
      ...interrupted,
      ...open.map(
        ([, { description, id }]) =>
          `${description.type} ${id} was left out, because the state of a stack has a pending creation of such an object`,
      ),
    ],
  };
}

/** The account to write: that of new resources of the program, or otherwise the only one of the stacks. */
function connectionOf({ environment }: Context, connections: Connections, own?: Properties): Connection {
  const [first, ...others] = connections.all;
  const hasToken = SETTINGS.token.key in (own ?? {}) || (environment["NODECLOUD_TOKEN"] ?? "") !== "";
  if (hasToken || first === undefined) {
    const missing = ["NODECLOUD_TOKEN", "NODECLOUD_BASE_URL"].find((name) => !environment[name]?.trim());
    if (own === undefined && missing !== undefined)
      throw new CliError(
        `${missing} is not set: a new program has no configuration, so set it in the environment`,
        { code: "SETTING_MISSING" },
      );
    return connections.of(own ?? {});
  }
  if (others.length === 0) return first;
  throw new CliError(
    "the stacks use several accounts: set nodecloud:token or NODECLOUD_TOKEN to a token of the one to import",
    { code: "SETTING_MISSING" },
  );
}

/** Collects the names that the program has already, in its stacks and in its imports. */
function takenIn(
  managed: readonly Managed[],
  { imports, texts }: Declared,
  { program }: Target,
  keys: readonly string[],
): Taken {
  const names = new Map<string, Set<string>>();
  const components = new Set(texts);
  const note = (type: string, name: string) => cached(names, type, () => new Set()).add(name);
  for (const { type, name } of imports) if (name !== undefined) note(type, name);
  for (const { stack, resource } of managed) {
    if (stack.directory !== program?.project.directory) continue;
    note(resource.type, nameInUrn(resource.urn));
    for (const type of partsOfUrn(resource.urn).types.slice(0, -1)) components.add(type);
  }
  return { names, components: [...components], keys: [...keys, ...texts] };
}

function write(
  target: Target,
  plan: WrittenProgram,
  { protect = false, plugin = false }: ImportOptions,
): void {
  const { folder, program } = target;
  const fromPlugin = plugin || program?.usesPlugin === true;
  const options = { protect, from: fromPlugin ? PLUGIN_ENTRY : PACKAGE };
  if (program === undefined) {
    const sources = plan.sources({ ...options, extension: "" });
    const name = projectNameOf(basename(folder));
    return writeFolder(folder, new Map([...projectFiles(name, fromPlugin), ...sources]));
  }
  const { entry, extension, specifier } = program;
  writeBeside(entry, folder, plan.sources({ ...options, extension }), `import "${specifier}";`);
}
