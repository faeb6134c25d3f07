import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import { promisify } from "node:util";
import { quietly } from "../../api/quietly";
import { type Context } from "../context";
import { languageIn, settingsIn } from "../stacks/projects";
import { type Check, outcomesOf } from "./check";

const OLDEST_NODE = 22;
/** The oldest version of the command line that the package works with. */
const OLDEST_ENGINE = [3, 216] as const;
const PATIENCE_MS = 30_000;

/** Checks the version of Node.js. */
export function checkNode(version = process.versions.node): Check {
  const { ok, problem } = outcomesOf("node");
  const finding = `Node.js ${version}`;
  return Number.parseInt(version) >= OLDEST_NODE
    ? ok(finding)
    : problem(finding, `install Node.js ${OLDEST_NODE} or newer: https://nodejs.org/`);
}

/** Checks the Pulumi command line on the PATH. */
export async function checkEngine(context: Context): Promise<Check> {
  const { ok, problem } = outcomesOf("engine");
  const [leastMajor, leastMinor] = OLDEST_ENGINE;
  const advice = `install the Pulumi CLI ${leastMajor}.${leastMinor}.0 or newer: https://www.pulumi.com/docs/install/`;
  const version = await printedBy(context, "pulumi", ["version"]).catch(() => undefined);
  context.signal.throwIfAborted();
  if (version === undefined) return problem("no pulumi on the PATH", advice);
  const isOld = isOlder(version, OLDEST_ENGINE.join("."));
  return isOld ? problem(`pulumi ${version} is too old`, advice) : ok(`pulumi ${version}`);
}

/** Whether a version, such as `v3.230.0`, is older than another one by more than a patch. */
function isOlder(version: string, than: string): boolean {
  const [[major = 0, minor = 0] = [], [otherMajor = 0, otherMinor = 0] = []] = [version, than].map((one) =>
    one
      .replace(/^.*?(?=\d)/, "")
      .split(".")
      .map(Number),
  );
  return major < otherMajor || (major === otherMajor && minor < otherMinor);
}

/** Checks which copies of the package and of the SDK a program in the directory loads, and whether the engine is as new. Programs in other languages load neither. */
export function checkPackages({ directory }: Context, engine: Check): Check[] {
  const { ok, warning, problem } = outcomesOf("packages");
  if (!isForNode(directory)) return [];
  const program = createRequire(join(directory, "package.json"));
  const own = versionAt(program, "pulumi-nodecloud");
  if (own === undefined) {
    const finding = "programs in this folder find no pulumi-nodecloud";
    return [warning(finding, "run npm install pulumi-nodecloud @pulumi/pulumi in the folder of the program")];
  }
  const sdk = versionAt(program, "@pulumi/pulumi");
  if (sdk === undefined)
    return [problem("programs in this folder find no @pulumi/pulumi", "run npm install @pulumi/pulumi")];
  const inside = versionAt(createRequire(own.file), "@pulumi/pulumi");
  if (inside !== undefined && inside.file !== sdk.file) {
    const finding = `the program loads @pulumi/pulumi ${sdk.version}, and pulumi-nodecloud loads a copy of its own, ${inside.version}`;
    const advice =
      "install one version of @pulumi/pulumi for both: remove node_modules and the second entry of the lock file, and install again";
    return [problem(finding, advice)];
  }
  const both = `pulumi-nodecloud ${own.version} and @pulumi/pulumi ${sdk.version}`;
  if (engine.status === "ok" && isOlder(engine.finding, sdk.version)) {
    const advice = `install the Pulumi CLI ${sdk.version} or newer, or an older @pulumi/pulumi: what is new in the SDK fails with an older engine`;
    return [warning(`${both}, which is newer than ${engine.finding}`, advice)];
  }
  return [ok(both)];
}

/** The check of the stack tells that settings cannot be read. */
const isForNode = (directory: string): boolean =>
  (quietly(() => languageIn(settingsIn(directory))) ?? "nodejs") === "nodejs";

/** The installed package that a module loads. Undefined if it finds none. */
export const versionAt = (from: NodeJS.Require, name: string) =>
  quietly(() => {
    const file = from.resolve(`${name}/package.json`);
    return { file, version: (from(file) as { readonly version: string }).version };
  });

/** Runs a program and returns its output, without the spaces around it. */
export async function printedBy(
  { environment, directory, signal }: Context,
  program: string,
  args: readonly string[],
): Promise<string> {
  const { stdout } = await promisify(execFile)(program, args, {
    ...{ env: { ...environment }, cwd: directory, signal, timeout: PATIENCE_MS },
    // Node starts a script of Windows only by its shell.
    shell: program.endsWith(".cmd"),
  });
  return stdout.trim();
}
