import type * as pulumi from "@pulumi/pulumi";
import * as sdk from "./sdk";
import { GOES_FIRST, NO_ORGANIZATION, SET, STANDS } from "../state/hidden";
import { isObject } from "../state/values";

type Resources = Readonly<Record<string, unknown>>;

/** The answer for the run of a program that asked first: what that run itself makes is not among it. */
let asked: { readonly run: unknown; readonly resources: Promise<Resources | undefined> } = {
  run: undefined,
  resources: Promise.resolve(undefined),
};

/**
 * What the state says of the resource of a URN: whether it is there as one that this package manages. A replacement that the command line asks
 * for (`--replace`, a taint) is checked as a new resource, and no diff is asked for: nothing else tells it from a first creation. Undefined
 * where it is not there, or the engine does not say.
 */
export async function standingOf(
  urn: string | Promise<string>,
  { deleteBeforeReplace = false }: pulumi.CustomResourceOptions,
): Promise<string | undefined> {
  const run = sdk.getStore();
  if (asked.run !== run) asked = { run, resources: resourcesInState() };
  const resources = await asked.resources;
  const known = resources?.[await urn];
  const outputs = isObject(known) ? known["outputs"] : undefined;
  // Of one that is read by `get` the program has set nothing.
  const set = isObject(outputs) ? outputs[SET] : undefined;
  if (typeof set !== "string" || set === "") return undefined;
  return deleteBeforeReplace ? GOES_FIRST : STANDS;
}

async function resourcesInState(): Promise<Resources | undefined> {
  try {
    const stackName = `${sdk.getOrganization() || NO_ORGANIZATION}/${sdk.getProject()}/${sdk.getStack()}`;
    const answer: unknown = await sdk.invoke("pulumi:pulumi:readStackResourceOutputs", { stackName });
    return isObject(answer) && isObject(answer["outputs"]) ? answer["outputs"] : undefined;
  } catch {
    return undefined;
  }
}
