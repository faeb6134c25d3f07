import { type Code } from "../../base/codes";
import { counted, nounFor } from "../../../api/text";
import { asProviderError, ProviderError } from "../../base/errors";
import { PartialError } from "../../state/partial-error";
import { type Created, type StateCall } from "../../state/provider-interface";
import { shortened } from "../../kind/warnings";
import { type Call, type State, whoIs } from "../../state/call";
import { hasUnknown } from "../../base/values";
import { PlanRun } from "../apply/apply-plan";
import { type Collection } from "../collection";
import { compareForImport } from "../compare-with-import";
import { heldIn } from "../../state/members";
import { sharingWith, takenFromOthers } from "../other-owners";
import { deletionsIn } from "../describe-plan";
import { formsOf } from "../members/as-objects";
import { isGuarded } from "../members/secrets";
import { untilServed } from "../../object/served";
import { refuseAsPreviewed, refuseDenied } from "../../object/guard";
import { foundIn, type SetOperation, operationOf, prepare, type Prepared, wasCutOff } from "../prepare";

/** Creates the members, or adopts existing ones. */
export async function create(collection: Collection, call: Call): Promise<Created> {
  const importId = collection.ownership.idIn(call);
  const id = collection.idFor(call.inputs);
  if (importId === undefined) {
    // Of a replacement that keeps the old records, nothing is deleted and refused before.
    refuseAsPreviewed({ kind: collection, call });
    refuseUnchecked(collection, call);
    return { id, state: await reconcile(collection, id, call) };
  }
  const held = await compareForImport(collection, importId, call);
  // A set in another process may have begun to delete some of them meanwhile.
  collection.ownership.refuseDeleted(call, held);
  collection.ownership.take(call, held);
  return { id, state: { ...collection.stateOf(call, held), isAdopted: true } };
}

/** Refuses what a policy has made exclusive after the check: no preview has shown what it deletes. */
function refuseUnchecked(collection: Collection, call: Call): void {
  const { exclusive } = collection.description;
  const isChecked = collection.exclusives.has(whoIs(call)) || !collection.known.steps.isChecked(call);
  if (isChecked || !collection.isExclusive(call.inputs)) return;
  throw new ProviderError(
    `create ${collection.nameOf(call.inputs)}: ${exclusive} was set after the check, as a policy does, so the preview does not show what is deleted. Set ${exclusive} in the program`,
    { code: "NOT_PREVIEWED" },
  );
}

/** Creates, updates and deletes members until they are what the program declares. */
export const update = (collection: Collection, call: StateCall): Promise<State> =>
  reconcile(collection, call.id, call, call.state);

/** Makes the account what the program declares, and returns the outputs. A failure after some changes keeps the outputs of these. */
async function reconcile(collection: Collection, id: string, call: Call, state?: State): Promise<State> {
  const { ownership, property } = collection;
  const operation = operationOf(collection, call, state);
  const { plan } = operation;
  const attempt = `${verbOf(operation)} ${collection.nameOf(call.inputs)}`;
  const written = [...plan.add, ...plan.change.map(({ wanted }) => wanted)];
  if (written.some(({ inputs }) => hasUnknown(inputs)))
    throw new ProviderError(`${attempt}: ${property} are not known yet`, { code: "NOT_PREVIEWED" });
  await ownership.importing.settle(call, attempt, () => ownership.heirsOf(call, plan.remove).own);
  const prepared = await prepareNow(operation, { id, attempt });
  if (prepared.problem !== undefined) {
    const refusal = new ProviderError(prepared.problem, { code: "EXISTS_ALREADY" });
    if (state === undefined || !(await wasCutOff(operation, "operation"))) throw refusal;
    throw new PartialError(id, { ...state, isDoubtful: true }, refusal);
  }
  // Two sets may each take over what the other one gives up.
  await ownership.settleHeirs(ownership.heirsOf(call, plan.remove).givenUp);
  const run = await carryOut(operation, prepared);
  const isAdopted = state?.isAdopted === true || prepared.owned.length > 0;
  const now = { ...collection.stateOf(call, [...run.held.values()]), isAdopted };
  try {
    if (run.failures.length > 0) throw summaryOf(attempt, run);
    await served(operation, attempt, now);
    return now;
  } catch (error) {
    // The rendering counts as not asked for, so that the next run asks again.
    const path = collection.item.description.rendering?.path ?? "";
    throw new PartialError(id, withoutSetting(now, path), asProviderError(error, attempt));
  }
}

const verbOf = ({ state }: SetOperation) => (state === undefined ? "create" : "update");

/** Finds what the state does not have, and takes over what becomes a member. Fails if the operation may not delete what it deletes. */
async function prepareNow(
  operation: SetOperation,
  of: { readonly id: string; readonly attempt: string },
): Promise<Prepared> {
  const { kind, call, state } = operation;
  const { description, ownership } = kind;
  const found = await prepare(operation, "operation");
  const taken = await takenFromOthers(operation, found);
  if (taken !== undefined) throw new ProviderError(`${of.attempt}: ${taken}`, { code: "OTHER_STACK" });
  const { own: gone } = ownership.heirsOf(call, found.plan.remove);
  const deletions = deletionsIn(description, gone, isGuarded(call) || isGuarded(state ?? {}));
  ownership.importing.refuseUnread(of.attempt, gone);
  const shared = await sharingWith(kind, call, gone);
  refuseDenied({ kind, call, id: of.id }, { operation: verbOf(operation), deletions, shared });
  const removed = new Set(found.plan.remove);
  const own = foundIn(found).filter((member) => !removed.has(member));
  // Another resource may have begun to delete one of them meanwhile.
  if (own.some((member) => ownership.isDeleted(member))) return prepareNow(operation, of);
  ownership.take(call, own);
  return found;
}

/** Waits until the changes are rendered, if the program asks for that. */
async function served(operation: SetOperation, attempt: string, now: State): Promise<void> {
  const { kind: collection, call, plan } = operation;
  const { item, description, ownership, clock } = collection;
  const { rendering } = item.description;
  if (rendering === undefined || call.inputs[rendering.path] !== true) return;
  const verb = verbOf(operation);
  const deadline = clock.now() + collection.allowedTime(verb, call);
  const gone = plan.remove.filter((member) => ownership.isDeleted(member));
  await untilServed(
    item,
    { parent: collection.parentOf(call.inputs), attempt, operation: verb, deadline },
    { shown: heldIn(description, now).map(formsOf), gone: gone.map(formsOf) },
  );
}

function withoutSetting(state: State, path: string): State {
  const without = ([name]: readonly [string, unknown]) => name !== path;
  return {
    ...state,
    outputs: Object.fromEntries(Object.entries(state.outputs).filter(without)),
    sent: new Map([...state.sent].filter(without)),
  };
}

/** Carries out the plan. Fails if nothing of it was done. */
async function carryOut(operation: SetOperation, prepared: Prepared): Promise<PlanRun> {
  const { kind: collection, call, state } = operation;
  const { plan, before, made } = prepared;
  const { ownership } = collection;
  const creation = collection.creationNoteOf(call);
  const isAsking = plan.add.length > 0;
  const earlier = [...before];
  if (isAsking) creation.asked(earlier);
  const show = collection.progress();
  const run = new PlanRun(collection, call, before);
  await run.carryOut(plan, (done, of) => {
    show(done, of);
    if (isAsking) creation.stillAsking(earlier);
  });
  ownership.sayGivenUp(call, run.givenUp);
  ownership.sayKept(call, run.kept);
  const [first] = run.failures;
  const isFound = state === undefined ? run.held.size > 0 : foundIn(prepared).length > 0;
  const isNothingDone = first !== undefined && run.done === 0 && !isFound;
  // A note of an earlier run is no evidence any more when its members are in the state, or nothing of it can appear.
  const isOver = isAsking || made.length > 0 || creation.isSettled;
  if (isOver && !run.isOpen && (await collection.screen.log.engineIsAlive())) creation.forget();
  else if (isAsking) creation.asked(earlier, { answered: !run.isOpen });
  if (isNothingDone) throw first;
  return run;
}

function summaryOf(attempt: string, { failures, left, done }: PlanRun): ProviderError {
  const unbegun =
    left > 0 ? ` ${counted(left, "further change")} ${nounFor(left, "was", "were")} not started.` : "";
  return new ProviderError(
    `${attempt}: ${counted(failures.length, "change")} failed.${unbegun} ${counted(done, "change")} succeeded and ${nounFor(done, "is", "are")} in the state; ` +
      `the next \`pulumi up\` continues. ${shortened(failures.map(({ message }) => message)).join("; ")}`,
    { code: commonCode(failures) },
  );
}

/** The code of the failures if all have the same. */
function commonCode([first, ...others]: readonly ProviderError[]): Code {
  return first !== undefined && others.every(({ code }) => code === first.code) ? first.code : "PARTLY_DONE";
}
