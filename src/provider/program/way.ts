import type * as pulumi from "@pulumi/pulumi";
import { type Description } from "../describe/define-resource";
import { type Outline } from "../describe/outline";

type Inputs = Record<string, unknown>;

/** A way in which the engine reaches the provider of a resource, as far as the program decides it. */
export interface Way {
  /** The type token of a resource in the engine. */
  typeOf(outline: Pick<Outline, "type">): string;
  /** The registration of a resource with the engine: its inputs after the program's transformations, and its options. */
  registration(
    outline: Outline,
    resource: { readonly type: string; readonly name: string },
    given: Inputs,
    opts: pulumi.CustomResourceOptions,
  ): { props: Inputs; opts: pulumi.CustomResourceOptions };
  /** Does the rest, once the resource is registered. */
  settle(
    resource: pulumi.CustomResource,
    outline: Outline,
    inputs: Readonly<Inputs>,
    description: () => Description,
  ): void;
}
