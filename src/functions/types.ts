import type * as pulumi from "@pulumi/pulumi";
import { type Schema, type ValueOf } from "../api/operation";
import { type Service } from "../api/service";

/** Every read operation of the service, as `family.operation`. */
export type ReadOperation = {
  [Family in keyof Service & string]: {
    [Name in keyof Service[Family] & string]: Service[Family][Name] extends { readonly method: "GET" }
      ? `${Family}.${Name}`
      : never;
  }[keyof Service[Family] & string];
}[keyof Service & string];

type SpecOf<Operation> = Operation extends `${infer Family}.${infer Name}`
  ? Family extends keyof Service
    ? Name extends keyof Service[Family]
      ? Service[Family][Name]
      : never
    : never
  : never;

/** What an operation answers; for a list, one item. */
export type Answer<Operation> =
  SpecOf<Operation> extends { readonly reply: infer Reply extends Schema } ? ValueOf<Reply> : never;

type CamelName<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelName<Tail>>}`
  : Name;

type Scalar = string | number | boolean;

/** A value as programs see it: names in camelCase, what is null left out, and no names but those of the reference. */
export type Shown<Value> = Value extends Scalar | undefined
  ? Value
  : Value extends readonly (infer Item)[]
    ? Shown<Item>[]
    : {
        [Name in keyof Value as string extends Name ? never : CamelName<Name & string>]: Shown<
          Exclude<Value[Name], null>
        >;
      };

/** One item of a list: its id, and its parent's, are text, as those of resources are. */
export type ItemOf<Operation extends ReadOperation, Parent extends string = never> = Flat<
  ("id" extends keyof Shown<Answer<Operation>>
    ? { /** The id that its resource has. */ id: string }
    : unknown) & {
    [Name in Parent]: string;
  } & Omit<Shown<Answer<Operation>>, "id">
>;

/** How the id of an item is given: as it is on the service, or as its resource has it. */
export type IdOf<Operation extends ReadOperation> =
  Answer<Operation> extends { id: number } ? string | number : string;

type Flat<Type> = { [Name in keyof Type]: Type[Name] };

/** The dotted paths of the scalar fields of an item, nested ones too. */
export type ScalarPath<Item> = {
  [Name in keyof Item & string]-?: NonNullable<Item[Name]> extends Scalar
    ? Name
    : NonNullable<Item[Name]> extends readonly unknown[]
      ? never
      : `${Name}.${ScalarPath<NonNullable<Item[Name]>>}`;
}[keyof Item & string];

/** The dotted paths of the fields of an item that are lists of scalars, nested ones too. */
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

/** One operator of several, with what it takes. */
type OneOf<Operators> = {
  [Name in keyof Operators]: { readonly [Own in Name]: Operators[Own] } & {
    readonly [Other in Exclude<keyof Operators, Name>]?: undefined;
  };
}[keyof Operators];

/** What a field is compared with: a value, several of which one must match, or for texts a part or a regular expression. */
export type Condition<Value> =
  Value | readonly Value[] | (Value extends string ? OneOf<{ contains: string; matches: string }> : never);

/**
 * What the entries of a list are compared with: a value that must be among them (as `contains`), several of which one must be (as `any`) or all
 * must be (`all`), or for texts a regular expression that one of them matches.
 */
export type ListCondition<Entry> =
  | Entry
  | readonly Entry[]
  | OneOf<
      { contains: Entry; any: readonly Entry[]; all: readonly Entry[] } & (Entry extends string
        ? { matches: string }
        : unknown)
    >;

/** Conditions by field, all of which must hold. Nested fields have dotted names: `"specs.memory"`. */
export type Filter<Item> = {
  readonly [Path in ScalarPath<Item> | ListPath<Item>]?: Path extends ListPath<Item>
    ? ListCondition<EntryAt<Item, Path>>
    : Condition<Path extends "id" ? ValueAt<Item, Path> | number : ValueAt<Item, Path>>;
};

/** The ids of what an item belongs to: numbers or texts where the service has numbers. */
export type ParentArgs<Parent extends string, Id = string | number> = { readonly [Name in Parent]: Id };

type MostRecent<Item> = "created" extends keyof Item
  ? {
      /** Keeps only the newest, by `created`, of those that match. @default false */
      readonly mostRecent?: boolean;
    }
  : unknown;

/** Arguments of a function that gives a list. */
export type ListArgs<Item, Parent extends string = never> = ParentArgs<Parent> & {
  /** Conditions by field, all of which must hold. @default every item */
  readonly filter?: Filter<Item>;
  /** A field to sort by; items without it come last. @default the order of the API */
  readonly sortBy?: ScalarPath<Item>;
  /** @default "asc" */
  readonly order?: "asc" | "desc";
} & MostRecent<Item>;

/** Arguments of a function that gives one item: its id, or what it is found by in the list. */
export type ItemArgs<Item, By extends string, Parent extends string = never, Id = string | number> =
  | ({
      /** Its id, also in the form that its resource has. */
      readonly id: Id;
      readonly filter?: undefined;
      readonly mostRecent?: undefined;
    } & { readonly [Name in Parent]?: string | number } & { readonly [Name in By]?: undefined })
  | (ParentArgs<Parent> & {
      readonly id?: undefined;
      /** Conditions by field, all of which must hold for exactly one item. */
      readonly filter?: Filter<Item>;
    } & { readonly [Name in By & keyof Item]?: NonNullable<Item[Name]> } & MostRecent<Item>);

/** Arguments any part of which may be an output. */
export type Inputs<Args> =
  | pulumi.Input<Args>
  | pulumi.Input<Extract<Args, Scalar | undefined>>
  | InputParts<Exclude<Args, Scalar | undefined>>;

type InputParts<Args> = Args extends readonly (infer Item)[]
  ? pulumi.Input<readonly Inputs<Item>[]>
  : pulumi.Input<{ [Name in keyof Args]: Inputs<Args[Name]> }>;

/** Arguments that may be left out as a whole where none of them is required. */
export type Optional<Args> = Partial<Args> extends Args ? Args | undefined : Args;

type Parameters<Args, Given, Options> = undefined extends Args
  ? [args?: Given, opts?: Options]
  : [args: Given, opts?: Options];

/** A data function that gives a promise. */
export type GetFunction<Args, Result> = (
  ...parameters: Parameters<Args, Args, pulumi.InvokeOptions>
) => Promise<Result>;

/** A data function that takes and gives outputs. */
export type GetOutputFunction<Args, Result> = (
  ...parameters: Parameters<Args, Inputs<Args>, pulumi.InvokeOutputOptions>
) => pulumi.Output<Result>;

/** A result of which some fields are secret, each an output of its own. */
export type Secret<Result, Name extends keyof Result> = {
  [Field in keyof Result]: Field extends Name ? pulumi.Output<Result[Field]> : Result[Field];
};
