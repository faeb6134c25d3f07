import type { LocalWorkspace, PulumiCommand } from "@pulumi/pulumi/automation";
import { availableParallelism } from "node:os";
import { takingTurns } from "../../api/concurrency";
import { type Words } from "../../provider/engine/secret-words";
import { cached } from "../../provider/base/cached";
import { NAMESPACE } from "../../provider/settings/config";
import { type Context } from "../context";
import { CliError } from "../errors";
import { untilAborted } from "../until-aborted";
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
    const own = Object.entries(await this.configurationOf(project, stack)).filter(([key]) =>
      key.startsWith(NAMESPACE),
    );
    return {
      values: Object.fromEntries(own.map(([key, { value }]) => [key, value])),
      inClear: new Set(own.flatMap(([key, { secret }]) => (secret === true ? [] : [key]))),
    };
  }

  /** The configuration of a stack, with its secrets. */
  configurationOf(project: Project, stack: string) {
    const read = (workspace: LocalWorkspace) => workspace.getAllConfig(stack);
    return this.#run(`the configuration of stack ${stack}`, project, read);
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
      this.context.signal.throwIfAborted();
      const reason = this.words.line(sayingOf(error));
      throw new CliError(`cannot read ${what} of ${project.directory}: ${reason}`, { cause: reason });
    }
  }

  async #open(workDir: string): Promise<LocalWorkspace> {
    const automation = await import("@pulumi/pulumi/automation/index.js").catch((error: unknown) => {
      throw new CliError("@pulumi/pulumi is not installed: add it to the project's dependencies", {
        cause: error,
      });
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
function sayingOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  if (text.includes("ENOENT")) return "the command pulumi is not on the PATH: install the Pulumi CLI";
  const lines = text.split("\n").map((line) => line.trim());
  const said = lines.flatMap((line) => /^(?:stderr: *)?error: *(.+)$/s.exec(line)?.[1] ?? []);
  const isOfCommand = error instanceof Error && "commandResult" in error;
  const otherwise = isOfCommand ? "the command pulumi failed" : (lines[0] ?? "unknown error");
  return withoutCredentials([...new Set(said)].join("; ") || otherwise);
}

/** The address of a backend may hold a user and a password. */
const withoutCredentials = (text: string): string => text.replace(/\/\/[^\s/@]*@/g, "//[secret]@");
