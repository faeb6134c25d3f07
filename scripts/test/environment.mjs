/**
 * jest's environment for Node, which also serves the tests in the way of their part, and measures each test file: its seconds, the CPU seconds of its process and of the
 * processes that ended meanwhile, the processes that the file itself started, and how many of them were the engine's command line. What these processes
 * start counts as CPU only. A process that outlives its parent or the file does not count.
 */
import childProcess from "node:child_process";
import { appendFileSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { relative } from "node:path";
import { TestEnvironment } from "jest-environment-node";
import { findOnPath, pulumi } from "../engine/find.mjs";

/** @import { EnvironmentContext, JestEnvironmentConfig } from "@jest/environment" */

/** The file that receives a line for each test file. */
const report = process.env["NODECLOUD_TEST_REPORT"];
const inOneProcess = process.env["NODECLOUD_TESTS"] === "unit";

/** The engine's command line. Tests also start stand-ins of its name, which do not count. */
const engine = findOnPath(pulumi);

const started = { processes: 0, engine: 0 };

/**
 * @param {string} command
 * @param {string | undefined} path where its program is looked up.
 */
function note(command, path) {
  if (inOneProcess) {
    throw new Error(
      `A test of \`npm run test:unit\` starts ${command}. Name its file *.process.test.ts, or put it into a folder of scripts/test/sets.mjs.`,
    );
  }
  started.processes++;
  if (engine === undefined || (command !== engine && findOnPath(command, path) !== engine)) return;
  started.engine++;
}

/** @param {readonly string[]} [env] variables as Node passes them to the system: `NAME=value`. */
const pathIn = (env) => env?.find((pair) => pair.startsWith("PATH="))?.slice("PATH=".length);

/** Counts what this process starts. All functions that do not wait use one method of Node. */
function countProcesses() {
  /** @typedef {{ file: string; envPairs?: readonly string[] }} Started */
  const { prototype } = /** @type {{ prototype: { spawn(options: Started): unknown } }} */ (
    /** @type {unknown} */ (childProcess.ChildProcess)
  );
  const { spawn } = prototype;
  prototype.spawn = function (options) {
    note(options.file, pathIn(options.envPairs));
    return spawn.call(this, options);
  };
  for (const name of /** @type {const} */ (["spawnSync", "execFileSync", "execSync"])) {
    const run = /** @type {(...args: unknown[]) => unknown} */ (childProcess[name]);
    const counting = (/** @type {unknown[]} */ ...args) => {
      const options = /** @type {{ env?: NodeJS.ProcessEnv } | undefined} */ (args.at(-1));
      note(String(args[0]), options?.env?.["PATH"] ?? process.env["PATH"]);
      return run(...args);
    };
    Object.assign(childProcess, { [name]: counting });
  }
}

countProcesses();

/** Ticks of the kernel per second, which Linux shows to programs as 100 on every machine. */
const TICKS = 100;

/** The CPU seconds of this process, and on Linux also those of the processes that it waited for. */
function cpuSeconds() {
  const { user, system } = process.cpuUsage();
  const own = (user + system) / 1e6;
  if (process.platform !== "linux") return own;
  // The second field is the name in brackets, which may contain anything.
  const fields = readFileSync("/proc/self/stat", "utf8")
    .replace(/^.*\) /s, "")
    .split(" ");
  return own + (Number(fields[13]) + Number(fields[14])) / TICKS;
}

const spent = () => ({ seconds: Number(process.hrtime.bigint()) / 1e9, cpu: cpuSeconds(), ...started });

/** Loads a module outside of jest's registry, and so once for all files of a worker: see jest.config.mjs. */
const requireOnce = createRequire(import.meta.url);

const wayOfTheUser = process.env["NODECLOUD_WAY"];

export default class MeasuringEnvironment extends TestEnvironment {
  #before = spent();
  /** @type {{ file: string; way?: string }} */
  #about;

  /** @param {JestEnvironmentConfig} config @param {EnvironmentContext} context */
  constructor(config, context) {
    const { way = wayOfTheUser } = /** @type {{ way?: string }} */ (
      config.projectConfig.testEnvironmentOptions
    );
    // Tests get a copy of the variables, which the constructor makes.
    if (way !== undefined) process.env["NODECLOUD_WAY"] = way;
    else delete process.env["NODECLOUD_WAY"];
    super(config, context);
    this.global["requireOnce"] = requireOnce;
    this.#about = {
      file: relative(config.globalConfig.rootDir, context.testPath),
      ...(way !== undefined && { way }),
    };
  }

  /** @override */
  async teardown() {
    await super.teardown();
    if (report === undefined) return;
    const { seconds, cpu, processes, engine } = this.#before;
    const now = spent();
    const cost = {
      ...this.#about,
      seconds: now.seconds - seconds,
      cpu: now.cpu - cpu,
      processes: now.processes - processes,
      engine: now.engine - engine,
    };
    appendFileSync(report, `${JSON.stringify(cost)}\n`);
  }
}
