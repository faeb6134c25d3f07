import { type Context } from "../context";
import { hintFor } from "../../provider/base/nearest-name";
import { CliError } from "../errors";
import { findProjects, type Project } from "./projects";
import { type Workspaces } from "./workspaces";

/** The stacks to read. */
export interface Selection {
  /** The folders of projects, or folders that contain projects. */
  readonly directories: readonly string[];
  /** The names of stacks. Without names, it is the selected stack of each project. */
  readonly stacks: readonly string[];
  /** Whether all stacks of the projects are read. */
  readonly all: boolean;
}

/** A stack of a project, as the command line names it. */
export interface SelectedStack {
  readonly project: Project;
  readonly name: string;
}

/** Finds the stacks that a command line names. Throws if it finds none, or not all of them. */
export async function selectStacks(
  context: Context,
  workspaces: Workspaces,
  { directories, stacks, all }: Selection,
): Promise<SelectedStack[]> {
  const projects = findProjects(context, directories);
  const [only] = projects;
  // The command line itself says that a stack does not exist.
  if (stacks.length > 0 && only !== undefined && projects.length === 1) {
    return [...new Set(stacks)].map((name) => ({ project: only, name }));
  }
  const known = await Promise.all(
    projects.map(async (project) => ({ project, ...(await workspaces.stacksOf(project)) })),
  );
  if (stacks.length > 0) return named(known, stacks);
  if (all) {
    const found = known.flatMap(({ project, names }) => names.map((name) => ({ project, name })));
    if (found.length === 0)
      throw new CliError(`there is no stack in ${listed(projects)}: run \`pulumi stack init\` there`);
    return found;
  }
  const missing = known.filter(({ selected }) => selected === undefined).map(({ project }) => project);
  if (missing.length > 0) {
    throw new CliError(
      `no stack is selected in ${listed(missing)}: run \`pulumi stack select\` there, or use --stack or --all`,
    );
  }
  return known.flatMap(({ project, selected }) =>
    selected === undefined ? [] : [{ project, name: selected }],
  );
}

/** Each name may be that of a stack in several projects. */
function named(
  known: readonly { readonly project: Project; readonly names: readonly string[] }[],
  stacks: readonly string[],
): SelectedStack[] {
  return [...new Set(stacks)].flatMap((wanted) => {
    const [organization, inProject] = wanted.split("/").slice(-3, -1);
    const found = known.flatMap(({ project, names }): SelectedStack[] => {
      if (inProject !== undefined) return inProject === project.name ? [{ project, name: wanted }] : [];
      const isWanted = (name: string) =>
        organization === undefined ? name.split("/").at(-1) === wanted : name === wanted;
      return names.filter(isWanted).map((name) => ({ project, name }));
    });
    if (found.length === 0) {
      const projects = listed(known.map(({ project }) => project));
      const names = [
        ...new Set(known.flatMap((one) => one.names.map((name) => name.split("/").at(-1) ?? name))),
      ];
      const hint = names.length === 0 ? "`pulumi stack init` makes one" : hintFor(wanted, names, "stacks");
      throw new CliError(`there is no stack ${wanted} in ${projects}; ${hint}`);
    }
    return found;
  });
}

const listed = (projects: readonly Project[]): string =>
  projects.map(({ directory }) => directory).join(", ");
