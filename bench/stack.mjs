import { spawn } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { performance } from "node:perf_hooks";
import { fileURLToPath } from "node:url";
import typescript from "typescript";
import { engineEnvironment } from "../scripts/environment.cjs";
import { token } from "./emulator-process.mjs";
import { watchProcesses } from "./processes.mjs";

/** @import { Role, Use } from "./processes.mjs" */
/** @typedef {{ seconds: number; cpuSeconds: number; processes: Record<Role, Use> }} Measured */
/** @typedef {ReturnType<typeof makeStack>} Stack */

const root = fileURLToPath(new URL("..", import.meta.url));
const tailLength = 4000;

/** A command exceeded its time limit. It has no result. */
export class OutOfTime extends Error {}

/**
 * Installs the package, and the other packages that programs need, into a folder's node_modules.
 * @param {string} folder
 * @param {string} version the built checkout of the package.
 */
function install(folder, version) {
  const inside = (/** @type {string} */ name) => join(folder, "node_modules", name);
  const own = inside("pulumi-nodecloud");
  const manifest = readFileSync(join(version, "package.json"), "utf8");
  // A copy, as npm installs it: Pulumi's TypeScript support would compile the files of a link, whose real path is not in a node_modules.
  cpSync(join(version, "dist"), join(own, "dist"), { recursive: true });
  writeFileSync(join(own, "package.json"), manifest);
  const names = [
    ...Object.keys(JSON.parse(manifest).dependencies),
    "@pulumi/pulumi",
    "typescript",
    "ts-node",
  ];
  for (const name of names) {
    mkdirSync(dirname(inside(name)), { recursive: true });
    symlinkSync(join(root, "node_modules", name), inside(name), "junction");
  }
  const plugin = join(own, "dist", "bin", "pulumi-resource-nodecloud.js");
  const bin = inside(".bin");
  mkdirSync(bin, { recursive: true });
  writeFileSync(
    join(bin, "pulumi-resource-nodecloud"),
    `#!/bin/sh\nexec "${process.execPath}" "${plugin}" "$@"\n`,
    { mode: 0o755 },
  );
  const source = readFileSync(new URL("naive-record.ts", import.meta.url), "utf8");
  const compilerOptions = {
    module: typescript.ModuleKind.CommonJS,
    target: typescript.ScriptTarget.ES2022,
    esModuleInterop: true,
  };
  const { outputText } = typescript.transpileModule(source, { compilerOptions });
  writeFileSync(join(folder, "naive-record.js"), outputText);
}

/**
 * A stack with its own folder, home, backend and passphrase. It neither reads nor changes anything of the user's.
 * @param {{ engine: Record<string, string>; baseUrl: string; patienceSeconds: number; version?: string }} setting `engine` is what the
 * engine itself needs in the environment; no command is given more than `patienceSeconds`; `version` is another built checkout of the package.
 */
export function makeStack({ engine, baseUrl, patienceSeconds, version = root }) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "nodecloud-bench-")));
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  process.once("exit", remove);
  install(folder, version);
  const backend = join(folder, "state");
  const env = {
    ...engineEnvironment({ home: join(folder, "home"), backend, passphrase: "bench" }),
    ...engine,
    NODECLOUD_TOKEN: token,
    NODECLOUD_BASE_URL: baseUrl,
  };

  /**
   * Runs a command in the folder of the program, and measures it with all its descendants.
   * @param {string[]} command
   * @param {{ settings?: Record<string, string>; patience?: number; role?: Role; exitCode?: number }} options `settings` is the environment of
   * this command, `patience` the seconds that it is given, and `role` what its own process counts as. Another exit code than `exitCode` is an error.
   * @returns {Promise<Measured>}
   */
  const run = (
    [file = "", ...args],
    { settings = {}, patience = patienceSeconds, role = "engine", exitCode = 0 } = {},
  ) =>
    new Promise((resolve, reject) => {
      const started = performance.now();
      const child = spawn(file, args, {
        cwd: folder,
        env: { ...env, ...settings },
        stdio: ["ignore", "pipe", "pipe"],
      });
      child.on("error", reject);
      if (child.pid === undefined) return;
      const watch = watchProcesses(child.pid, role);
      const kill = () => watch.kill();
      process.once("exit", kill);
      let late = false;
      const deadline = setTimeout(() => {
        late = true;
        kill();
      }, patience * 1000);
      let printed = "";
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding("utf8").on("data", (text) => (printed = (printed + text).slice(-tailLength)));
      }
      child.on("close", (code) => {
        const seconds = (performance.now() - started) / 1000;
        clearTimeout(deadline);
        process.off("exit", kill);
        const used = watch.stop();
        const called = [basename(file), ...args].join(" ");
        if (late) reject(new OutOfTime(`${called} took more than ${patience} s`));
        else if (code === exitCode) resolve({ seconds, ...used });
        else reject(new Error(`${called} ended with exit code ${code}:\n${printed}`));
      });
    });

  /** Runs a command of the engine. @param {string[]} args @param {Record<string, string>} [settings] @param {number} [patience] */
  const pulumi = (args, settings = {}, patience = patienceSeconds) =>
    run(["pulumi", ...args, "--non-interactive"], { settings, patience });

  const write = (/** @type {string} */ file, /** @type {string} */ text) =>
    writeFileSync(join(folder, file), text);
  write("package.json", JSON.stringify({ name: "bench", main: "index.js" }));
  const stateFile = (/** @type {string} */ name) =>
    join(backend, ".pulumi", "stacks", "bench", `${name}.json`);

  return {
    folder,
    run,
    pulumi,
    /** @param {{ name: string; yaml?: string }} stack */
    init: async ({ name, yaml = "runtime: nodejs\n" }) => {
      write("Pulumi.yaml", `name: bench\n${yaml}`);
      await pulumi(["stack", "init", name]);
    },
    /** Writes or overwrites a file of the program. */
    write,
    stateFile,
    /** @returns the size of the state on disk, in bytes. */
    stateBytes: (/** @type {string} */ name) => statSync(stateFile(name)).size,
    remove: () => {
      process.off("exit", remove);
      remove();
    },
  };
}
