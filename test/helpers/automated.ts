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

type Operation = (...args: string[]) => Promise<Outcome>;

/** The operations of the Automation API in one folder, with the options of the command line. */
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
  diff: { type: "boolean" },
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

/** Options as the Automation API names them, and the stack that they name. */
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

/** The command line on PATH. It is asked for its version, once. */
let command: Promise<PulumiCommand> | undefined;

async function workspaceIn(folder: string, env: NodeJS.ProcessEnv): Promise<LocalWorkspace> {
  command ??= PulumiCommand.get();
  const workspace = await LocalWorkspace.create({ workDir: folder, pulumiCommand: await command });
  // The API adds these to the variables of this process: what the stack does not have must not come from there.
  const get = () => ({
    ...Object.fromEntries(Object.keys(process.env).map((name) => [name, undefined])),
    ...env,
  });
  return Object.defineProperty(workspace, "envVars", { get });
}

/** After each operation the API reads the outputs and the history of the stack, by three commands more. Nothing here asks for them. */
const withoutSummaries = (stack: Stack): Stack =>
  Object.assign(stack, { outputs: () => Promise.resolve({}), info: () => Promise.resolve(undefined) });

/** Drives the stacks in a folder. `env` is all of their environment, and may change between commands; its `PULUMI_STACK` names the stack. */
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

/** The API hands an exit code over within its error only, where its types do not show it. */
function codeOf(error: unknown): number {
  if (!(error instanceof CommandError)) throw error;
  const { commandResult } = error as unknown as { commandResult: { err?: { exitCode?: number } } };
  return commandResult.err?.exitCode ?? 1;
}
