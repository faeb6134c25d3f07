import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import { promisify } from "node:util";
import { isObject } from "../../provider/state/values";
import { type Context } from "../context";
import { settingsIn } from "../stacks/projects";
import { type Check } from "./check";

const OLDEST_NODE = 22;
/** The oldest version of the command line that the package works with. */
const OLDEST_ENGINE = [3, 216] as const;
const PATIENCE_MS = 30_000;

/** Checks the version of Node.js. */
export function checkNode(version = process.versions.node): Check {
  const found = `Node.js ${version}`;
  return Number.parseInt(version) >= OLDEST_NODE
    ? { name: "node", status: "ok", finding: found }
    : {
        name: "node",
        status: "problem",
        finding: found,
        advice: `install Node.js ${OLDEST_NODE} or newer: https://nodejs.org/`,
      };
}

/** Checks the Pulumi command line on the PATH. */
export async function checkEngine({ environment, directory, signal }: Context): Promise<Check> {
  const oldest = `${OLDEST_ENGINE.join(".")}.0`;
  const advice = `install the Pulumi CLI ${oldest} or newer: https://www.pulumi.com/docs/install/`;
  const version = await promisify(execFile)("pulumi", ["version"], {
    env: { ...environment },
    cwd: directory,
    signal,
    timeout: PATIENCE_MS,
  }).then(
    ({ stdout }) => stdout.trim(),
    () => undefined,
  );
  signal.throwIfAborted();
  if (version === undefined)
    return { name: "engine", status: "problem", finding: "no pulumi on the PATH", advice };
  const [major = 0, minor = 0] = version.replace(/^v/, "").split(".").map(Number);
  const [leastMajor, leastMinor] = OLDEST_ENGINE;
  const isOld = major < leastMajor || (major === leastMajor && minor < leastMinor);
  return isOld
    ? { name: "engine", status: "problem", finding: `pulumi ${version} is too old`, advice }
    : { name: "engine", status: "ok", finding: `pulumi ${version}` };
}

interface Manifest {
  readonly version: string;
}

/** Checks which copies of the package and of the SDK a program in the directory loads. Programs in other languages load neither. */
export function checkPackages({ directory }: Context): Check[] {
  const name = "packages";
  if (languageIn(directory) !== "nodejs") return [];
  const program = createRequire(join(directory, "package.json"));
  const own = versionAt(program, "pulumi-nodecloud");
  if (own === undefined) {
    const finding = "programs in this folder find no pulumi-nodecloud";
    const advice = "run npm install pulumi-nodecloud @pulumi/pulumi in the folder of the program";
    return [{ name, status: "warning", finding, advice }];
  }
  const sdk = versionAt(program, "@pulumi/pulumi");
  if (sdk === undefined) {
    const advice = "run npm install @pulumi/pulumi";
    return [{ name, status: "problem", finding: "programs in this folder find no @pulumi/pulumi", advice }];
  }
  const inside = versionAt(createRequire(own.file), "@pulumi/pulumi");
  if (inside !== undefined && inside.file !== sdk.file) {
    const finding = `the program loads @pulumi/pulumi ${sdk.version}, and pulumi-nodecloud loads a copy of its own, ${inside.version}`;
    const advice =
      "install one version of @pulumi/pulumi for both: remove node_modules and the second entry of the lock file, and install again";
    return [{ name, status: "problem", finding, advice }];
  }
  const finding = `pulumi-nodecloud ${own.version} and @pulumi/pulumi ${sdk.version}`;
  return [{ name, status: "ok", finding }];
}

function languageIn(directory: string): unknown {
  try {
    const { runtime = "nodejs" } = settingsIn(directory);
    return isObject(runtime) ? runtime["name"] : runtime;
  } catch {
    // The check of the stack tells that the settings cannot be read.
    return "nodejs";
  }
}

function versionAt(from: NodeJS.Require, name: string): { file: string; version: string } | undefined {
  try {
    const file = from.resolve(`${name}/package.json`);
    return { file, version: (from(file) as Manifest).version };
  } catch {
    return undefined;
  }
}
