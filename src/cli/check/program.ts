import { spawn } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { quietly } from "../../api/quietly";
import { NO_ORGANIZATION } from "../../provider/describe/urn";
import { isObject } from "../../provider/base/values";
import { type Context } from "../context";
import { unusableProgram } from "../errors";
import { languageIn, type Project, settingsIn } from "../stacks/projects";
import { isOfCompiler, type Thrown } from "./problems";
import { type Settings } from "./settings";

/** The program of a project, as the engine's language host runs it. */
export interface RunnableProgram {
  /** The folder in which it runs. */
  readonly folder: string;
  /** The program to run: a file, or `.` for the one that package.json names. */
  readonly entry: string;
  readonly nodeArguments: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

/** The compiled file that runs first. */
const ENTRY = join(__dirname, "../../../dist/cli/check/entry.js");

/** Finds the program of a project. */
export function programOf({ path, directory }: Project): RunnableProgram {
  const settings = settingsIn(path);
  const language = languageIn(settings);
  if (language !== "nodejs")
    throw unusableProgram(
      `nodecloud check reads programs in TypeScript and JavaScript only, and the one in ${directory} is for the runtime ${String(language)}`,
    );
  const { runtime, main } = settings;
  const options = isObject(runtime) && isObject(runtime["options"]) ? runtime["options"] : {};
  const place = resolve(path, typeof main === "string" ? main : ".");
  if (!existsSync(place)) throw unusableProgram(`the program ${String(main)} of ${directory} does not exist`);
  const isFolder = statSync(place).isDirectory();
  const { nodeargs, tsconfig, typescript } = options;
  return {
    folder: isFolder ? place : dirname(place),
    entry: isFolder ? "." : basename(place),
    nodeArguments: typeof nodeargs === "string" ? nodeargs.split(/\s+/).filter((text) => text !== "") : [],
    environment: {
      PULUMI_NODEJS_TYPESCRIPT: String(typescript !== false),
      ...(typeof tsconfig === "string" ? { PULUMI_NODEJS_TSCONFIG_PATH: tsconfig } : {}),
    },
  };
}

interface Run {
  readonly project: Project;
  /** As the backend names it. */
  readonly stack: string;
  readonly settings: Settings;
  /** The address of the stand-in for the engine. */
  readonly address: string;
}

/** Runs a program, as for a preview. Returns its errors and its exit code. */
export async function runProgram(
  { environment, signal, stderr }: Context,
  { folder, entry, nodeArguments, environment: own }: RunnableProgram,
  { project, stack, settings, address }: Run,
): Promise<{ readonly thrown: readonly Thrown[]; readonly code: number | null }> {
  const require = createRequire(join(folder, "program.js"));
  const runner = quietly(() => require.resolve("@pulumi/pulumi/cmd/run"));
  if (runner === undefined)
    throw unusableProgram(
      `@pulumi/pulumi is not installed in ${project.directory}: install the packages of the program`,
    );
  const [organization] = stack.split("/").slice(0, -2);
  const args = {
    ...{ monitor: address, engine: address, project: project.name, stack: stack.split("/").at(-1) ?? "" },
    ...{ organization: organization ?? NO_ORGANIZATION, pwd: folder, "root-directory": project.path },
    parallel: "16",
  };
  const flags = Object.entries(args).map(([name, value]) => `--${name}=${value}`);
  const thrown: Thrown[] = [];
  const child = spawn(process.execPath, [...nodeArguments, ENTRY, runner, ...flags, "--dry-run", entry], {
    cwd: folder,
    env: {
      ...environment,
      ...own,
      // ts-node prints what the compiler finds, in place of an end of the program.
      TS_NODE_LOG_ERROR: "true",
      PULUMI_CONFIG: JSON.stringify(settings.values),
      PULUMI_CONFIG_SECRET_KEYS: JSON.stringify(settings.secrets),
    },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    signal,
  });
  child.stdout?.on("data", (text: Buffer) => void stderr.write(text));
  const lines = child.stderr === null ? undefined : createInterface(child.stderr);
  lines?.on("line", (line) => {
    if (isOfCompiler(line)) thrown.push({ name: "TSError", message: line, stack: "" });
    else stderr.write(`${line}\n`);
  });
  child.on("message", (message) => thrown.push(message as Thrown));
  const code = await new Promise<number | null>((done, reject) => {
    child.on("error", reject);
    child.on("close", done);
  });
  return { thrown, code };
}
