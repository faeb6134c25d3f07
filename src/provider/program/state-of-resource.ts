import { classIn } from "../describe/type-token";
import { lastingUrn, partsOfUrn } from "../describe/urn";
import { onceInRun } from "./run-mode";
import * as sdk from "./sdk";
import { areManaged, whereaboutsIn } from "../state/codec";
import { isObject } from "../base/values";
import { organization } from "./urn";

/** The managed resources in the state, whichever way serves them: by URN with where their objects are, and by class and name. */
interface Managed {
  readonly urns: ReadonlyMap<string, string | undefined>;
  readonly names: ReadonlySet<string>;
}

/**
 * Whether the state has the managed resource of a URN. The engine checks a replacement by the command line (`--replace`, a taint) as a new resource,
 * without a diff, so only the state distinguishes it from a first creation. False if the engine does not answer.
 */
export const isUrnInState = async (urn: string | Promise<string>): Promise<boolean> =>
  (await managedInState()).urns.has(lastingUrn(await urn));

/** Where the object of a URN was last reached, see `whereabouts`. */
export const placeInState = async (urn = ""): Promise<string | undefined> =>
  (await managedInState()).urns.get(lastingUrn(urn));

/** Whether the state has a managed resource of a type and a name, whatever its parents are: their URNs may not be known yet. */
export const isInState = async (type: string, name: string): Promise<boolean> =>
  (await managedInState()).names.has(`${classIn(type) ?? type} ${name}`);

/** The answer to the first question of a run. It does not contain the resources that the run itself creates. */
const managedInState = onceInRun(readState);

async function readState(): Promise<Managed> {
  const resources = Object.entries((await resourcesInState()) ?? {}).filter(([, known]) => isManaged(known));
  const names = resources.map(([urn]) => {
    const { types, name } = partsOfUrn(urn);
    const type = types.at(-1) ?? "";
    return `${classIn(type) ?? type} ${name}`;
  });
  const urns = resources.map(([urn, known]) => [lastingUrn(urn), placeOf(known)] as const);
  return { urns: new Map(urns), names: new Set(names) };
}

const placeOf = (known: unknown) =>
  isObject(known) && isObject(known["outputs"]) ? whereaboutsIn(known["outputs"]) : undefined;

/** The program has set no inputs of a resource that `get` reads. */
const isManaged = (known: unknown): boolean => isObject(known) && areManaged(known["outputs"]);

async function resourcesInState(): Promise<Readonly<Record<string, unknown>> | undefined> {
  try {
    const stackName = `${organization()}/${sdk.getProject()}/${sdk.getStack()}`;
    const answer: unknown = await sdk.invoke("pulumi:pulumi:readStackResourceOutputs", { stackName });
    return isObject(answer) && isObject(answer["outputs"]) ? answer["outputs"] : undefined;
  } catch {
    return undefined;
  }
}
