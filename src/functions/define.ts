import type * as pulumi from "@pulumi/pulumi";
import {
  type Declaration,
  declarations,
  type ItemDeclaration,
  type ListDeclaration,
  type ViewDeclaration,
} from "./declarations";
import type * as calling from "./promise-or-output";
import {
  type Answer,
  type GetFunction,
  type GetOutputFunction,
  type IdOf,
  type ItemArgs,
  type ItemOf,
  type ListArgs,
  type Optional,
  type ParentArgs,
  type ReadOperation,
  type Secret,
  type Shown,
} from "./types";

/** The two forms of a data function. */
export interface Forms<Args, Result, Plain = Result> {
  readonly get: GetFunction<Args, Result>;
  readonly getOutput: GetOutputFunction<Args, Plain>;
}

/** The two forms of a list function, and its declaration, which the function for one item uses. */
interface List<Declared extends ListDeclaration, Args, Result> extends Forms<Args, Result> {
  readonly declaration: Declared;
}

/** Declares a function that returns a list. */
export function defineList<
  const Listed extends ReadOperation,
  const Collection extends string,
  const By extends string,
  const Parent extends string = never,
  const Item extends ReadOperation = Listed,
>(declaration: Omit<ListDeclaration<Listed, Collection, Parent, Item, By>, "kind">) {
  const declared = { kind: "list" as const, ...declaration };
  return {
    declaration: declared,
    ...forms(declared as ListDeclaration),
  } as List<
    typeof declared,
    Optional<ListArgs<ItemOf<Item, Parent>, Parent>>,
    { [Name in Collection]: ItemOf<Item, Parent>[] }
  >;
}

/** Declares a function that returns one item of a list. */
export function defineItem<
  Listed extends ReadOperation,
  Collection extends string,
  By extends string,
  Parent extends string,
  Item extends ReadOperation,
>(
  name: `get${string}`,
  {
    list: { declaration: list },
    reads,
  }: {
    readonly list: { readonly declaration: ListDeclaration<Listed, Collection, Parent, Item, By> };
    readonly reads?: ReadOperation;
  },
) {
  const declared: ItemDeclaration = {
    kind: "item",
    name,
    list: list as ListDeclaration,
    ...(reads === undefined ? {} : { reads }),
  };
  return forms(declared) as Forms<
    ItemArgs<ItemOf<Item, Parent>, By, Parent, IdOf<Item>>,
    ItemOf<Item, Parent>
  >;
}

/** Declares a function that returns the answer of an operation. */
export function defineView<
  const Viewed extends ReadOperation,
  const Parent extends string,
  const Secrets extends keyof Shown<Answer<Viewed>> & string = never,
  const Id extends string | number = string | number,
>(
  declaration: Omit<ViewDeclaration, "kind"> & {
    reads: Viewed;
    parent: { property: Parent };
    secrets?: readonly Secrets[];
  },
) {
  const declared: ViewDeclaration = { kind: "view", ...declaration };
  return forms(declared) as Forms<
    ParentArgs<Parent, Id>,
    Secret<Shown<Answer<Viewed>>, Secrets>,
    Shown<Answer<Viewed>>
  >;
}

// The first call loads the code of the calls, so importing the package stays fast.
// eslint-disable-next-line @typescript-eslint/no-require-imports -- `import()` is asynchronous, and an output is not
const load = () => require("./promise-or-output") as typeof calling;

/** The two forms of a function. */
function forms(declaration: Declaration): { readonly get: unknown; readonly getOutput: unknown } {
  declarations.set(declaration.name, declaration);
  return {
    get: (args?: unknown, opts?: pulumi.InvokeOptions) => load().get(declaration, args, opts),
    getOutput: (args?: unknown, opts?: pulumi.InvokeOutputOptions) =>
      load().getOutput(declaration, args, opts),
  };
}
