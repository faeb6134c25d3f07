import { exec } from "node:child_process";
import { promisify } from "node:util";
import { quietly } from "../../api/quietly";
import { type Context } from "../context";
import { objectsIn } from "../../provider/base/values";
import { reasonIn, unreadableStacks } from "../errors";
import { type Progress } from "../progress";
import { type Gap } from "./names-and-gaps";
import { findProjects, type Project } from "./projects";
import { calledStack, type StateReader, type ReadStacks, stackStateOf, type ReadStack } from "./stack-state";
import { isIn, type SelectedStack, type Selection } from "./select-stacks";
import { lockedInCopies, readStateFile, type StackInFile, stateFilesIn } from "./state-files";

/** Reads states from the files of a backend, which are a copy of it. Their secrets stay encrypted. */
export class StateFileReader implements StateReader {
  readonly #projects: readonly Project[];
  /** The stack of each file that was read. */
  readonly #names = new Map<string, string>();
  #known: ReadStacks = { states: [], gaps: [] };
  #cannotSync = false;

  constructor(
    private readonly context: Context,
    private readonly progress: Progress,
    private readonly files: readonly string[],
    private readonly selection: Pick<Selection, "directories" | "shard" | "sync">,
  ) {
    const { directories } = selection;
    this.#projects =
      directories.length > 0
        ? findProjects(context, directories)
        : (quietly(() => findProjects(context, [])) ?? []);
  }

  async read(): Promise<ReadStacks> {
    await this.#sync();
    return (this.#known = await this.#readAll());
  }

  async readChanged(states: readonly ReadStack[], _of: readonly ReadStack[]): Promise<ReadStacks> {
    const nothing = { states: [], gaps: [] };
    if (this.#cannotSync) return nothing;
    const failure = await this.#sync().catch((error: unknown) => reasonIn(error));
    this.context.signal.throwIfAborted();
    if (failure !== undefined) {
      this.#cannotSync = true;
      return { ...nothing, gaps: [{ what: "what other runs have changed meanwhile", reason: failure }] };
    }
    const locked = lockedInCopies(this.context, this.files);
    const now = await this.#readAll();
    const digests = new Map(states.map(({ stack, digest }) => [calledStack(stack), digest]));
    const there = new Set([
      ...now.states.map(({ stack }) => calledStack(stack)),
      ...now.gaps.map(({ what }) => what),
    ]);
    const gone = states.filter(({ stack }) => !there.has(calledStack(stack)));
    const gaps = [
      ...now.gaps.filter(({ what }) => !this.#known.gaps.some((one) => one.what === what)),
      ...gone.map(({ stack }) => ({ what: calledStack(stack), reason: "its file was removed meanwhile" })),
    ];
    this.#known = now;
    return {
      states: now.states.filter(({ stack, digest }) => digests.get(calledStack(stack)) !== digest),
      gaps,
      locked: new Set(locked),
    };
  }

  /** Lets the command of the user renew the copy. */
  async #sync(): Promise<void> {
    const { sync } = this.selection;
    if (sync === undefined) return;
    this.progress.show("copying the states");
    const { environment: env, directory: cwd, signal } = this.context;
    // A line for each file of a large copy.
    const maxBuffer = 1 << 30;
    await promisify(exec)(sync, { env: { ...env }, cwd, signal, maxBuffer }).catch((error: unknown) => {
      const { code, stderr = "" } = error as { code?: number | string; stderr?: string };
      const said = stderr.trim().split("\n").at(-1) ?? "";
      throw unreadableStacks(`the command of --sync failed (${code}): ${said}`);
    });
  }

  async #readAll(): Promise<ReadStacks> {
    const found = new Map<string, StackInFile>();
    const gaps = new Map<string, Gap>();
    for (const one of await stateFilesIn(this.context, this.files)) {
      const before = this.#names.get(one.file);
      const stack = await readStateFile(this.context, one).catch((error: unknown) => {
        this.context.signal.throwIfAborted();
        const what = before === undefined ? `the state in ${one.place}` : this.#called(before);
        if (this.#isOurs(before ?? one.place)) gaps.set(what, { what, reason: reasonIn(error) });
        return undefined;
      });
      if (stack === undefined) continue;
      // A stack that has lost its resources since is the one that the file had.
      const name = objectsIn(stack.deployment, "resources").length > 0 ? stack.name : (before ?? stack.name);
      this.#names.set(one.file, name);
      if (!this.#isOurs(name)) continue;
      const other = found.get(name);
      const what = this.#called(name);
      if (other === undefined) found.set(name, { ...stack, name });
      else
        gaps.set(what, {
          what,
          reason: `${other.file} and ${one.file} both are its states: leave one of them out, or compare each backend in a run`,
        });
    }
    const readable = [...found.values()].filter(({ name }) => !gaps.has(this.#called(name)));
    return { states: readable.map((one) => this.#stateOf(one)), gaps: [...gaps.values()] };
  }

  #isOurs = (name: string): boolean => isIn(this.selection.shard, name);

  #called(full: string): string {
    const { name, project } = this.#selected(full);
    return calledStack({ name, directory: project.directory });
  }

  #selected(full: string): SelectedStack {
    const [projectName = "", name = ""] = full.split("/");
    const project = this.#projects.find((one) => one.name === projectName);
    // Without the folder of the project, the positions in its program are relative to that folder.
    const { directory } = this.context;
    return { name, project: project ?? { name: projectName, path: directory, directory: projectName } };
  }

  #stateOf({ name, deployment }: StackInFile): ReadStack {
    return stackStateOf(this.context, this.#selected(name), deployment);
  }
}
