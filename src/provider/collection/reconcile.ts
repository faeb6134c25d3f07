import { type CreationNote } from "../creation/creation-note";
import { PartialError, ProviderError } from "../engine/errors";
import { shortened } from "../engine/warnings";
import { type Call, type State } from "../state/call";
import { hasUnknown, type Properties } from "../state/values";
import { applyPlan, type Outcome } from "./apply/apply-plan";
import { PlanRun } from "./apply/plan-run";
import { type Collection } from "./collection";
import { alreadyThere, claimFrom, unclaimedOf } from "./members/match-objects";
import { madeByInterruptedRun } from "./members/interrupted";
import { poolOf } from "./members/object-pool";
import { type Held, type Wanted, wantedIn } from "./members/member";
import { heldIn } from "./members/in-state";
import { type Plan, planOf } from "./plan";
import { howToTakeOver, resumedMembers } from "./resume-members";
import { isGuarded } from "./members/secrets";

/** A creation or an update that is carried out. */
export interface Operation {
  readonly kind: "create" | "update";
  readonly id: string;
  readonly call: Call;
  /** What the state has. Undefined for a creation. */
  readonly state?: State;
}

/** An operation with its members. */
interface Work extends Operation {
  readonly collection: Collection;
  /** The outputs that the state has. Empty for a creation. */
  readonly olds: Properties;
  readonly inputs: Properties;
  readonly parent: string;
  readonly attempt: string;
  readonly creation: CreationNote;
  readonly wanted: readonly Wanted[];
  /** The members that exist, as far as is known. Members that are found in the account are added. */
  readonly held: Held[];
}

/** What is to be done, and what was found in the account before. */
interface Prepared {
  readonly plan: Plan;
  /** The ids of the objects that existed before the first creation. */
  readonly before: ReadonlySet<string>;
  /** Whether members were found that an interrupted run has made. */
  readonly resumes: boolean;
}

/** Makes the account what the program declares, and returns the outputs. A failure after some changes keeps the outputs of these. */
export async function reconcile(collection: Collection, operation: Operation): Promise<State> {
  const { id, call } = operation;
  const work = begin(collection, operation);
  const { olds, inputs } = work;
  const known = planNow(work);
  refuseUnknown(work, known);
  await collection.ownership.importing.settle(call, work.attempt, () => unclaimed(work, known));
  const isLookedFor = collection.takesOver(olds, inputs) || known.add.length > 0;
  const outcome = isLookedFor
    ? await carryOut(work, await findMembers(work, known.add))
    : await carryOut(work, { plan: known, before: new Set(), resumes: false });
  const state = collection.stateOf(call, outcome.held);
  if (outcome.failures.length === 0) return state;
  throw new PartialError(id, state, summaryOf(work, outcome));
}

function begin(collection: Collection, operation: Operation): Work {
  const { kind, call, state } = operation;
  const { inputs } = call;
  const { description, property } = collection;
  return {
    ...operation,
    collection,
    olds: state?.outputs ?? {},
    inputs,
    parent: collection.parentOf(inputs),
    attempt: `${kind} ${collection.nameOf(inputs)}`,
    creation: collection.creationNoteOf(call),
    wanted: wantedIn(description, inputs[property]),
    held: state === undefined ? [] : heldIn(description, state),
  };
}

const planNow = ({ collection, held, wanted }: Work): Plan => planOf(collection.description, held, wanted);

function refuseUnknown({ attempt, collection }: Work, { add, change }: Plan): void {
  const written = [...add, ...change.map(({ wanted }) => wanted)];
  if (written.some(({ inputs }) => hasUnknown(inputs)))
    throw new ProviderError(`${attempt}: ${collection.property} are not known yet`);
}

/** The members to delete, without those that another resource has claimed. */
const unclaimed = ({ collection, call }: Work, { remove }: Plan): Held[] =>
  remove.filter((member) => collection.ownership.heirOf(call, member) === undefined);

/** Finds members in the account that the state does not have. Fails if a declared member exists with another owner. */
async function findMembers(work: Work, open: readonly Wanted[]): Promise<Prepared> {
  const { collection, creation, parent, inputs, held } = work;
  await creation.free();
  const asked = creation.recallAsked();
  const { there, made, before } = await madeByInterruptedRun(collection, parent, open, asked);
  addMembers(work, made);
  const own = new Set(held.map(({ id }) => id));
  const foreign = [...there.values()].filter((reply) => !own.has(collection.description.item.idOf(reply)));
  if (collection.isExclusive(inputs)) takeOver(work, foreign);
  else await resumeOrRefuse(work, foreign);
  return { plan: planNow(work), before, resumes: made.length > 0 };
}

function addMembers({ collection, call, parent, held }: Work, found: readonly Held[]): void {
  held.push(...found);
  collection.ownership.take(call, parent, found);
}

/** Takes over the objects that match declared members, and, if this operation takes over all, those that it then deletes. */
function takeOver(work: Work, foreign: readonly Properties[]): void {
  const { collection, call, olds, inputs, parent, held } = work;
  const { description, ownership } = collection;
  const free = ownership.notOthers(call, parent, foreign);
  const claimed = claimFrom(poolOf(description, free), description, planNow(work).add);
  addMembers(work, claimed);
  if (collection.takesOver(olds, inputs)) held.push(...unclaimedOf(description, free, claimed, inputs));
}

/** Takes the objects that `nodecloud:resume` allows. Fails if other declared members exist. */
async function resumeOrRefuse(work: Work, foreign: readonly Properties[]): Promise<void> {
  const { collection, call, olds, inputs, parent } = work;
  const { description } = collection;
  const operation = { olds, call, isPreview: false };
  const resumed = await resumedMembers(collection, operation, foreign, planNow(work).add);
  addMembers(work, resumed);
  const ids = new Set(resumed.map(({ id }) => id));
  const others = foreign.filter((reply) => !ids.has(description.item.idOf(reply)));
  const found = alreadyThere(description, planNow(work).add, others, parent, isGuarded(call));
  if (found.length === 0) return;
  throw new ProviderError(`${shortened(found).join("; ")}. ${howToTakeOver(collection, olds, inputs)}`);
}

/** Carries out the plan. Fails if nothing of it was done. */
async function carryOut(work: Work, { plan, before, resumes }: Prepared): Promise<Outcome> {
  const { collection, call, parent, kind, creation } = work;
  const { ownership } = collection;
  const asksFor = plan.add.length > 0;
  const earlier = [...before];
  if (asksFor) creation.asked(earlier);
  const show = collection.progress();
  const outcome = await applyPlan(new PlanRun(collection, parent, before), plan, {
    keeperOf: (member) => ownership.keeperOf(call, parent, member, false),
    progress: (done, of) => {
      show(done, of);
      if (asksFor) creation.stillAsking(earlier);
    },
  });
  ownership.sayGivenUp(call, parent, outcome.givenUp);
  const [first] = outcome.failures;
  const isNothingDone =
    first !== undefined && outcome.done === 0 && (kind === "update" || outcome.held.length === 0);
  if (asksFor) await settleNote(work, outcome, earlier, isNothingDone && resumes);
  if (isNothingDone) throw first;
  return outcome;
}

/** Drops the note of the creations once the state has their members. Otherwise the next run has to know of them. */
async function settleNote(
  { collection, creation }: Work,
  { isOpen }: Outcome,
  earlier: readonly string[],
  areLost: boolean,
): Promise<void> {
  const isInState = !isOpen && !areLost && (await collection.session.log.isHeard());
  if (isInState) creation.forget();
  else creation.asked(earlier, { answered: !isOpen });
}

function summaryOf({ attempt }: Work, { failures, left, done }: Outcome): ProviderError {
  const unbegun = left > 0 ? ` ${left} further changes were not started.` : "";
  return new ProviderError(
    `${attempt}: ${failures.length} changes failed.${unbegun} ${done} changes succeeded and are in the state; ` +
      `the next \`pulumi up\` continues. ${shortened(failures.map(({ message }) => message)).join("; ")}`,
  );
}
