import { createRequire, syncBuiltinESMExports } from "node:module";
import { basename } from "node:path";
import { inspect } from "node:util";
import { CHECKED } from "../../provider/program/checked";
import { quietly } from "../../api/quietly";
import { type Thrown } from "./problems";

/**
 * Runs first in the process of a checked program. It tells the command the mistakes of the program, as the SDK prints some of them without their
 * place, and then starts the SDK's runner, whose path is the first argument.
 */
const [runner = ""] = process.argv.splice(1, 2).slice(1);
process.argv.splice(1, 0, runner);
const requireAsRunner = createRequire(runner);

const tell = (error: unknown) => {
  const { name, message, stack } =
    error instanceof Error ? error : new Error(typeof error === "string" ? error : inspect(error));
  process.send?.({ name, message, stack: stack ?? "" } satisfies Thrown);
};
process.on("uncaughtException", tell);
process.on("unhandledRejection", tell);

/** The part of ts-node that this file uses. */
interface TsNode {
  register: (options: object) => { compile?: (...code: unknown[]) => string };
}

/**
 * Lets a program go on after what the compiler finds. A project without ts-node gets the SDK's own copy, whose version has no `TS_NODE_LOG_ERROR`: it
 * compiles such a file a second time, without types.
 */
function goOnAfter(tsNode: TsNode): void {
  const { register } = tsNode;
  const { extensions } = requireAsRunner;
  tsNode.register = (options) => {
    const before = { ...extensions };
    const untyped = register({ ...options, transpileOnly: true });
    for (const name of Object.keys(extensions)) Reflect.deleteProperty(extensions, name);
    Object.assign(extensions, before);
    const typed = register(options);
    const { compile } = typed;
    if (compile !== undefined && untyped.compile !== undefined)
      typed.compile = (...code) => {
        try {
          return compile(...code);
        } catch (error) {
          tell(error);
          return untyped.compile?.(...code) ?? "";
        }
      };
    return typed;
  };
}

const own = quietly(() => requireAsRunner("../../vendor/ts-node@7.0.1") as TsNode);
if (own !== undefined && quietly(() => requireAsRunner.resolve("ts-node")) === undefined) goOnAfter(own);

/** A program of the Automation API would deploy: it starts the command line itself. */
function refusePulumi(): void {
  const starting = createRequire(__filename)("node:child_process") as {
    spawn: (...args: unknown[]) => unknown;
  };
  const { spawn } = starting;
  starting.spawn = (file, ...more) => {
    if (typeof file === "string" && /^pulumi(?:\.exe|\.cmd)?$/i.test(basename(file)))
      throw new Error(
        "this program starts `pulumi`, as programs of the Automation API do. nodecloud check does not, because that would deploy: check the project with the program that it deploys",
      );
    return spawn(file, ...more);
  };
  syncBuiltinESMExports();
}
refusePulumi();

Object.defineProperty(globalThis, CHECKED, { value: tell });

requireAsRunner(runner);
