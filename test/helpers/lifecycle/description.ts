import { type Description } from "../../../src/provider/describe/define-resource";
import * as resources from "../../../src/sdk";

export type ResourceType = Exclude<keyof typeof resources, `${string}Args`>;

export const descriptionOf = (type: ResourceType): Description => {
  const served: { readonly description: unknown } = resources[type];
  // Each description has its own type of answer. These tests use only the parts that all descriptions share.
  return served.description as Description;
};

/** The properties that only the service sets. */
export const outputsOnly = ({ fields, outputs }: Description): string[] =>
  Object.keys(outputs).filter((name) => !Object.hasOwn(fields, name));
