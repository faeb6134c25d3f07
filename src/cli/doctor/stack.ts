import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Context } from "../context";
import { lineOf } from "../errors";
import { type Check } from "./check";
import { checkPlugin } from "./plugin";
import { type Configured } from "./settings";

/** What a project's stack tells: its settings, and what its state says of interrupted runs. */
export interface StackFacts {
  readonly checks: readonly Check[];
  readonly configured: Configured;
}

const NOTHING: Configured = { from: "the environment", get: () => undefined };
const PROJECT_FILES = ["Pulumi.yaml", "Pulumi.yml", "Pulumi.json"];

/** Reads the configuration and the state of a stack: the named one, or the one that is selected. */
export async function checkStack(context: Context, named: string | undefined): Promise<StackFacts> {
  const name = "stack";
  const { directory, environment } = context;
  if (!PROJECT_FILES.some((file) => existsSync(join(directory, file)))) {
    const finding = "this folder has no Pulumi project, so only the environment is checked";
    const advice = "run this command in the folder of a project";
    return { checks: [{ name, status: "unknown", finding, advice }], configured: NOTHING };
  }
  try {
    const { LocalWorkspace } = await import("@pulumi/pulumi/automation/index.js");
    const workspace = await LocalWorkspace.create({ workDir: directory, envVars: known(environment) });
    const stack = named ?? (await workspace.stack())?.name;
    if (stack === undefined) {
      const advice = "select one with `pulumi stack select`, or pass --stack";
      return {
        checks: [{ name, status: "unknown", finding: "no stack is selected", advice }],
        configured: NOTHING,
      };
    }
    const settings = await workspace.getAllConfig(stack);
    const exported = await workspace.exportStack(stack);
    return {
      checks: [
        { name, status: "ok", finding: stack },
        pendingOf(exported.deployment),
        ...(await checkPlugin(context, exported.deployment)),
      ],
      configured: { from: `the configuration of ${stack}`, get: (key) => settings[key]?.value },
    };
  } catch (error) {
    context.signal.throwIfAborted();
    const advice = "check the login (`pulumi whoami`), the name of the stack, and its passphrase";
    return { checks: [{ name, status: "problem", finding: reasonOf(error), advice }], configured: NOTHING };
  }
}

const known = (environment: Context["environment"]): Record<string, string> =>
  Object.fromEntries(
    Object.entries(environment).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  );

/** The line with which the command line ends its output, in place of the whole output. */
function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const told = text.split("\n").filter((line) => /^\s*(stderr: )?error: /.test(line));
  return told.at(-1)?.replace(/^\s*(stderr: )?error: /, "") ?? lineOf(error);
}

interface Deployment {
  readonly pending_operations?: readonly {
    readonly type: string;
    readonly resource: { readonly urn: string };
  }[];
}

function pendingOf(deployment: unknown): Check {
  const name = "pending operations";
  const pending = (deployment as Deployment).pending_operations ?? [];
  if (pending.length === 0) return { name, status: "ok", finding: "none" };
  const shown = pending.map(({ type, resource }) => `${type} ${resource.urn}`).join(", ");
  return {
    name,
    status: "warning",
    finding: `a run was interrupted while it was ${shown}`,
    advice: "run `pulumi up`, which resumes; on another machine set nodecloud:resume",
  };
}
