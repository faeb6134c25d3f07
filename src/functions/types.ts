import type * as pulumi from "@pulumi/pulumi";
import { type Service } from "../api/service";
import { type DatabaseResult } from "./results";

/** The fields of a database in the results of all functions. */
export type DatabaseFields = Omit<DatabaseResult, "instanceUri">;

/** Every read operation of the service, as `family.operation`. */
export type ReadOperation = {
  [Family in keyof Service & string]: {
    [Name in keyof Service[Family] & string]: Service[Family][Name] extends { readonly method: "GET" }
      ? `${Family}.${Name}`
      : never;
  }[keyof Service[Family] & string];
}[keyof Service & string];

type Scalar = string | number | boolean;

/** The dotted paths of the scalar fields of an item, including nested ones. */
export type ScalarPath<Item> = {
  [Name in keyof Item & string]-?: NonNullable<Item[Name]> extends Scalar
    ? Name
    : NonNullable<Item[Name]> extends readonly unknown[]
      ? never
      : `${Name}.${ScalarPath<NonNullable<Item[Name]>>}`;
}[keyof Item & string];

/** The dotted paths of the fields that are lists of scalars, including nested ones. */
export type ListPath<Item> = {
  [Name in keyof Item & string]-?: NonNullable<Item[Name]> extends Scalar
    ? never
    : NonNullable<Item[Name]> extends readonly (infer Entry)[]
      ? [Entry] extends [Scalar]
        ? Name
        : never
      : `${Name}.${ListPath<NonNullable<Item[Name]>>}`;
}[keyof Item & string];

type ValueAt<Item, Path extends string> = Path extends `${infer Name}.${infer Rest}`
  ? Name extends keyof Item
    ? ValueAt<NonNullable<Item[Name]>, Rest>
    : never
  : Path extends keyof Item
    ? NonNullable<Item[Path]>
    : never;

type EntryAt<Item, Path extends string> =
  ValueAt<Item, Path> extends readonly (infer Entry)[] ? Entry : never;

/** Exactly one of several operators, with its operand. */
type OneOf<Operators> = {
  [Name in keyof Operators]: { readonly [Own in Name]: Operators[Own] } & {
    readonly [Other in Exclude<keyof Operators, Name>]?: undefined;
  };
}[keyof Operators];

/** A condition on a field: a value, a list of values of which one must match, or for strings a substring or a regular expression. */
export type Condition<Value> =
  Value | readonly Value[] | (Value extends string ? OneOf<{ contains: string; matches: string }> : never);

/**
 * A condition on a list field: a value that the list must contain (like `contains`), values of which it must contain one (like `any`) or all
 * (`all`), or for strings a regular expression that one entry must match.
 */
export type ListCondition<Entry> =
  | Entry
  | readonly Entry[]
  | OneOf<
      { contains: Entry; any: readonly Entry[]; all: readonly Entry[] } & (Entry extends string
        ? { matches: string }
        : unknown)
    >;

/** Conditions by field. All of them must hold. Nested fields have dotted names: `"specs.memory"`. */
export type Filter<Item> = {
  readonly [Path in ScalarPath<Item> | ListPath<Item>]?: Path extends ListPath<Item>
    ? ListCondition<EntryAt<Item, Path>>
    : Condition<Path extends "id" ? ValueAt<Item, Path> | number : ValueAt<Item, Path>>;
};

type MostRecent<Item> = "created" extends keyof Item
  ? {
      /** Returns only the newest match, by `created`. @default false @example true */
      readonly mostRecent?: boolean;
    }
  : unknown;

/** The id of the parent that items name in a property, with the documentation of that property. */
type ParentOf<Item, Parent extends string> = {
  readonly [Name in keyof Pick<Item, Parent & keyof Item>]: string | number;
};

/** Arguments of a function that returns a list. */
export type ListArgs<Item, Parent extends string = never> = ParentOf<Item, Parent> & {
  /** Conditions by field. All of them must hold. @default every item @example { region: "us-east", label: { matches: "^web-" } } */
  readonly filter?: Filter<Item>;
  /** The field to sort by. Items without the field come last. @default the order of the API @example "label" */
  readonly sortBy?: ScalarPath<Item>;
  /** The sort order. @default "asc" @example "desc" */
  readonly order?: "asc" | "desc";
} & MostRecent<Item>;

/** Arguments of a function that returns one item: its id, or conditions that only this item of the list fulfils. */
export type ItemArgs<Item, By extends string, Parent extends string = never, Id = string | number> =
  | ({
      /** The id of the item, or of its resource. @example "123" */
      readonly id: Id;
      readonly filter?: undefined;
      readonly mostRecent?: undefined;
    } & Partial<ParentOf<Item, Parent>> & { readonly [Name in By]?: undefined })
  | (ParentOf<Item, Parent> & {
      readonly id?: undefined;
      /** Conditions by field. All of them must hold, for exactly one item. @example { label: "web-1" } */
      readonly filter?: Filter<Item>;
    } & {
      readonly [Name in keyof Pick<Item, By & keyof Item>]?: NonNullable<Item[Name]>;
    } & MostRecent<Item>);

/** Arguments in which any part can be an output. */
export type Inputs<Args> =
  | pulumi.Input<Args>
  | pulumi.Input<Extract<Args, Scalar | undefined>>
  | InputParts<Exclude<Args, Scalar | undefined>>;

type InputParts<Args> = Args extends readonly (infer Item)[]
  ? pulumi.Input<readonly Inputs<Item>[]>
  : pulumi.Input<{ [Name in keyof Args]: Inputs<Args[Name]> }>;

type Parameters<Args, Given, Options> = undefined extends Args
  ? [args?: Given, opts?: Options]
  : [args: Given, opts?: Options];

/** A data function that returns a promise. */
export type GetFunction<Args, Result> = (
  ...parameters: Parameters<Args, Args, pulumi.InvokeOptions>
) => Promise<Result>;

/** A data function that accepts outputs and returns an output. */
export type GetOutputFunction<Args, Result> = (
  ...parameters: Parameters<Args, Inputs<Args>, pulumi.InvokeOutputOptions>
) => pulumi.Output<Result>;

/** A result in which each secret field is a separate output. */
export type Secret<Result, Name extends keyof Result> = {
  [Field in keyof Result]: Field extends Name ? pulumi.Output<Result[Field]> : Result[Field];
};
