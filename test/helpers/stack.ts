import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { engineEnvironment } from "../../scripts/environment.cjs";
import { type Automated, automated } from "./automated";
import { type TestEmulator } from "./emulator";
import { nameInUrn } from "../../src/provider/describe/urn";
import { eventsIn, isOurs, type Outcome, outcomeOf } from "./outcome";
import { programFolder, type ProgramFolder } from "./programs";
import { WAY, type Way } from "./way";

type Json = Record<string, unknown>;

export { type Outcome };

/** A resource in the state, with its secrets decrypted. */
export interface StateResource {
  readonly urn: string;
  readonly type: string;
  readonly id: string;
  readonly inputs: Json;
  readonly outputs: Json;
  readonly initErrors?: readonly string[];
  /** The engine's reference to the explicit or default provider. */
  readonly provider: string;
  readonly sourcePosition?: string;
  readonly stackTrace?: readonly { readonly sourcePosition?: string }[];
}

/** The commands of the real CLI in one folder. */
export interface Commands extends Automated {
  readonly env: NodeJS.ProcessEnv;
  /** Any other command, or one of these with other options. */
  pulumi(...args: string[]): Promise<Outcome>;
  /** Starts a command without waiting for its end. It can be killed. */
  start(...args: string[]): { readonly process: ChildProcess; readonly ended: Promise<Outcome> };
}

/** A stack with its own home, backend and passphrase. It neither reads nor changes anything of the user's. */
export interface TestStack extends Commands {
  readonly folder: ProgramFolder;
  /** The way in which the next program's resources are served. */
  way: Way;
  /** Writes the program, which is JavaScript with `pulumi` and `nodecloud` in scope. */
  program(source: string): void;
  /** The resources of this package in the state, by name, with their secrets decrypted. */
  state(): Promise<Readonly<Record<string, StateResource>>>;
  /** The text of the state file on disk. */
  rawState(): string;
  remove(): void;
}

/** What a program needs to reach the service. */
type Reached = Pick<TestEmulator, "token" | "url">;

const PASSPHRASE = "test";

/** Where the state of the stacks in a folder is kept. */
const stateIn = (path: string) => join(path, ".state");

/** The commands in a folder, which holds their home and backend. Environment variables lead the programs to this emulator. */
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
      child.on("close", (code) => resolve(outcomeOf(code ?? 1, printed, eventsIn(printed))));
    });
    return { process: child, ended };
  };
  return { env, ...automated(path, env), pulumi: (...args) => start(...args).ended, start };
}

/** The project of a program. With dynamic resources it needs no plugins. */
const projectOf = (way: Way): string =>
  [
    "name: program\nruntime: nodejs\n",
    ...(way === "plugin"
      ? ["plugins:\n  providers:\n    - name: nodecloud\n      path: node_modules/.bin\n"]
      : []),
  ].join("");

/** Makes a stack. Environment variables lead its programs to this emulator. `installed` is a folder with a `node_modules`, by default this checkout. */
export async function testStack(emulator: Reached, source = "", installed?: string): Promise<TestStack> {
  const files = {
    "Pulumi.yaml": projectOf(WAY),
    "package.json": JSON.stringify({ name: "program", main: "index.js" }),
  };
  const folder = programFolder(files, installed);
  const commands = commandsIn(folder.path, emulator);
  const { PULUMI_BACKEND_URL: backend } = commands.env;
  const resources = () => {
    const { PULUMI_BACKEND_URL: url, PULUMI_STACK: name } = commands.env;
    const text = url === backend && name === undefined ? stack.rawState() : undefined;
    // Only the engine decrypts secrets.
    return text === undefined || text.includes('"ciphertext"') ? commands.resources() : resourcesIn(text);
  };
  let way = WAY;
  const stack: TestStack = {
    ...commands,
    folder,
    get way() {
      return way;
    },
    set way(other) {
      way = other;
      // A stack that moves back still has providers of the plugin in its state.
      if (way === "plugin") folder.write("Pulumi.yaml", projectOf(way));
    },
    program: (text) => {
      const entry = way === "plugin" ? "pulumi-nodecloud/plugin" : "pulumi-nodecloud";
      const head = `const pulumi = require("@pulumi/pulumi");\nconst nodecloud = require("${entry}");\n`;
      folder.write("index.js", head + text);
    },
    state: async () => {
      const ours = ((await resources()) as StateResource[]).filter(({ type }) => isOurs(type));
      return Object.fromEntries(ours.map((resource) => [nameInUrn(resource.urn), plain(resource)]));
    },
    rawState: () => readFileSync(join(stateIn(folder.path), ".pulumi/stacks/program/test.json"), "utf8"),
    remove: () => folder.remove(),
  };
  stack.program(source);
  await commands.init("test");
  return stack;
}

/** The resources in a state file. */
function resourcesIn(text: string): readonly unknown[] {
  const { checkpoint } = JSON.parse(text) as { checkpoint: { latest?: { resources?: unknown[] } } };
  return checkpoint.latest?.resources ?? [];
}

/** The values of the state, with each decrypted secret in place of its envelope. */
function plain<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value), (_, inner: unknown) => {
    const isSecret = typeof inner === "object" && inner !== null && "plaintext" in inner;
    return isSecret ? (JSON.parse(String(inner.plaintext)) as unknown) : inner;
  }) as Value;
}
