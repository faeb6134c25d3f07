import type * as pulumi from "@pulumi/pulumi";
import {
  type FunctionDeclaration,
  declarations,
  type ItemDeclaration,
  type ListDeclaration,
  type ViewDeclaration,
} from "./declarations";
import type * as calling from "./promise-or-output";
import { type GetFunction, type GetOutputFunction } from "./types";

/** The two forms of a data function. In an output, secrets are no outputs of their own. */
interface Forms<Declared, Args, Result, Whole> {
  readonly declaration: Declared;
  readonly get: GetFunction<Args, Result>;
  readonly getOutput: GetOutputFunction<Args, Whole>;
}

/** The facts of a declaration. The function that declares it adds its kind. */
type Facts<Declared extends FunctionDeclaration> = Omit<Declared, "kind">;

// The first call loads the code of the calls, so importing the package stays fast.
// eslint-disable-next-line @typescript-eslint/no-require-imports -- `import()` is asynchronous, and an output is not
const load = () => require("./promise-or-output") as typeof calling;

function define<Declared extends FunctionDeclaration, Args, Result, Whole = Result>(
  declaration: Declared,
): Forms<Declared, Args, Result, Whole> {
  declarations.set(declaration.name, declaration);
  const get = (args?: unknown, opts?: pulumi.InvokeOptions) => load().get(declaration, args, opts);
  const getOutput = (args?: unknown, opts?: pulumi.InvokeOutputOptions) =>
    load().getOutput(declaration, args, opts);
  // The types of an answer are those of its operation.
  return { declaration, get, getOutput } as unknown as Forms<Declared, Args, Result, Whole>;
}

/** Declares a function that returns a list. */
export const defineList = <Args, Result>(facts: Facts<ListDeclaration>) =>
  define<ListDeclaration, Args, Result>({ kind: "list", ...facts });

/** Declares a function that returns one item of a list. */
export const defineItem = <Args, Result>(facts: Facts<ItemDeclaration>) =>
  define<ItemDeclaration, Args, Result>({ kind: "item", ...facts });

/** Declares a function that returns an answer as it is. */
export const defineView = <Args, Result, Whole = Result>(facts: Facts<ViewDeclaration>) =>
  define<ViewDeclaration, Args, Result, Whole>({ kind: "view", ...facts });
