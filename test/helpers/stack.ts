import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { engineEnvironment } from "../../scripts/environment.cjs";
import { FORMS, GIVEN } from "../../src/provider/state/hidden";
import { type TestEmulator } from "./emulator";
import { programFolder, type ProgramFolder } from "./programs";

type Json = Record<string, unknown>;

/** What a command of the real CLI came to. */
export interface Outcome {
  readonly code: number;
  /** All that it printed, events included. */
  readonly printed: string;
  /** Its errors and warnings, as the engine reports them. */
  readonly messages: readonly string[];
  /** How many resources of ours went through each kind of step. */
  readonly steps: Readonly<Record<string, number>>;
  /** The steps by the name of the resource, in their order. */
  readonly stepsOf: (name: string) => readonly string[];
  /** For each step that changes something: the name of the resource and the step. */
  readonly order: readonly string[];
  /** The inputs that each resource of ours is to have, by its name. */
  readonly planned: Readonly<Record<string, Json>>;
  /** What a refresh found to be different: the name of the resource and the path of the input. */
  readonly drifted: readonly string[];
}

/** A resource as the state keeps it, its secrets in the clear. */
export interface StateResource {
  readonly urn: string;
  readonly type: string;
  readonly id: string;
  readonly inputs: Json;
  readonly outputs: Json;
  readonly initErrors?: readonly string[];
  /** The explicit or default provider, as the engine refers to it. */
  readonly provider: string;
  readonly sourcePosition?: string;
  readonly stackTrace?: readonly { readonly sourcePosition?: string }[];
}

/** The commands of the real CLI in one folder. */
export interface Commands {
  readonly env: NodeJS.ProcessEnv;
  preview(...args: string[]): Promise<Outcome>;
  up(...args: string[]): Promise<Outcome>;
  refresh(...args: string[]): Promise<Outcome>;
  /** `refresh --preview-only --expect-no-changes`: what a nightly job runs. */
  drift(): Promise<Outcome>;
  destroy(...args: string[]): Promise<Outcome>;
  /** Any other command. */
  pulumi(...args: string[]): Promise<Outcome>;
  /** Starts a command without waiting for its end. */
  start(...args: string[]): { readonly process: ChildProcess; readonly ended: Promise<Outcome> };
}

/** A stack of its own with its own home, backend and passphrase: nothing of the user's is read or touched. */
export interface TestStack extends Commands {
  readonly folder: ProgramFolder;
  /** Writes the program: JavaScript with `pulumi` and `nodecloud` in scope. */
  program(source: string): void;
  /** The resources of this package in the state, by name, secrets decrypted. */
  state(): Promise<Readonly<Record<string, StateResource>>>;
  /** The text of the state file as it lies on disk. */
  rawState(): string;
  remove(): void;
}

/** What a program has to know of the service. */
type Reached = Pick<TestEmulator, "token" | "url">;

const PASSPHRASE = "test";
const OURS = "pulumi-nodejs:dynamic/nodecloud:";
const CHANGING = ["create", "update", "replace", "delete", "create-replacement", "delete-replaced"];
const nameIn = (urn: string): string => urn.split("::").at(-1) ?? urn;

/** Where the state of the stacks in a folder is kept. */
const stateIn = (path: string) => join(path, ".state");

/** The CLI in a folder, with a home and a backend in it, whose programs reach this emulator by the environment. */
export function commandsIn(path: string, emulator: Reached): Commands {
  const env: NodeJS.ProcessEnv = {
    ...engineEnvironment({ home: join(path, ".home"), backend: stateIn(path), passphrase: PASSPHRASE }),
    PULUMI_ENABLE_STREAMING_JSON_PREVIEW: "true",
    NODECLOUD_TOKEN: emulator.token,
    NODECLOUD_BASE_URL: emulator.url,
  };

  const start: Commands["start"] = (...args) => {
    const child = spawn("pulumi", [...args, "--non-interactive"], {
      cwd: path,
      env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let printed = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => (printed += text));
    }
    const ended = new Promise<Outcome>((resolve, reject) => {
      child.on("error", reject);
      child.on("close", (code) => resolve(outcomeOf(code ?? 1, printed)));
    });
    return { process: child, ended };
  };
  const pulumi = (...args: string[]) => start(...args).ended;

  return {
    env,
    preview: (...args) => pulumi("preview", "--json", ...args),
    up: (...args) => pulumi("up", "--json", "--yes", "--skip-preview", ...args),
    refresh: (...args) => pulumi("refresh", "--json", "--yes", "--skip-preview", ...args),
    drift: () => pulumi("refresh", "--json", "--preview-only", "--expect-no-changes"),
    destroy: (...args) => pulumi("destroy", "--json", "--yes", "--skip-preview", ...args),
    pulumi,
    start,
  };
}

/** Makes a stack whose programs reach this emulator by the environment. `installed` is a folder with a `node_modules`, else this checkout. */
export async function testStack(emulator: Reached, source = "", installed?: string): Promise<TestStack> {
  const files = {
    "Pulumi.yaml": "name: program\nruntime: nodejs\n",
    "package.json": JSON.stringify({ name: "program", main: "index.js" }),
  };
  const folder = programFolder(files, installed);
  const commands = commandsIn(folder.path, emulator);
  const stack: TestStack = {
    ...commands,
    folder,
    program: (text) =>
      folder.write(
        "index.js",
        `const pulumi = require("@pulumi/pulumi");\nconst nodecloud = require("pulumi-nodecloud");\n${text}`,
      ),
    state: async () => {
      const file = join(folder.path, ".export.json");
      await commands.pulumi("stack", "export", "--show-secrets", "--file", file);
      const { deployment } = JSON.parse(readFileSync(file, "utf8")) as {
        deployment: { resources?: StateResource[] };
      };
      const ours = (deployment.resources ?? []).filter(({ type }) => type.startsWith(OURS));
      return Object.fromEntries(ours.map((resource) => [nameIn(resource.urn), plain(resource)]));
    },
    rawState: () => readFileSync(join(stateIn(folder.path), ".pulumi/stacks/program/test.json"), "utf8"),
    remove: () => folder.remove(),
  };
  stack.program(source);
  const { code, printed } = await commands.pulumi("stack", "init", "test");
  if (code !== 0) throw new Error(`The stack could not be made:\n${printed}`);
  return stack;
}

/** The state's values with each decrypted secret in place of its envelope. */
function plain<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value), (_, inner: unknown) => {
    const isSecret = typeof inner === "object" && inner !== null && "plaintext" in inner;
    return isSecret ? (JSON.parse(String(inner.plaintext)) as unknown) : inner;
  }) as Value;
}

interface Step {
  readonly op: string;
  readonly urn: string;
  readonly old: { readonly inputs: Json } | null;
  readonly new: { readonly inputs: Json } | null;
}

interface EngineEvent {
  readonly diagnosticEvent?: { readonly severity: string; readonly message: string };
  readonly resourcePreEvent?: { readonly metadata: Step };
  readonly resOutputsEvent?: { readonly metadata: Step };
}

/** What a refresh gives a collection anew when its members have drifted. */
const DERIVED = [GIVEN, FORMS];

/** The paths of the values in which two objects differ. */
function differences(a: unknown, b: unknown, path: string): string[] {
  const isObject = (value: unknown): value is Json =>
    typeof value === "object" && value !== null && !Array.isArray(value);
  if (!isObject(a) || !isObject(b)) return JSON.stringify(a) === JSON.stringify(b) ? [] : [path];
  return [...new Set([...Object.keys(a), ...Object.keys(b)])]
    .filter((key) => !DERIVED.includes(key))
    .flatMap((key) => differences(a[key], b[key], `${path}.${key}`));
}

function outcomeOf(code: number, printed: string): Outcome {
  const events = printed
    .split("\n")
    .filter((line) => line.startsWith('{"sequence"'))
    .map((line) => JSON.parse(line) as EngineEvent);
  const taken = events
    .flatMap(({ resourcePreEvent }) => resourcePreEvent?.metadata ?? [])
    .filter(({ urn }) => urn.includes(OURS));
  const steps: Record<string, number> = {};
  for (const { op } of taken) steps[op] = (steps[op] ?? 0) + 1;
  return {
    code,
    printed,
    messages: events.flatMap(({ diagnosticEvent }) =>
      diagnosticEvent !== undefined && ["error", "warning"].includes(diagnosticEvent.severity)
        ? [diagnosticEvent.message.trim()]
        : [],
    ),
    steps,
    stepsOf: (name) => taken.filter(({ urn }) => nameIn(urn) === name).map(({ op }) => op),
    planned: Object.fromEntries(taken.map(({ urn, new: now }) => [nameIn(urn), now?.inputs ?? {}])),
    drifted: events
      .flatMap(({ resOutputsEvent }) => resOutputsEvent?.metadata ?? [])
      .filter(({ op, urn }) => op === "update" && urn.includes(OURS))
      .flatMap(({ urn, old, new: now }) => differences(old?.inputs, now?.inputs, nameIn(urn)))
      .sort(),
    order: taken.filter(({ op }) => CHANGING.includes(op)).map(({ op, urn }) => `${nameIn(urn)} ${op}`),
  };
}
