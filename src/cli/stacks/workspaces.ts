import type { LocalWorkspace, PulumiCommand } from "@pulumi/pulumi/automation";
import { execFile } from "node:child_process";
import { availableParallelism } from "node:os";
import { promisify } from "node:util";
import { takingTurns } from "../../api/concurrency";
import { messageIn } from "../../api/redact";
import { type Words } from "../../provider/engine/secret-words";
import { cached } from "../../api/cached";
import { NAMESPACE } from "../../provider/settings/config";
import { type Context } from "../context";
import { CliError, unusableProgram } from "../errors";
import { untilAborted } from "../until-aborted";
import { isObject } from "../../provider/base/values";
import { type Lock, locksIn } from "./locks";
import { type Project } from "./projects";

/** The variables of the command line that hold secrets. */
const SECRET_VARIABLES = ["PULUMI_ACCESS_TOKEN", "PULUMI_CONFIG_PASSPHRASE", "NODECLOUD_TOKEN"];

/** A stack as its backend lists it. */
export interface ListedStack {
  readonly name: string;
  /** When its state was saved last. */
  readonly updated?: string | undefined;
  /** Whether a run changes it now. Only some backends say so. */
  readonly isInProgress?: boolean | undefined;
}

/** How many commands run at a time. Each is a process that computes for a third of a second and has about 100 MB. */
const AT_ONCE = Math.max(4, availableParallelism());

const MOST_BYTES = 1 << 30;

/** Reads stacks with the Pulumi command line. It selects no stack, as that would change the user's selection. */
export class Workspaces {
  readonly #workspaces = new Map<string, Promise<LocalWorkspace>>();
  #command: Promise<PulumiCommand> | undefined;
  readonly #inTurn = takingTurns(AT_ONCE);

  constructor(
    private readonly context: Context,
    private readonly words: Words,
  ) {
    words.hide(...SECRET_VARIABLES.map((name) => context.environment[name]));
  }

  /** A project's stacks, and the name of the selected one. */
  async stacksOf(project: Project): Promise<{ stacks: ListedStack[]; selected: string | undefined }> {
    const stacks = await this.#run("the stacks", project, (workspace) => workspace.listStacks());
    const named = this.context.environment["PULUMI_STACK"];
    const selected = named || stacks.find(({ current }) => current)?.name;
    return {
      stacks: stacks.map(({ name, lastUpdate: updated, updateInProgress: isInProgress }) => ({
        ...{ name, updated, isInProgress },
      })),
      selected,
    };
  }

  /** The state of a stack, with its secrets decrypted. */
  async stateOf(project: Project, stack: string): Promise<unknown> {
    const read = (workspace: LocalWorkspace) => workspace.exportStack(stack);
    return (await this.#run(`stack ${stack}`, project, read)).deployment;
  }

  /** The settings of this package in a stack's configuration, such as `nodecloud:token`, with their secrets. `inClear` are those that it does not encrypt. */
  async settingsOf(project: Project, stack: string) {
    const all = await this.configurationOf(project, stack);
    const own = Object.entries(all).filter(([key]) => key.startsWith(NAMESPACE));
    return {
      keys: Object.keys(all),
      values: Object.fromEntries(own.map(([key, { value }]) => [key, value])),
      inClear: new Set(own.flatMap(([key, { secret }]) => (secret === true ? [] : [key]))),
    };
  }

  /** The configuration of a stack, with its secrets. */
  configurationOf(project: Project, stack: string) {
    const read = (workspace: LocalWorkspace) => workspace.getAllConfig(stack);
    return this.#run(`the configuration of stack ${stack}`, project, read);
  }

  /** Runs a command that may change the stack, and hands on what it prints. `environment` has further variables. Throws its words about an error. */
  async change(
    project: Project,
    args: readonly string[],
    onOutput: (text: string) => void,
    environment: Readonly<Record<string, string>> = {},
  ): Promise<void> {
    await this.#told(project, args, environment, onOutput);
  }

  /**
   * The locks of a stack in a backend of files. No command only reads them. This one renames the stack to the name that it has: it fails on a lock and names it, and
   * otherwise fails because the name is taken. It holds a lock itself for that moment.
   */
  async locksOf(project: Project, stack: string): Promise<Lock[]> {
    try {
      await this.#told(project, ["stack", "rename", stack, "--stack", stack]);
    } catch (error) {
      const text = messageIn(error);
      const locks = locksIn(text);
      if (locks.length > 0 || / already exists/.test(text)) return locks;
      throw this.#unreadable(`the lock of stack ${stack}`, project, error);
    }
    return [];
  }

  /** When the run began that Pulumi Cloud shows as in progress. */
  async runSince(project: Project, stack: string): Promise<number | undefined> {
    try {
      const args = ["stack", "history", "--json", "--page-size", "1", "--page", "1", "--stack", stack];
      const history: unknown = JSON.parse(await this.#told(project, args));
      const last: unknown = Array.isArray(history) ? history[0] : undefined;
      if (!isObject(last) || last["result"] !== "in-progress") return undefined;
      const since = Date.parse(String(last["startTime"]));
      return Number.isNaN(since) ? undefined : since;
    } catch (error) {
      throw this.#unreadable(`the history of stack ${stack}`, project, error);
    }
  }

  /** How many resources a preview would create, apart from replacements. */
  async creationsIn(
    project: Project,
    args: readonly string[],
    environment: Readonly<Record<string, string>>,
  ) {
    try {
      const asOne = { PULUMI_ENABLE_STREAMING_JSON_PREVIEW: "false" };
      const preview: unknown = JSON.parse(await this.#told(project, args, { ...environment, ...asOne }));
      const summary = isObject(preview) ? preview["changeSummary"] : undefined;
      return isObject(summary) ? Number(summary["create"] ?? 0) : 0;
    } catch (error) {
      throw this.#unreadable("the preview", project, error);
    }
  }

  /** Runs a command, and returns what it printed. */
  async #told(
    { path }: Project,
    args: readonly string[],
    environment: Readonly<Record<string, string>> = {},
    onOutput?: (text: string) => void,
  ): Promise<string> {
    const variables = { ...this.context.environment, ...environment };
    const options = { cwd: path, env: variables, maxBuffer: MOST_BYTES };
    const ran = promisify(execFile)("pulumi", [...args, "--non-interactive"], options);
    for (const stream of [ran.child.stdout, ran.child.stderr])
      stream?.setEncoding("utf8").on("data", (text: string) => onOutput?.(text));
    return (await untilAborted(this.context.signal, ran)).stdout;
  }

  #unreadable(what: string, project: Project, error: unknown): unknown {
    this.context.signal.throwIfAborted();
    const reason = this.words.line(sayingOf(error));
    return new CliError(`cannot read ${what} of ${project.directory}: ${reason}`, {
      code: "PULUMI_FAILED",
      cause: reason,
    });
  }

  async #run<Result>(
    what: string,
    project: Project,
    work: (workspace: LocalWorkspace) => Promise<Result>,
  ): Promise<Result> {
    try {
      const { path } = project;
      const workspace = cached(this.#workspaces, path, () => this.#open(path));
      const inTurn = this.#inTurn(this.context.signal, async () => work(await workspace));
      return await untilAborted(this.context.signal, inTurn);
    } catch (error) {
      throw this.#unreadable(what, project, error);
    }
  }

  async #open(workDir: string): Promise<LocalWorkspace> {
    const automation = await import("@pulumi/pulumi/automation/index.js").catch((error: unknown) => {
      throw unusableProgram("@pulumi/pulumi is not installed: add it to the project's dependencies", error);
    });
    this.#command ??= automation.PulumiCommand.get();
    const workspace = await automation.LocalWorkspace.create({ workDir, pulumiCommand: await this.#command });
    // The API adds these to the variables of this process, which may have others.
    const none = Object.fromEntries(Object.keys(process.env).map((name) => [name, undefined]));
    Object.assign(workspace.envVars, none, this.context.environment);
    return workspace;
  }
}

/** The command line's words about an error, without the rest of its output, which may hold a state. */
export function sayingOf(error: unknown): string {
  const text = messageIn(error);
  if (error instanceof SyntaxError)
    return "the command pulumi does not print JSON: check that `pulumi version` is 3.216.0 or newer";
  if (text.includes("ENOENT")) return "the command pulumi is not on the PATH: install the Pulumi CLI";
  const [, code] = /\bspawn \S+ (E[A-Z]+)/.exec(text) ?? [];
  if (code !== undefined) return `the command pulumi cannot be started (${code})`;
  const lines = text.split("\n").map((line) => line.trim());
  const said = lines.flatMap((line) => /^(?:stderr: *)?error: *(.+)$/s.exec(line)?.[1] ?? []);
  const isOfCommand = error instanceof Error && "commandResult" in error;
  const otherwise = isOfCommand ? "the command pulumi failed" : (lines[0] ?? "unknown error");
  return withoutCredentials([...new Set(said)].join("; ") || otherwise);
}

/** The address of a backend may hold a user and a password. */
export const withoutCredentials = (text: string): string =>
  text
    .replace(/\/\/[^\s/@]*@/g, "//[secret]@")
    .replace(/([?&][^=&\s]*(?:key|secret|token|password|credential|sig)[^=&\s]*=)[^&\s]+/gi, "$1[secret]");
