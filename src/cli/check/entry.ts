import { createRequire } from "node:module";
import { inspect } from "node:util";
import { CHECKED } from "../../provider/program/checked";
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

Object.defineProperty(globalThis, CHECKED, { value: tell });

requireAsRunner(runner);
