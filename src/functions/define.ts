import * as pulumi from "@pulumi/pulumi";
import { oneLine, sayingOf } from "../provider/errors";
import { type Properties } from "../provider/values";
import { accountOf, accountsOfThisRun, settingsFor } from "./account";
import {
  attemptOf,
  type Declaration,
  declarations,
  type ItemDeclaration,
  type ListDeclaration,
  type ViewDeclaration,
} from "./declare";
import { createdBefore, hasOutput, valueOf } from "./outputs";
import { type Look, lookAtAnswer, lookAtItem, lookAtList } from "./look";
import { RequestFailure } from "./messages";
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
  type Shown,
} from "./types";

/** A data function in its two forms. */
export interface Forms<Args, Result, Plain = Result> {
  readonly get: GetFunction<Args, Result>;
  readonly getOutput: GetOutputFunction<Args, Plain>;
}

/** A list with its two forms, and what a function for one of its items needs to know. */
interface List<Declared extends ListDeclaration, Args, Result> extends Forms<Args, Result> {
  readonly declaration: Declared;
}

/** Declares a function that gives a list. */
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
    ...forms(declared, (args, look) => lookAtList(declared as ListDeclaration, args, look)),
  } as List<
    typeof declared,
    Optional<ListArgs<ItemOf<Item, Parent>, Parent, string | number>>,
    { [Name in Collection]: ItemOf<Item, Parent>[] }
  >;
}

/** Declares a function that gives one item of a list. */
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
  return forms(declared, (args, look) => lookAtItem(declared, args, look)) as Forms<
    ItemArgs<ItemOf<Item, Parent>, IdOf<Item>, Parent, string | number, By>,
    ItemOf<Item, Parent>
  >;
}

/** Declares a function that gives the answer of an operation. */
export function defineView<
  const Viewed extends ReadOperation,
  const Parent extends string,
  const Secret extends string = never,
  const Id extends string | number = string | number,
>(
  declaration: Omit<ViewDeclaration, "kind"> & {
    reads: Viewed;
    parent: { property: Parent };
    secrets?: readonly Secret[];
  },
) {
  const declared: ViewDeclaration = { kind: "view", ...declaration };
  return forms(declared, (args, look) => lookAtAnswer(declared, args, look)) as Forms<
    ParentArgs<Parent, Id>,
    {
      [Name in keyof Shown<Answer<Viewed>>]: Name extends Secret
        ? pulumi.Output<Shown<Answer<Viewed>>[Name]>
        : Shown<Answer<Viewed>>[Name];
    },
    Shown<Answer<Viewed>>
  >;
}

/** The two forms of a function. */
function forms(
  declaration: Declaration,
  run: (args: unknown, look: Look) => Promise<Properties>,
): { readonly get: unknown; readonly getOutput: unknown } {
  declarations.set(declaration.name, declaration);
  const secrets = declaration.kind === "view" ? (declaration.secrets ?? []) : [];

  const get = async (args?: unknown, opts: pulumi.InvokeOptions = {}) => {
    try {
      const accounts = accountsOfThisRun();
      if (hasOutput(args)) throw new Error(`takes no outputs; ${declaration.name}Output does`);
      const settings = await valueOf(settingsFor(opts));
      if (settings === undefined) {
        throw new Error(
          `the provider's token or address is not known yet in this preview; ${declaration.name}Output waits for it`,
        );
      }
      const result = await run(args, { account: accountOf(accounts, settings), after: [], secret: false });
      for (const name of secrets) result[name] = pulumi.secret(result[name]);
      return result;
    } catch (error) {
      throw failed(declaration, error);
    }
  };

  const getOutput = (args?: unknown, opts: pulumi.InvokeOutputOptions = {}) => {
    const accounts = accountsOfThisRun();
    const asked = pulumi.output(args);
    const settings = orFailed(declaration, () => settingsFor(opts));
    const result = pulumi
      .all([asked, settings, createdBefore(asked, opts.dependsOn), pulumi.isSecret(asked)])
      .apply(async ([known, account, after, secret]) => {
        try {
          return await run(known, { account: accountOf(accounts, account), after, secret });
        } catch (error) {
          throw failed(declaration, error);
        }
      });
    return secrets.length > 0 ? pulumi.secret(result) : result;
  };

  return { get, getOutput };
}

function orFailed<Value>(declaration: Declaration, work: () => Value): Value {
  try {
    return work();
  } catch (error) {
    throw failed(declaration, error);
  }
}

/** An error that the engine shows as one line. */
function failed(declaration: Declaration, error: unknown): Error {
  const message =
    error instanceof RequestFailure
      ? error.message
      : oneLine(`${attemptOf(declaration)}: ${sayingOf(error)}`);
  return new pulumi.RunError(message, { cause: error instanceof RequestFailure ? error.cause : error });
}
