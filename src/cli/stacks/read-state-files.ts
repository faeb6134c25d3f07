import { quietly } from "../../provider/base/quietly";
import { type Context } from "../context";
import { CliError, reasonIn } from "../errors";
import { findProjects, type Project } from "./projects";
import { type Reader, type ReadStacks, stackStateOf, type StackState } from "./stack-state";
import { isIn, type Selection } from "./select-stacks";
import { readStateFile, type StackInFile, stateFilesIn } from "./state-files";

/** Reads states from the files of a backend, which are a copy of it. Their secrets stay encrypted. */
export class StateFileReader implements Reader {
  readonly #projects: readonly Project[];

  constructor(
    private readonly context: Context,
    private readonly files: readonly string[],
    { directories, shard }: Pick<Selection, "directories" | "shard">,
    private readonly isOurs = (name: string) => isIn(shard, name),
  ) {
    this.#projects =
      directories.length > 0
        ? findProjects(context, directories)
        : (quietly(() => findProjects(context, [])) ?? []);
  }

  async read(): Promise<ReadStacks> {
    const found = new Map<string, StackInFile>();
    const gaps: { what: string; reason: string }[] = [];
    for (const file of await stateFilesIn(this.context, this.files)) {
      const one = await readStateFile(this.context, file).catch((error: unknown) => {
        this.context.signal.throwIfAborted();
        if (this.isOurs(file)) gaps.push({ what: `the state in ${file}`, reason: reasonIn(error) });
        return undefined;
      });
      if (one === undefined || !this.isOurs(one.name)) continue;
      const other = found.get(one.name);
      if (other !== undefined)
        throw new CliError(
          `${other.file} and ${file} both are states of the stack ${one.name}: leave one of them out, or compare each backend in a run`,
          { code: "STACKS_UNREADABLE" },
        );
      found.set(one.name, one);
    }
    return { states: [...found.values()].map((one) => this.#stateOf(one)), gaps };
  }

  async readChanged(states: readonly StackState[], _of: readonly StackState[]): Promise<ReadStacks> {
    const now = await this.read();
    const digests = new Map(states.map(({ stack, digest }) => [`${stack.project}/${stack.name}`, digest]));
    const isChanged = ({ stack, digest }: StackState) =>
      digests.get(`${stack.project}/${stack.name}`) !== digest;
    return { states: now.states.filter(isChanged), gaps: [] };
  }

  #stateOf({ name: full, deployment }: StackInFile): StackState {
    const [projectName = "", name = ""] = full.split("/");
    const project = this.#projects.find((one) => one.name === projectName);
    // Without the folder of the project, the positions in its program are relative to that folder.
    const { directory } = this.context;
    const unknown = { name: projectName, path: directory, directory: projectName };
    return stackStateOf(this.context, { name, project: project ?? unknown }, deployment);
  }
}
