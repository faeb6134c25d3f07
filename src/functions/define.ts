import type * as pulumi from "@pulumi/pulumi";
import { type Declaration, declarations } from "./declarations";
import type * as calling from "./promise-or-output";

/** The two forms of a data function. The exports that they are assigned to have their types. */
interface Forms<Declared> {
  readonly declaration: Declared;
  readonly get: never;
  readonly getOutput: never;
}

// The first call loads the code of the calls, so importing the package stays fast.
// eslint-disable-next-line @typescript-eslint/no-require-imports -- `import()` is asynchronous, and an output is not
const load = () => require("./promise-or-output") as typeof calling;

/** Declares a data function. */
export function define<const Declared extends Declaration>(declaration: Declared): Forms<Declared> {
  declarations.set(declaration.name, declaration);
  return {
    declaration,
    get: (args?: unknown, opts?: pulumi.InvokeOptions) => load().get(declaration, args, opts),
    getOutput: (args?: unknown, opts?: pulumi.InvokeOutputOptions) =>
      load().getOutput(declaration, args, opts),
  } as Forms<Declared>;
}
