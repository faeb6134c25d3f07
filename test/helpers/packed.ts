import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { cleanEnvironment } from "../../scripts/environment.cjs";
import { ROOT } from "./programs";

const execute = promisify(execFile);

/** A user's project in a temporary folder. */
export interface Project {
  readonly path: string;
  /** Writes a file. An object becomes JSON. */
  write(file: string, content: string | object): void;
  /** Runs a command in the project or in one of its folders, and returns its standard output. */
  run(command: string, args: readonly string[], options?: RunOptions): Promise<string>;
  remove(): void;
}

export interface RunOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly folder?: string;
}

export function userProject(): Project {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "nodecloud-consumer-")));
  return {
    path,
    write: (file, content) => {
      mkdirSync(dirname(join(path, file)), { recursive: true });
      writeFileSync(join(path, file), typeof content === "string" ? content : JSON.stringify(content));
    },
    async run(command, args, { env = {}, folder = "." } = {}) {
      const options = {
        cwd: join(path, folder),
        env: { ...cleanEnvironment(), ...env },
        maxBuffer: 64 * 1024 * 1024,
      };
      const { stdout } = await execute(command, args, options).catch((error: unknown) => {
        const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
        throw new Error(`${command} ${args.join(" ")} failed:\n${stdout}${stderr}`, { cause: error });
      });
      return stdout;
    },
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}

/** The version of a package in this checkout. npm has it in its cache. */
export function installedVersion(name: string): string {
  const manifest = readFileSync(join(ROOT, "node_modules", name, "package.json"), "utf8");
  return (JSON.parse(manifest) as { version: string }).version;
}

const { peerDependencies } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
  peerDependencies: { "@pulumi/pulumi": string };
};

/** The SDKs that the package's manifest allows. */
export const SDK_RANGE = peerDependencies["@pulumi/pulumi"];

/** The oldest of them, and the one in this checkout. */
export const SDKS = {
  oldest: SDK_RANGE.replace(/^\^/, ""),
  newest: installedVersion("@pulumi/pulumi"),
} as const;

/** Installs packages with `npm install`, from npm's cache if it has them. */
export async function npmInstall(project: Project, ...args: string[]): Promise<void> {
  const quietly = ["--prefer-offline", "--no-audit", "--no-fund", "--ignore-scripts"];
  await project.run("npm", ["install", ...quietly, ...args]);
}

/** Installs the packed package with the newest SDK of this version or range in the registry. */
export async function installedWith(sdk: string): Promise<Project> {
  const project = userProject();
  try {
    project.write("package.json", { name: "installed", private: true });
    const archive = await packThis(project.path);
    await npmInstall(project, "--prefer-offline=false", archive, `@pulumi/pulumi@${sdk}`);
    return project;
  } catch (error) {
    project.remove();
    throw error;
  }
}

/** Packs a folder into an archive in another folder, and returns the archive's path. */
export async function pack(folder: string, into: string): Promise<string> {
  mkdirSync(into, { recursive: true });
  const args = ["pack", "--ignore-scripts", "--json", "--loglevel=error", "--pack-destination", into];
  const { stdout } = await execute("npm", args, { cwd: folder, env: cleanEnvironment() });
  const [packed] = JSON.parse(stdout) as { filename: string }[];
  if (packed === undefined) throw new Error(`npm pack packed nothing:\n${stdout}`);
  return join(into, packed.filename);
}

/** Packs this package. */
export const packThis = (into: string): Promise<string> => pack(ROOT, into);

/** Packs this package with another version in its manifest. */
export async function packThisAs(version: string, into: string): Promise<string> {
  const copy = join(into, version);
  const manifest = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as object;
  mkdirSync(copy, { recursive: true });
  const parts = [
    "dist",
    "src/cli/html/browser",
    "src/emulator/page/browser",
    "README.md",
    "CHANGELOG.md",
    "LICENSE",
  ];
  for (const part of parts) {
    cpSync(join(ROOT, part), join(copy, part), { recursive: true });
  }
  writeFileSync(join(copy, "package.json"), JSON.stringify({ ...manifest, version }));
  return pack(copy, into);
}

/** The version of an ordinary project. This repository has a newer one. */
const TYPESCRIPT = "5.9.3";

/** A copy of a project in `examples`, with the packed package installed from its archive. `manifests` are the files with its dependencies. */
export async function exampleProject(name: string, manifests = ["package.json"]): Promise<Project> {
  const project = userProject();
  try {
    const isSource = (path: string) =>
      !/[/\\](node_modules|vendor|bin|\.state|package-lock\.json)$/.test(path);
    cpSync(join(ROOT, "examples", name), project.path, { recursive: true, filter: isSource });
    await packThis(join(project.path, "vendor"));
    for (const file of manifests) project.write(file, pinned(join(project.path, file)));
    await npmInstall(project);
    return project;
  } catch (error) {
    project.remove();
    throw error;
  }
}

/** A manifest with versions from npm's cache, which this repository or another test has installed. */
function pinned(path: string): object {
  type Versions = Record<string, string>;
  const manifest = JSON.parse(readFileSync(path, "utf8")) as {
    dependencies: Versions;
    devDependencies: Versions;
  };
  const exact = (versions: Versions) =>
    Object.entries(versions).map(([name, range]) => {
      if (range.startsWith("file:")) return [name, range];
      return [name, name === "typescript" ? TYPESCRIPT : installedVersion(name)];
    });
  return {
    ...manifest,
    dependencies: Object.fromEntries(exact(manifest.dependencies)) as Versions,
    devDependencies: Object.fromEntries(exact(manifest.devDependencies)) as Versions,
  };
}
