import { CHECKED } from "../../provider/program/checked";
import { type Thrown } from "./problems";

/**
 * What the process of a checked program runs first. It tells the command which errors end the program, as the SDK prints some of them without their
 * place, and then starts the SDK's runner, whose path is the first argument.
 */
const [runner = ""] = process.argv.splice(1, 2).slice(1);
process.argv.splice(1, 0, runner);

const tell = (error: unknown) => {
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
  process.send?.({ name, message, stack: stack ?? "" } satisfies Thrown);
};
process.on("uncaughtException", tell);
process.on("unhandledRejection", tell);

Object.defineProperty(globalThis, CHECKED, { value: true });
// eslint-disable-next-line @typescript-eslint/no-require-imports -- the SDK of the program
require(runner);
