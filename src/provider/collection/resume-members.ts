import { formatId, isNew } from "../describe/define-resource";
import { shortened } from "../engine/warnings";
import { SETTINGS } from "../process/config";
import { type Call } from "../state/call";
import { type Properties } from "../state/values";
import { type Collection } from "./collection";
import { claimFrom } from "./members/match-objects";
import { poolOf } from "./members/object-pool";
import { type Held, type Wanted } from "./members/member";

/** An operation on a resource, in a preview or when it is carried out. */
export interface Resuming {
  /** The outputs that the state has. Empty for a creation. */
  readonly olds: Properties;
  readonly call: Call;
  readonly isPreview: boolean;
}

/**
 * Takes existing objects that are like declared members, if `nodecloud:resume` is set and the state says that an earlier run was interrupted
 * while it made members. Otherwise an equal object may belong to another stack.
 */
export async function resumedMembers(
  collection: Collection,
  operation: Resuming,
  foreign: readonly Properties[],
  open: readonly Wanted[],
): Promise<Held[]> {
  const { session, description, item } = collection;
  if (!session.configuration.resume || foreign.length === 0) return [];
  if (!(await wasCutOff(collection, operation))) return [];
  const parent = collection.parentOf(operation.call.inputs);
  const elsewhere = item.known.ofOtherRuns();
  const state = await session.stack.state();
  const free = foreign.filter((reply) => {
    const id = formatId({ parent, id: description.item.idOf(reply) });
    return !elsewhere.has(id) && !item.known.isManaged(id) && state?.knows(item.type, id) !== true;
  });
  return claimFrom(poolOf(description, free), description, open);
}

/** Whether the state says that an earlier run was interrupted. A preview asks the state; later the state has the operation of this run. */
async function wasCutOff({ known }: Collection, { olds, call, isPreview }: Resuming): Promise<boolean> {
  const operation = isNew(olds) ? "creating" : "updating";
  return isPreview ? known.learnCutOff(operation, call) : known.wasCutOff(operation, call);
}

/** Says in the preview which existing objects become members. */
export function announceResumed(
  collection: Collection,
  call: Call,
  resumed: readonly Held[],
  which: string,
): void {
  if (resumed.length === 0) return;
  const parent = collection.parentOf(call.inputs);
  const ids = shortened(resumed.map(({ id }) => formatId({ parent, id }))).join(", ");
  collection.note(
    call,
    `continues with ${resumed.length} of the ${collection.property}, which ${which}: ${ids}`,
  );
}

/** What to do about objects that exist already. */
export function howToTakeOver(collection: Collection, olds: Properties, inputs: Properties): string {
  const { session, description } = collection;
  const { key, variable } = SETTINGS.resume;
  const goOn = session.configuration.resume
    ? `${key} does not apply, because the state has no interrupted operation on this resource`
    : `If an interrupted run created it, set ${key} (or ${variable}=true)`;
  return isNew(olds)
    ? `${goOn}. To manage what exists, set the option import: "${collection.idFor(inputs)}", or set ${description.exclusive}`
    : `${goOn}. Otherwise delete it in the account, remove it from the program, or set ${description.exclusive} to take it over`;
}
