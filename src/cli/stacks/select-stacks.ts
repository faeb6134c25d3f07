import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { resolve } from "node:path";
import { type Context } from "../context";
import { hintFor } from "../../provider/base/nearest-name";
import { quietly } from "../../api/quietly";
import { backendOf, stacksIn } from "../../provider/engine/backend";
import { type Gap } from "./names-and-gaps";
import { reasonIn, unusableProject } from "../errors";
import { findProjects, type Project, settingsIn } from "./projects";
import { type ListedStack, type Workspaces } from "./workspaces";

/** The stacks to read. */
export interface Selection {
  /** The folders of projects, or folders that contain projects. */
  readonly directories: readonly string[];
  /** The names of stacks. Without names, it is the selected stack of each project. */
  readonly stacks: readonly string[];
  /** Whether all stacks of the projects are read. */
  readonly all: boolean;
  /** Files with states, or folders that contain them. The engine is not asked then. */
  readonly states?: readonly string[] | undefined;
  /** The command that copies these files, before they are read. */
  readonly sync?: string | undefined;
  /** Only the stacks of this part are read. */
  readonly shard?: Shard | undefined;
}

/** The part of a selection that one of several runs reads. */
export interface Shard {
  /** From 1. */
  readonly index: number;
  readonly count: number;
}

/** Whether a stack is in a part. A hash decides, as other stacks may come and go while the runs read theirs. */
export function isIn(shard: Shard | undefined, stack: string): boolean {
  if (shard === undefined) return true;
  const hash = createHash("sha256").update(stack).digest().readUInt32BE(0);
  return hash % shard.count === shard.index - 1;
}

/** A stack of a project, as the command line names it. */
export interface SelectedStack extends ListedStack {
  readonly project: Project;
}

/** The selected stacks, and the projects whose stacks cannot be listed. */
interface Selected {
  readonly stacks: readonly SelectedStack[];
  readonly gaps: readonly Gap[];
}

/** The engine names no stack when one of them makes its list fail. */
export const LIST_FAILS =
  "One damaged state makes the list of all stacks fail: `nodecloud drift --states` with a copy of the backend names its file";

/** Finds the stacks that a command line names. Throws if it finds none, or not all of them. */
export async function selectStacks(
  context: Context,
  workspaces: Workspaces,
  { directories, stacks, all }: Selection,
): Promise<Selected> {
  const projects = findProjects(context, directories);
  const [only] = projects;
  // The command line itself says that a stack does not exist.
  if (stacks.length > 0 && only !== undefined && projects.length === 1) {
    return { stacks: [...new Set(stacks)].map((name) => ({ project: only, name })), gaps: [] };
  }
  const listings = await Promise.allSettled(projects.map((project) => workspaces.stacksOf(project)));
  context.signal.throwIfAborted();
  const known: Known[] = [];
  const gaps: Gap[] = [];
  for (const [index, project] of projects.entries()) {
    const listing = listings[index];
    if (listing?.status === "fulfilled") known.push({ project, ...listing.value });
    // A person who names stacks, or has selected them, wants all of them.
    else if (!all) throw listing?.reason;
    else {
      const { names, areAll } = namesInFiles(context, project);
      if (names.length === 0 && projects.length === 1) throw listing?.reason;
      known.push({ project, stacks: names.map((name) => ({ name })), selected: undefined });
      const reason = `${reasonIn(listing?.reason)}. ${LIST_FAILS}`;
      const others = names.length === 0 ? "" : ` without a Pulumi.STACK.yaml`;
      if (!areAll) gaps.push({ what: `the stacks of ${project.directory}${others}`, reason });
    }
  }
  if (stacks.length > 0) return { stacks: named(known, stacks), gaps };
  if (all) {
    const found = known.flatMap(({ project, stacks: own }) => own.map((one) => ({ ...one, project })));
    if (found.length === 0 && gaps.length === 0)
      throw unusableProject(`there is no stack in ${listed(projects)}: run \`pulumi stack init\` there`);
    return { stacks: found, gaps };
  }
  const missing = known.filter(({ selected }) => selected === undefined).map(({ project }) => project);
  if (missing.length > 0) {
    throw unusableProject(
      `no stack is selected in ${listed(missing)}: run \`pulumi stack select\` there, or use --stack or --all`,
    );
  }
  const selected = known.flatMap(({ project, selected: name }) =>
    name === undefined ? [] : [{ project, name }],
  );
  return { stacks: selected, gaps };
}

/** The stacks of a project that files name: all that a backend of files has, and otherwise those with a configuration. */
function namesInFiles({ environment }: Context, { name: own, path }: Project) {
  const ofBackend = stacksIn(backendOf(environment, path));
  if (ofBackend !== undefined) {
    const names = ofBackend.map((name) => name.split("/")).filter(([project]) => project === own);
    return { names: names.map(([, stack = ""]) => stack), areAll: true };
  }
  const { stackConfigDir } = settingsIn(path);
  const folder = resolve(path, typeof stackConfigDir === "string" ? stackConfigDir : ".");
  const names = (quietly(() => readdirSync(folder)) ?? []).flatMap(
    (file) => /^Pulumi\.(.+)\.(?:ya?ml|json)$/.exec(file)?.[1] ?? [],
  );
  return { names: [...new Set(names)].sort(), areAll: false };
}

/** A project whose stacks are listed. */
interface Known extends Awaited<ReturnType<Workspaces["stacksOf"]>> {
  readonly project: Project;
}

/** Each name may be that of a stack in several projects. */
function named(known: readonly Known[], stacks: readonly string[]): SelectedStack[] {
  return [...new Set(stacks)].flatMap((wanted) => {
    const [organization, inProject] = wanted.split("/").slice(-3, -1);
    const found = known.flatMap(({ project, stacks: own }): SelectedStack[] => {
      if (inProject !== undefined) return inProject === project.name ? [{ project, name: wanted }] : [];
      const isWanted = (name: string) =>
        organization === undefined ? name.split("/").at(-1) === wanted : name === wanted;
      return own.filter(({ name }) => isWanted(name)).map((one) => ({ ...one, project }));
    });
    if (found.length === 0) {
      const projects = listed(known.map(({ project }) => project));
      const names = [
        ...new Set(known.flatMap((one) => one.stacks.map(({ name }) => name.split("/").at(-1) ?? name))),
      ];
      const hint = names.length === 0 ? "`pulumi stack init` makes one" : hintFor(wanted, names, "stacks");
      throw unusableProject(`there is no stack ${wanted} in ${projects}; ${hint}`);
    }
    return found;
  });
}

const listed = (projects: readonly Project[]): string =>
  projects.map(({ directory }) => directory).join(", ");
