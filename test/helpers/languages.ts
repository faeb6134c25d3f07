import { execFile, execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { findTool } from "./debian-tools";
import { type TestEmulator } from "./emulator";
import { programFolder, type ProgramFolder, ROOT } from "./programs";
import { type Commands, commandsIn } from "./stack";

const started = promisify(execFile);

/** Runs a program of the system in a folder, and gives what it prints. It fails with all that it printed. */
export async function runIn(folder: string, program: string, ...args: string[]): Promise<string> {
  const { stdout } = await started(program, args, {
    cwd: folder,
    env: { ...process.env, ...goSettings },
    maxBuffer: 64 * 1024 * 1024,
  }).catch((error: Error & { readonly stdout: string; readonly stderr: string }) => {
    throw new Error(`${error.message}\n${error.stdout}\n${error.stderr}`);
  });
  return stdout;
}

/** The build needs no C compiler, and a go.work above this checkout must not change it. */
const goSettings = { CGO_ENABLED: "0", GOWORK: "off", GOFLAGS: "-mod=readonly", GOTOOLCHAIN: "auto" };

export interface LanguageTools {
  /** Makes the project of a fixture, with its own state. */
  project(emulator: TestEmulator): Promise<Project>;
  /** Checks the types of a program, and gives what the checker prints. It fails if the checker complains. */
  check(program: string): Promise<string>;
  /** Removes what the checks installed. */
  remove(): Promise<void>;
}

export interface Project extends Commands {
  readonly folder: ProgramFolder;
}

const FIXTURES = join(ROOT, "test/matrix/fixtures/languages");

/** The package of the checkout, where the engine finds the plugin. */
const PLUGINS = `plugins:\n  providers:\n    - name: nodecloud\n      path: ${join(ROOT, "node_modules/.bin")}\n`;

/** The files of a fixture, by name. */
const filesOf = (name: string) =>
  Object.fromEntries(
    readdirSync(join(FIXTURES, name)).map((file) => [file, readFileSync(join(FIXTURES, name, file), "utf8")]),
  );

/** The folder of the language hosts for Python and Go, which are built once. */
export const languageHosts = (): string =>
  execFileSync(process.execPath, [join(ROOT, "scripts/engine.mjs"), "--languages"], {
    encoding: "utf8",
  }).trim();

async function project(
  emulator: TestEmulator,
  files: Readonly<Record<string, string>>,
  env: NodeJS.ProcessEnv,
): Promise<Project> {
  const folder = programFolder(files);
  const commands = commandsIn(folder.path, emulator);
  const path = [env["PATH"], languageHosts(), commands.env["PATH"]].filter(Boolean).join(delimiter);
  Object.assign(commands.env, env, { PATH: path });
  await commands.init("test");
  return { ...commands, folder };
}

/** Python with the virtual environment that the quickstart makes. Undefined where Python or its module venv is missing. */
export function pythonTools(): LanguageTools | undefined {
  if (!hasPython()) return undefined;
  const bin = join(ROOT, ".cache/quickstart-python/venv/bin");
  let checker: Promise<ProgramFolder> | undefined;
  let checked = 0;
  const mypy = async () => {
    const folder = programFolder();
    await runIn(
      folder.path,
      join(bin, "python"),
      "-m",
      "pip",
      "install",
      "-q",
      "--target",
      "mypy",
      "mypy==2.4.1",
    );
    return folder;
  };
  return {
    project: (emulator) => {
      const yaml = `name: languages\nruntime: python\n${PLUGINS}`;
      return project(emulator, { ...filesOf("python"), "Pulumi.yaml": yaml }, { PATH: bin });
    },
    check: async (program) => {
      const { path, write } = await (checker ??= mypy());
      // mypy may take a file that changes within a second for the old one.
      const file = `program_${++checked}.py`;
      write(file, program);
      const code = `import sys; sys.path.insert(0, "mypy"); from mypy.__main__ import console_entry; console_entry()`;
      const own = ["--strict", "--python-executable", join(bin, "python"), file];
      return runIn(path, join(bin, "python"), "-c", code, ...own);
    },
    remove: async () => (await checker)?.remove(),
  };
}

/** Go with its own caches. Undefined where Go is missing. */
export function goTools(): LanguageTools | undefined {
  const go = findTool("go");
  if (go === undefined) return undefined;
  const files = () => {
    const { "go.mod": goMod = "", ...others } = filesOf("go");
    return { ...others, "go.mod": goMod.replace(/=> .*sdks/, `=> ${join(ROOT, "sdks")}`) };
  };
  return {
    project: async (emulator) => {
      const yaml = `name: languages\nruntime: go\n${PLUGINS}`;
      return project(emulator, { ...files(), "Pulumi.yaml": yaml }, await goPlaces());
    },
    check: async (program) => {
      const folder = programFolder({ ...files(), "main.go": program });
      try {
        return await runIn(folder.path, go, "vet", ".");
      } finally {
        folder.remove();
      }
    },
    remove: () => Promise.resolve(),
  };
}

/** Where Go has its settings and caches, which the home of a stack would hide. */
export async function goPlaces(): Promise<NodeJS.ProcessEnv> {
  const places = await runIn(ROOT, "go", "env", "-json", "GOENV", "GOPATH", "GOMODCACHE", "GOCACHE");
  return { ...(JSON.parse(places) as NodeJS.ProcessEnv), ...goSettings };
}

/** Whether Python is installed, with its module venv. */
export function hasPython(): boolean {
  const python = findTool("python3");
  if (python === undefined) return false;
  try {
    execFileSync(python, ["-c", "import ensurepip"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
