import { parseArgs } from "node:util";
import {
  CommandError,
  type DestroyOptions,
  type EngineEvent,
  LocalWorkspace,
  type PreviewOptions,
  PulumiCommand,
  type RefreshOptions,
  Stack,
  type UpOptions,
} from "@pulumi/pulumi/automation";
import { type Outcome, outcomeOf } from "./outcome";
import { SECRETS_PROVIDER, vault } from "./vault";

type Operation = (...args: string[]) => Promise<Outcome>;

/** The operations of the Automation API in one folder. They take the flags of the command line. */
export interface Automated {
  /** Makes a stack. */
  init(name: string): Promise<void>;
  readonly preview: Operation;
  readonly up: Operation;
  readonly refresh: Operation;
  /** `refresh --preview-only --expect-no-changes`: what a nightly job runs. */
  readonly drift: Operation;
  readonly destroy: Operation;
  /** The resources in the state, secrets decrypted. */
  resources(): Promise<readonly unknown[]>;
}

const FLAGS = {
  "continue-on-error": { type: "boolean" },
  diff: { type: "boolean" },
  exclude: { type: "string", multiple: true },
  "expect-no-changes": { type: "boolean" },
  plan: { type: "string" },
  "policy-pack": { type: "string", multiple: true },
  refresh: { type: "boolean" },
  replace: { type: "string", multiple: true },
  "run-program": { type: "boolean" },
  "save-plan": { type: "string" },
  stack: { type: "string" },
  target: { type: "string", multiple: true },
} as const;

type Options = UpOptions & PreviewOptions & RefreshOptions & DestroyOptions;

/** The options for the Automation API, and the stack that the flags name. */
function optionsIn(args: readonly string[]): { stack: string | undefined; options: Options } {
  const { stack, "save-plan": plan, ...values } = parseArgs({ args: [...args], options: FLAGS }).values;
  const named = { ...(plan !== undefined && { plan }), ...values };
  const camelCase = (name: string) => name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
  const options = Object.entries(named).map(([name, value]) => [
    name === "policy-pack" ? "policyPacks" : camelCase(name),
    value,
  ]);
  return { stack, options: Object.fromEntries(options) as Options };
}

/** The command line on PATH. The API asks it for its version, once for each test file. */
let command: Promise<PulumiCommand> | undefined;

async function workspaceIn(folder: string, env: NodeJS.ProcessEnv): Promise<LocalWorkspace> {
  command ??= PulumiCommand.get();
  const options = { workDir: folder, pulumiCommand: await command, secretsProvider: SECRETS_PROVIDER };
  const workspace = await LocalWorkspace.create(options);
  Object.assign(env, await vault());
  // The API adds these to the variables of this process, so this hides each of those that the stack does not set.
  const get = () => ({
    ...Object.fromEntries(Object.keys(process.env).map((name) => [name, undefined])),
    ...env,
  });
  return Object.defineProperty(workspace, "envVars", { get });
}

/** After an operation the API runs up to three commands for the stack's outputs and history. Tests do not need them. */
const withoutSummaries = (stack: Stack): Stack =>
  Object.assign(stack, { outputs: () => Promise.resolve({}), info: () => Promise.resolve(undefined) });

/** Drives the stacks in a folder. `env` is their whole environment. It may change between commands, and its `PULUMI_STACK` names the stack. */
export function automated(folder: string, env: NodeJS.ProcessEnv): Automated {
  let workspace: Promise<LocalWorkspace> | undefined;
  const ready = () => (workspace ??= workspaceIn(folder, env));
  const stacks = new Map<string, Promise<Stack>>();
  const stackOf = (name = env["PULUMI_STACK"] ?? "test"): Promise<Stack> => {
    const known =
      stacks.get(name) ??
      ready()
        .then((found) => Stack.select(name, found))
        .then(withoutSummaries);
    stacks.set(name, known);
    return known;
  };

  const operation =
    (run: (stack: Stack, options: Options) => Promise<unknown>): Operation =>
    async (...args) => {
      const { stack, options } = optionsIn(args);
      let printed = "";
      const add = (text: string) => (printed += text);
      const events: EngineEvent[] = [];
      const onEvent = (event: EngineEvent) => void events.push(event);
      const code = await run(await stackOf(stack), { ...options, onEvent, onOutput: add, onError: add }).then(
        () => 0,
        codeOf,
      );
      const all = [printed, ...events.map((event) => JSON.stringify(event))].join("\n");
      return outcomeOf(code, all, events);
    };

  return {
    init: async (name) => {
      const made = ready().then((found) => Stack.create(name, found));
      stacks.set(name, made.then(withoutSummaries));
      await made;
    },
    preview: operation((stack, options) => stack.preview(options)),
    up: operation((stack, options) => stack.up(options)),
    refresh: operation((stack, options) => stack.refresh(options)),
    drift: operation((stack, options) =>
      stack.refresh({ ...options, previewOnly: true, expectNoChanges: true }),
    ),
    destroy: operation((stack, options) => stack.destroy(options)),
    resources: async () => {
      const { deployment } = await (await stackOf()).exportStack();
      return (deployment as { resources?: unknown[] }).resources ?? [];
    },
  };
}

/** Only the API's error contains the exit code, and its types do not show it. */
function codeOf(error: unknown): number {
  if (!(error instanceof CommandError)) throw error;
  const { commandResult } = error as unknown as { commandResult: { err?: { exitCode?: number } } };
  return commandResult.err?.exitCode ?? 1;
}
