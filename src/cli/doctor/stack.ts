import { counted, listed } from "../../api/text";
import { classIn } from "../../provider/describe/type-token";
import {
  isDefaultProvider,
  nameInUrn,
  PLUGIN_PROVIDER,
  PROVIDERS,
  urnInReference,
} from "../../provider/describe/urn";
import { NEW_TOKEN, SETTINGS, strangeKeys } from "../../provider/settings/config";
import { Words } from "../../provider/engine/secret-words";
import { isObject, objectsIn } from "../../provider/base/values";
import { type Context } from "../context";
import { reasonIn } from "../errors";
import { type Project, settingsFileIn, settingsIn } from "../stacks/projects";
import { LIST_FAILS } from "../stacks/select-stacks";
import { Workspaces } from "../stacks/workspaces";
import { type Check, outcomesOf } from "./check";
import { checkBackend, checkLock } from "./lock";
import { checkPlugin } from "./plugin";
import { type Configured } from "./settings";

const NOTHING: Configured = { from: "the environment", get: () => undefined, isInClear: () => false };

/** The stack to check: the named one, or the one that is selected. */
export interface Examined {
  readonly stack?: string;
  /** Whether to ask for its lock, even if that takes it for a moment. */
  readonly checkLock?: boolean;
}

/** Reads the configuration and the state of a stack. */
export async function checkStack(context: Context, of: Examined, hasEngine: boolean) {
  const { stack: named, checkLock: takesLock = false } = of;
  const { ok, problem, unknown } = outcomesOf("stack");
  const only = (check: Check) => ({ checks: [check], configured: NOTHING });
  const { directory } = context;
  if (settingsFileIn(directory) === undefined) {
    const finding = "this folder has no Pulumi project, so only the environment is checked";
    return only(unknown(finding, "run this command in the folder of a project"));
  }
  if (!hasEngine)
    return only(unknown("not read, because the Pulumi CLI cannot be used", "see the check `engine`"));
  try {
    const project = { name: "", path: directory, directory: "." };
    const workspaces = new Workspaces(context, new Words());
    const stack = named ?? (await workspaces.stacksOf(project)).selected;
    if (stack === undefined) {
      return only(unknown("no stack is selected", "select one with `pulumi stack select`, or pass --stack"));
    }
    const { values, inClear } = await workspaces.settingsOf(project, stack);
    const deployment = await workspaces.stateOf(project, stack);
    const lock = await checkLock(context, workspaces, { project, stack, deployment, takesLock });
    return {
      checks: [
        ok(stack),
        checkBackend(context),
        lock,
        // Without a name, the list was read above.
        ...(named === undefined ? [] : await checkList(workspaces, project)),
        ...strangeNames(Object.keys(values), directory),
        pendingOf(deployment, lock),
        tokenIn(deployment, values[SETTINGS.token.key]),
        ...(await checkPlugin(context, deployment)),
      ],
      configured: {
        from: `the configuration of ${stack}`,
        get: (key: string) => values[key],
        isInClear: (key: string) => inClear.has(key),
        explicit: explicitIn(deployment),
      },
    };
  } catch (error) {
    context.signal.throwIfAborted();
    const advice = "check the login (`pulumi whoami`), the name of the stack, and its passphrase";
    return { checks: [problem(reasonIn(error), advice), checkBackend(context)], configured: NOTHING };
  }
}

/** Says whether the stacks can be listed: the provider asks for the list before it takes over or deletes what may be another stack's. */
async function checkList(workspaces: Workspaces, project: Project): Promise<Check[]> {
  const { problem } = outcomesOf("list of stacks");
  return workspaces.stacksOf(project).then(
    () => [],
    (error: unknown) => [problem(`the stacks cannot be listed: ${reasonIn(error)}`, LIST_FAILS)],
  );
}

/** The settings of the stack that the provider does not have, such as mistyped ones. */
const strangeNames = (keys: readonly string[], directory: string): Check[] =>
  strangeKeys(keys, String(settingsIn(directory)["name"])).map((problem) =>
    outcomesOf("name of a setting").problem(
      problem,
      "correct it with `pulumi config rm` and `pulumi config set`",
    ),
  );

/**
 * Looks for tokens that the state does not encrypt: the engine keeps the settings of each provider in it, twice. Compares that of the default provider with the
 * configuration's.
 */
function tokenIn(deployment: unknown, configured: string | undefined): Check {
  const { ok, warning } = outcomesOf("token in the state");
  const inClear = objectsIn(deployment, "resources").filter(({ type, inputs, outputs }) => {
    const key = TOKENS.get(String(type));
    return key !== undefined && [inputs, outputs].some((all) => isObject(all) && isText(all[key]));
  });
  if (inClear.length === 0 && isOld(deployment, configured))
    return warning(
      "the configuration has another token since the last `pulumi up`; `pulumi refresh`, `pulumi destroy` and `nodecloud drift` use the old one",
      "run `pulumi up`",
    );
  if (inClear.length === 0) return ok("none in clear text");
  const names = inClear.map(({ urn }) => nameInUrn(String(urn))).join(", ");
  return warning(
    `the state has the token of ${counted(inClear.length, "provider")} in clear text: ${names}`,
    `${NEW_TOKEN}. Run \`pulumi up\`, and delete the old token, as backends keep old states`,
  );
}

/** Says which explicit providers the resources of this package have. Undefined if some have the default provider, or there is none. */
function explicitIn(deployment: unknown): string | undefined {
  const own = objectsIn(deployment, "resources").filter(
    ({ type, custom }) => custom === true && classIn(String(type)) !== undefined,
  );
  const names = [...new Set(own.map(({ provider }) => nameInUrn(urnInReference(String(provider)))))];
  if (own.length === 0 || names.some(isDefaultProvider)) return undefined;
  return `all its resources (${own.length}) have the ${names.length === 1 ? "provider" : "providers"} ${listed(names, "and")}`;
}

/** Whether the default provider in the state has another token than the configuration. */
const isOld = (deployment: unknown, configured: string | undefined): boolean =>
  configured !== undefined &&
  objectsIn(deployment, "resources").some(({ urn, type, inputs }) => {
    const key = TOKENS.get(String(type));
    if (key === undefined || !isObject(inputs) || !isDefaultProvider(nameInUrn(String(urn)))) return false;
    const plaintext = isObject(inputs[key]) ? inputs[key]["plaintext"] : undefined;
    return typeof plaintext === "string" && JSON.parse(plaintext) !== configured;
  });

/** The setting with the token, by the type of the provider. */
const TOKENS: ReadonlyMap<string, string> = new Map([
  [`${PROVIDERS}pulumi-nodejs`, SETTINGS.token.key],
  [PLUGIN_PROVIDER, "token"],
]);

/** A secret is an object. */
const isText = (value: unknown): boolean => typeof value === "string" && value !== "";

/** Without a lock, the run that began an operation is over. */
function pendingOf(deployment: unknown, lock: Check): Check {
  const { ok, warning } = outcomesOf("pending operations");
  const pending = objectsIn(deployment, "pending_operations");
  if (pending.length === 0) return ok("none");
  const shown = pending
    .map(({ type, resource }) => `${String(type)} ${(resource as { urn: string }).urn}`)
    .join(", ");
  return warning(
    lock.status === "ok"
      ? `a run was interrupted while it was ${shown}`
      : `a run is ${shown}, or was interrupted while it was`,
    pending.every(({ type }) => type === "creating")
      ? "run `nodecloud recover`, or `pulumi up`, which resumes; on another machine set nodecloud:resume"
      : "run `nodecloud recover`, or `pulumi up --refresh`, which also resumes creations; on another machine set nodecloud:resume",
  );
}
