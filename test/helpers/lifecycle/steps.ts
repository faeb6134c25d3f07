import { type Properties } from "../plugin";
import { type Rig } from "./rig";
import { type ResourceType } from "./description";
import { type Managed } from "./managed";

/** The inputs for the steps in the life of a resource. */
export interface Steps {
  readonly type: ResourceType;
  /** Every input that can be read back and set together. */
  first(): Properties | Promise<Properties>;
  /** The first inputs with changes that update in place. Omit it for a resource without updates. */
  changed?(first: Properties): Properties;
  /** The first inputs with a change that replaces. */
  replaced(first: Properties): Properties | Promise<Properties>;
  /** An id of the right form without an object, and an id of another form. */
  readonly ids: { readonly unknown: string; readonly malformed: string };
  /** A property of the program with another value than the account has, so that an import fails. */
  readonly different: { readonly path: string; readonly value: unknown };
  /** Outputs that are empty in these tests. */
  readonly empty?: readonly string[];
  /** The inputs of a program that adopts the object: the first inputs as the service stored them. */
  adopted?(first: Properties): Properties;
  /** Whether a delete leaves the object in the account, and whether the object that takes its place displaces it. */
  readonly stays?: boolean | "unless replaced";
}

/** The resource whose life the tests follow, one step after another. */
export interface Life {
  readonly rig: () => Rig;
  readonly steps: Steps;
  resource: Managed;
  created: Properties;
}

/** The operations other than reads that were requested since the last call. */
export async function writesIn(rig: Rig): Promise<string[]> {
  const counts = await rig.requests();
  return Object.keys(counts).filter((operation) => !operation.startsWith("GET "));
}
