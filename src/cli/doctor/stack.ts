import { Words } from "../../provider/engine/secret-words";
import { objectsIn } from "../../provider/state/values";
import { type Context } from "../context";
import { CliError, lineOf } from "../errors";
import { settingsFileIn } from "../stacks/projects";
import { Workspaces } from "../stacks/workspaces";
import { type Check, outcomesOf } from "./check";
import { checkPlugin } from "./plugin";
import { type Configured } from "./settings";

const NOTHING: Configured = { from: "the environment", get: () => undefined, isInClear: () => false };

/** Reads the configuration and the state of a stack: the named one, or the one that is selected. */
export async function checkStack(context: Context, named: string | undefined) {
  const { ok, problem, unknown } = outcomesOf("stack");
  const only = (check: Check) => ({ checks: [check], configured: NOTHING });
  const { directory } = context;
  if (settingsFileIn(directory) === undefined) {
    const finding = "this folder has no Pulumi project, so only the environment is checked";
    return only(unknown(finding, "run this command in the folder of a project"));
  }
  try {
    const project = { name: "", path: directory, directory: "." };
    const workspaces = new Workspaces(context, new Words());
    const stack = named ?? (await workspaces.stacksOf(project)).selected;
    if (stack === undefined) {
      return only(unknown("no stack is selected", "select one with `pulumi stack select`, or pass --stack"));
    }
    const { values, inClear } = await workspaces.settingsOf(project, stack);
    const deployment = await workspaces.stateOf(project, stack);
    return {
      checks: [ok(stack), pendingOf(deployment), ...(await checkPlugin(context, deployment))],
      configured: {
        from: `the configuration of ${stack}`,
        get: (key: string) => values[key],
        isInClear: (key: string) => inClear.has(key),
      },
    };
  } catch (error) {
    context.signal.throwIfAborted();
    const reason = error instanceof CliError && typeof error.cause === "string" ? error.cause : lineOf(error);
    const advice = "check the login (`pulumi whoami`), the name of the stack, and its passphrase";
    return only(problem(reason, advice));
  }
}

function pendingOf(deployment: unknown): Check {
  const { ok, warning } = outcomesOf("pending operations");
  const pending = objectsIn(deployment, "pending_operations");
  if (pending.length === 0) return ok("none");
  const shown = pending
    .map(({ type, resource }) => `${String(type)} ${(resource as { urn: string }).urn}`)
    .join(", ");
  return warning(
    `a run was interrupted while it was ${shown}`,
    "run `pulumi up`, which resumes; on another machine set nodecloud:resume",
  );
}
