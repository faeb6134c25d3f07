import { createRequire } from "node:module";
import { inspect } from "node:util";
import { quietly } from "../../provider/process/quietly";
import { CHECKED } from "../../provider/program/checked";
import { type Thrown } from "./problems";

/**
 * What the process of a checked program runs first. It tells the command the mistakes of the program, as the SDK prints some of them without their
 * place, and then starts the SDK's runner, whose path is the first argument.
 */
const [runner = ""] = process.argv.splice(1, 2).slice(1);
process.argv.splice(1, 0, runner);
const requireAsRunner = createRequire(runner);

const tell = (error: unknown) => {
  const isText = typeof error === "string";
  // The mistakes that the compiler finds in an ES module come from another thread, in an object without a text.
  const { name, message, stack } =
    error instanceof Error ? error : new Error(isText ? error : inspect(error));
  process.send?.({ name, message, stack: stack ?? "" } satisfies Thrown);
};
process.on("uncaughtException", tell);
process.on("unhandledRejection", tell);

Object.defineProperty(globalThis, CHECKED, { value: tell });

/** The parts of ts-node that run when a file is loaded. */
interface TsNode {
  register(options: object): { compile(code: string, file: string): string };
}

/** Lets the program go on after a mistake that the compiler finds: ts-node throws it when it loads the file, which then runs without its types. */
function goOnWithoutTypes(): void {
  const { typeScriptRequireStrings } = requireAsRunner("../../tsutils") as {
    typeScriptRequireStrings(): { readonly tsnodeRequire: string };
  };
  const tsNode = requireAsRunner(typeScriptRequireStrings().tsnodeRequire) as TsNode;
  const { register } = tsNode;
  tsNode.register = (options) => {
    const service = register(options);
    const { compile } = service;
    service.compile = (code, file) => {
      try {
        return compile(code, file);
      } catch (error) {
        tell(error);
        // It also registers what loads files, which the first one keeps doing.
        const loaders = { ...require.extensions };
        const { compile: transpile } = register({ ...options, transpileOnly: true });
        Object.assign(require.extensions, loaders);
        return transpile(code, file);
      }
    };
    return service;
  };
}

requireAsRunner(runner);
// Not earlier: the SDK reads from the environment, when it is loaded, what the runner has put there. Another SDK may keep its parts elsewhere: the first mistake
// then ends the program.
if (process.env["PULUMI_NODEJS_TYPESCRIPT"] === "true") quietly(goOnWithoutTypes);
