import { type Code } from "../../base/codes";
import { counted, nounFor } from "../../../api/text";
import { type CreationNote } from "../../creation/creation-note";
import { asProviderError, ProviderError } from "../../base/errors";
import { PartialError } from "../../state/partial-error";
import { type Created, type StateCall } from "../../state/provider-interface";
import { shortened } from "../../kind/warnings";
import { type Call, type State, whoIs } from "../../state/call";
import { hasUnknown } from "../../base/values";
import { applyPlan, type Options, type PlanRun } from "../apply/apply-plan";
import { type Collection } from "../collection";
import { compareForImport } from "../compare-with-import";
import { type Held, heldIn, wantedIn } from "../../state/members";
import { sharingWith, takenFromOthers } from "../other-owners";
import { deletionsIn } from "../describe-plan";
import { asObject } from "../members/as-objects";
import { isGuarded } from "../members/secrets";
import { untilServed } from "../../object/served";
import { isWatched, refuseAsPreviewed, refuseDenied } from "../../object/guard";
import { type Plan, planOf } from "../plan";
import { prepare, type Prepared, wasCutOff } from "../prepare";

/** A creation or an update of a resource. */
interface Operation {
  readonly kind: "create" | "update";
  readonly collection: Collection;
  readonly call: Call;
  readonly parent: string;
  readonly attempt: string;
}

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
  const parent = collection.parentOf(call.inputs);
  // A set in another process may have begun to delete some of them meanwhile.
  collection.ownership.refuseDeleted(call, parent, held);
  collection.ownership.take(call, parent, held);
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
  const { description, property, ownership } = collection;
  const { inputs } = call;
  const kind = state === undefined ? "create" : "update";
  const attempt = `${kind} ${collection.nameOf(inputs)}`;
  const parent = collection.parentOf(inputs);
  const wanted = wantedIn(description, inputs[property]);
  const held = state === undefined ? [] : heldIn(description, state);
  const plan = planOf(description, held, wanted);
  refuseUnknown(collection, attempt, plan);
  const deleted = () => plan.remove.filter((member) => ownership.heirOf(call, member) === undefined);
  await ownership.importing.settle(call, attempt, deleted);
  const heirs = plan.remove.flatMap((member) => {
    const keeper = ownership.heirOf(call, member);
    return keeper === undefined ? [] : [{ held: member, keeper }];
  });
  await ownership.settleHeirs(parent, heirs);
  const olds = state?.outputs ?? {};
  const evidence = { call, olds, isPreview: false, isDoubtful: state?.isDoubtful };
  const prepareNow = async (): Promise<Prepared> => {
    const found = await prepare(collection, { ...evidence, held, wanted, plan });
    const taken = await takenFromOthers(collection, call, found, state?.isAdopted);
    if (taken !== undefined) throw new ProviderError(`${attempt}: ${taken}`, { code: "OTHER_STACK" });
    const deletions = deletionsIn(description, found.plan, {
      guarded: isGuarded(call) || (state !== undefined && isGuarded(state)),
      heirOf: (member) => ownership.heirOf(call, member),
    });
    const gone = found.plan.remove.filter((member) => ownership.heirOf(call, member) === undefined);
    ownership.importing.refuseUnread(attempt, gone);
    const shared = isWatched(collection, "shared") ? await sharingWith(collection, call, parent, gone) : [];
    refuseDenied({ kind: collection, call, id }, { operation: kind, deletions, shared });
    const removed = new Set(found.plan.remove);
    const all = [...found.made, ...found.resumed, ...found.back, ...found.owned];
    const own = all.filter((member) => !removed.has(member));
    // Another resource may have begun to delete one of them meanwhile.
    if (own.some(({ id }) => ownership.isDeleted(parent, id))) return prepareNow();
    ownership.take(call, parent, own);
    return found;
  };
  const prepared = await prepareNow();
  if (prepared.problem !== undefined) {
    const refusal = new ProviderError(prepared.problem, { code: "EXISTS_ALREADY" });
    if (state === undefined || !(await wasCutOff(collection, evidence))) throw refusal;
    throw new PartialError(id, { ...state, isDoubtful: true }, refusal);
  }
  const run = await carryOut({ kind, collection, call, parent, attempt }, prepared);
  const isAdopted = state?.isAdopted === true || prepared.owned.length > 0;
  const now = { ...collection.stateOf(call, [...run.held.values()]), isAdopted };
  if (run.failures.length > 0)
    throw new PartialError(id, withoutServed(collection, now), summaryOf(attempt, run));
  return served({ kind, collection, call, parent, attempt }, id, now, plan.remove);
}

/** Waits until the changes are rendered, if the program asks for that. */
async function served(
  { kind, collection, call, parent, attempt }: Operation,
  id: string,
  now: State,
  removed: readonly Held[],
): Promise<State> {
  const { item, description, ownership, clock } = collection;
  const { rendering } = item.description;
  if (rendering === undefined || call.inputs[rendering.path] !== true) return now;
  const formsOf = (member: Held) => [asObject(member).outputs, member.inputs] as const;
  const gone = removed.filter((member) => ownership.isDeleted(parent, member.id));
  try {
    await untilServed(
      item,
      { parent, attempt, operation: kind, deadline: clock.now() + collection.allowedTime(kind, call) },
      { shown: heldIn(description, now).map(formsOf), gone: gone.map(formsOf) },
    );
    return now;
  } catch (error) {
    throw new PartialError(id, withoutServed(collection, now), asProviderError(error, attempt));
  }
}

/** A state in which the rendering counts as not asked for, so that the next run asks again. */
function withoutServed({ item }: Collection, state: State): State {
  const path = item.description.rendering?.path ?? "";
  const without = ([name]: readonly [string, unknown]) => name !== path;
  return {
    ...state,
    outputs: Object.fromEntries(Object.entries(state.outputs).filter(without)),
    sent: new Map([...state.sent].filter(without)),
  };
}

function refuseUnknown({ property }: Collection, attempt: string, { add, change }: Plan): void {
  const written = [...add, ...change.map(({ wanted }) => wanted)];
  if (written.some(({ inputs }) => hasUnknown(inputs)))
    throw new ProviderError(`${attempt}: ${property} are not known yet`, { code: "NOT_PREVIEWED" });
}

/** Carries out the plan. Fails if nothing of it was done. */
async function carryOut(operation: Operation, { plan, before, made }: Prepared): Promise<PlanRun> {
  const { kind, collection, call, parent } = operation;
  const { ownership } = collection;
  const creation = plan.add.length === 0 ? undefined : collection.creationNoteOf(call);
  const earlier = [...before];
  creation?.asked(earlier);
  const show = collection.progress();
  const options: Options = {
    collection,
    parent,
    before,
    keeperOf: (member) => ownership.keeperOf(call, parent, member),
    hasReceived: (given) => ownership.hasReceived(parent, given),
    progress: (done, of) => {
      show(done, of);
      creation?.stillAsking(earlier);
    },
    warn: (line) => {
      collection.warn(call, line, "CREATED_TWICE");
    },
  };
  const run = await applyPlan(options, plan);
  ownership.sayGivenUp(call, parent, run.givenUp);
  ownership.sayKept(call, parent, run.kept);
  const [first] = run.failures;
  const isNothingDone = first !== undefined && run.done === 0 && (kind === "update" || run.held.size === 0);
  // The members of an interrupted run that the state does not get.
  const areLost = isNothingDone && made.length > 0;
  if (creation !== undefined) await settleNote(collection, creation, earlier, run.isOpen, areLost);
  if (isNothingDone) throw first;
  return run;
}

/** Drops the note of the creations once the state has their members. Otherwise the next run has to know of them. */
async function settleNote(
  { screen }: Collection,
  note: CreationNote,
  earlier: readonly string[],
  isOpen: boolean,
  areLost: boolean,
): Promise<void> {
  if (!isOpen && !areLost && (await screen.log.engineIsAlive())) note.forget();
  else note.asked(earlier, { answered: !isOpen });
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
