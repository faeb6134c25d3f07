import type * as pulumi from "@pulumi/pulumi";
import { type Description } from "../describe/define-resource";
import { type Outline } from "../describe/outline";

export type Inputs = Record<string, unknown>;

/** The type token and the name of a resource. */
export interface TypeAndName {
  readonly type: string;
  readonly name: string;
}

/** The inputs of a resource after the program's transformations, and its options. */
export interface Registered {
  readonly props: Inputs;
  readonly opts: pulumi.CustomResourceOptions;
  /** The id that a first import gives, where the engine's preview does not tell it. */
  readonly importId?: string | undefined;
}

/** The inputs of the program, and the id of an import. */
export interface Given extends Pick<Registered, "importId"> {
  readonly inputs: Readonly<Inputs>;
}

/** The program's part of the way in which the engine reaches the provider of a resource. */
export interface Registrar {
  /** The type token of a resource in the engine. */
  typeOf(outline: Pick<Outline, "type">): string;
  /** The inputs and options that the engine gets in place of those of the program. */
  registration(
    outline: Outline,
    resource: TypeAndName,
    given: Inputs,
    opts: pulumi.CustomResourceOptions,
  ): Registered;
  /** Does the rest, once the resource is registered. */
  settle(
    resource: pulumi.CustomResource,
    outline: Outline,
    given: Given,
    description: () => Description,
  ): void;
}
