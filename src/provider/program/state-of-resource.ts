import type * as pulumi from "@pulumi/pulumi";
import * as sdk from "./sdk";
import { NO_ORGANIZATION } from "../describe/urn";
import { areManaged } from "../state/codec";
import { handedStanding } from "../state/handed";
import { isObject } from "../state/values";

type Resources = Readonly<Record<string, unknown>>;

/** The answer to the first question of a run. It does not contain the resources that the run itself creates. */
let asked: { readonly run: unknown; readonly resources: Promise<Resources | undefined> } = {
  run: undefined,
  resources: Promise.resolve(undefined),
};

/**
 * Whether the state has the resource of a URN as a managed one. The engine checks a replacement by the command line (`--replace`, a taint) as a new
 * resource, without a diff, so only the state distinguishes it from a first creation. Undefined if the state does not have it, or the engine does not
 * answer.
 */
export async function standingOf(
  urn: string | Promise<string>,
  { deleteBeforeReplace = false }: pulumi.CustomResourceOptions,
): Promise<string | undefined> {
  const resources = await resourcesOfRun();
  if (!isManaged(resources?.[await urn])) return undefined;
  return handedStanding({ goesFirst: deleteBeforeReplace });
}

/** Whether the state has a managed resource of a type and a name, whatever its parents are: their URNs may not be known yet. */
export async function isInState(type: string, name: string): Promise<boolean> {
  const resources = Object.entries((await resourcesOfRun()) ?? {});
  return resources.some(([urn, known]) => urn.endsWith(`${type}::${name}`) && isManaged(known));
}

function resourcesOfRun(): Promise<Resources | undefined> {
  const run = sdk.getStore();
  if (asked.run !== run) asked = { run, resources: resourcesInState() };
  return asked.resources;
}

/** The program has set no inputs of a resource that `get` reads. */
const isManaged = (known: unknown): boolean => isObject(known) && areManaged(known["outputs"]);

async function resourcesInState(): Promise<Resources | undefined> {
  try {
    const stackName = `${sdk.getOrganization() || NO_ORGANIZATION}/${sdk.getProject()}/${sdk.getStack()}`;
    const answer: unknown = await sdk.invoke("pulumi:pulumi:readStackResourceOutputs", { stackName });
    return isObject(answer) && isObject(answer["outputs"]) ? answer["outputs"] : undefined;
  } catch {
    return undefined;
  }
}
