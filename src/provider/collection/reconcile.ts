import { type CreationNote } from "../creation/creation-note";
import { PartialError, ProviderError } from "../engine/errors";
import { shortened } from "../engine/warnings";
import { type Call, type State } from "../state/call";
import { hasUnknown } from "../state/values";
import { applyPlan, type Options, type PlanRun } from "./apply/apply-plan";
import { type Collection } from "./collection";
import { type Held, wantedIn } from "./members/member";
import { heldIn } from "./members/in-state";
import { type Plan, planOf } from "./plan";
import { prepare, type Prepared } from "./prepare";

/** A creation or an update that is carried out. */
export interface Operation {
  readonly kind: "create" | "update";
  readonly id: string;
  readonly call: Call;
  /** What the state has. Undefined for a creation. */
  readonly state?: State;
}

/** An operation on a resource. */
interface Work extends Operation {
  readonly collection: Collection;
  readonly parent: string;
  readonly attempt: string;
  readonly creation: CreationNote;
}

/** Makes the account what the program declares, and returns the outputs. A failure after some changes keeps the outputs of these. */
export async function reconcile(collection: Collection, operation: Operation): Promise<State> {
  const { id, call, state } = operation;
  const { description, property, ownership } = collection;
  const { inputs } = call;
  const attempt = `${operation.kind} ${collection.nameOf(inputs)}`;
  const parent = collection.parentOf(inputs);
  const work = { ...operation, collection, parent, attempt, creation: collection.creationNoteOf(call) };
  const wanted = wantedIn(description, inputs[property]);
  const held = state === undefined ? [] : heldIn(description, state);
  const known = planOf(description, held, wanted);
  refuseUnknown(work, known);
  await ownership.importing.settle(call, attempt, () => unclaimed(work, known));
  const olds = state?.outputs ?? {};
  const prepared = await prepare(collection, { call, olds, held, wanted, plan: known, isPreview: false });
  const { made, resumed, owned, problem } = prepared;
  ownership.take(call, parent, [...made, ...resumed, ...owned.filter(isKept(prepared.plan))]);
  if (problem !== undefined) throw new ProviderError(problem);
  const outcome = await carryOut(work, prepared);
  const now = collection.stateOf(call, [...outcome.held.values()]);
  if (outcome.failures.length === 0) return now;
  throw new PartialError(id, now, summaryOf(work, outcome));
}

function refuseUnknown({ attempt, collection }: Work, { add, change }: Plan): void {
  const written = [...add, ...change.map(({ wanted }) => wanted)];
  if (written.some(({ inputs }) => hasUnknown(inputs)))
    throw new ProviderError(`${attempt}: ${collection.property} are not known yet`);
}

/** The members to delete, without those that another resource has claimed. */
const unclaimed = ({ collection, call }: Work, { remove }: Plan): Held[] =>
  remove.filter((member) => collection.ownership.heirOf(call, member) === undefined);

/** Whether a plan does not delete a member. */
const isKept = ({ remove }: Plan) => {
  const removed = new Set(remove);
  return (member: Held): boolean => !removed.has(member);
};
/** Carries out the plan. Fails if nothing of it was done. */
async function carryOut(work: Work, { plan, before, made }: Prepared): Promise<PlanRun> {
  const { collection, call, parent, kind, creation } = work;
  const { ownership } = collection;
  const asksFor = plan.add.length > 0;
  const earlier = [...before];
  if (asksFor) creation.asked(earlier);
  const show = collection.progress();
  const options: Options = {
    collection,
    parent,
    before,
    keeperOf: (member) => ownership.keeperOf(call, parent, member, false),
    progress: (done, of) => {
      show(done, of);
      if (asksFor) creation.stillAsking(earlier);
    },
    warn: (line) => {
      collection.warn(call, line);
    },
  };
  const outcome = await applyPlan(options, plan);
  ownership.sayGivenUp(call, parent, outcome.givenUp);
  const [first] = outcome.failures;
  const isNothingDone =
    first !== undefined && outcome.done === 0 && (kind === "update" || outcome.held.size === 0);
  if (asksFor) await settleNote(work, outcome, earlier, isNothingDone && made.length > 0);
  if (isNothingDone) throw first;
  return outcome;
}

/** Drops the note of the creations once the state has their members. Otherwise the next run has to know of them. */
async function settleNote(
  { collection, creation }: Work,
  { isOpen }: PlanRun,
  earlier: readonly string[],
  areLost: boolean,
): Promise<void> {
  const isInState = !isOpen && !areLost && (await collection.session.log.isHeard());
  if (isInState) creation.forget();
  else creation.asked(earlier, { answered: !isOpen });
}

function summaryOf({ attempt }: Work, { failures, left, done }: PlanRun): ProviderError {
  const unbegun = left > 0 ? ` ${left} further changes were not started.` : "";
  return new ProviderError(
    `${attempt}: ${failures.length} changes failed.${unbegun} ${done} changes succeeded and are in the state; ` +
      `the next \`pulumi up\` continues. ${shortened(failures.map(({ message }) => message)).join("; ")}`,
  );
}
