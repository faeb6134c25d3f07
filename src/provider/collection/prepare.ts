import { ofOtherToken } from "../creation/creation-note";
import { type AskedBefore, latestOf, LOOK_PAUSE_MS, settledAt } from "../notes/lost-answer-limits";
import {
  apartFromOthers,
  doubtAboutOthers,
  isOfRenamedStack,
  managedElsewhere,
  namesOf,
} from "../ownership/other-owners";
import { holdersOf } from "../ownership/this-stack";
import { classIn } from "../describe/type-token";
import { calledIn, lastingUrn, nameInUrn, typeInUrn } from "../describe/urn";
import { leavesSomeOut } from "../engine/command-line";
import { formatId, type Ref } from "../describe/define-resource";
import { type Phase } from "../kind/known-objects";
import { type About, calledInProgram, shortened } from "../kind/warnings";
import { newcomersAmong } from "../matching/newcomers";
import { SETTINGS } from "../settings/config";
import { pollUntil } from "../run/watch";
import { type Call, type State } from "../state/call";
import { hasUnknown, type Properties, UNKNOWN } from "../base/values";
import { type Collection } from "./collection";
import { claimFrom, coveredOf, unclaimedOf } from "./members/match-objects";
import { type Held, heldIn, identityOf, type Wanted, wantedIn } from "../state/members";
import { nameOfMember } from "./members/names";
import { mayBeOfOthers, withoutManaged } from "./other-owners";
import { isGuarded } from "./members/secrets";
import { type Plan, planOf } from "./plan";

/** A creation or an update of a resource. */
export interface SetOperation extends About {
  readonly kind: Collection;
  /** Undefined for a creation. */
  readonly state: State | undefined;
  /** The outputs that the state has. */
  readonly olds: Properties;
  /** The members that the state has. */
  readonly held: readonly Held[];
  readonly wanted: readonly Wanted[];
  /** The changes that turn the held members into the wanted ones. */
  readonly plan: Plan;
  /** Whether the members of an old resource are deleted before its creation. What would refuse that is a problem of its check then. */
  readonly deletesFirst?: () => Promise<boolean>;
}

export function operationOf(kind: Collection, call: Call, state?: State): SetOperation {
  const { description, property } = kind;
  const wanted = wantedIn(description, call.inputs[property]);
  const held = state === undefined ? [] : heldIn(description, state);
  return {
    kind,
    call,
    state,
    olds: state?.outputs ?? {},
    held,
    wanted,
    plan: planOf(description, held, wanted),
  };
}

/** The plan of an operation, and what it finds in the account before. */
export interface Prepared {
  readonly plan: Plan;
  /** Objects that an interrupted run has created, as its note says. They become members, as do those of the next three lists. */
  readonly made: readonly Held[];
  /** Objects that `nodecloud:resume` allows to take. */
  readonly resumed: readonly Held[];
  /** Objects that this resource had before an earlier run replaced it. */
  readonly back: readonly Held[];
  /** Objects that the resource owns because it owns all that it covers, or that another set gives up. The plan deletes those that no declared member is like. */
  readonly owned: readonly Held[];
  /** The ids of the objects that existed before the first creation. */
  readonly before: ReadonlySet<string>;
  /** The objects that a preview has read under the parent. */
  readonly listed?: readonly Properties[] | undefined;
  /** Why the operation is refused: declared members exist with another owner. */
  readonly problem?: string | undefined;
}

const NOTHING = { made: [], resumed: [], back: [], owned: [], before: new Set<string>() };

/** The objects that become members. */
export const foundIn = ({ made, resumed, back, owned }: Prepared): readonly Held[] => [
  ...made,
  ...resumed,
  ...back,
  ...owned,
];

/** Finds in the account what the state does not have of a resource. */
export async function prepare(operation: SetOperation, phase: Phase): Promise<Prepared> {
  const isPreview = phase === "check";
  const { kind: collection, call, olds, held, wanted, plan, deletesFirst } = operation;
  const { description, parentPath, ownership, item, run, type } = collection;
  const { inputs } = call;
  const parent = collection.parentOf(inputs);
  const takes = collection.mightTakeOver(olds, inputs);
  const mayClash = (pair: Plan["change"][number]) =>
    item.description.together?.concerns(pair.held.inputs, pair.wanted.inputs) === true;
  const isCompared = takes || plan.add.length > 0 || (isPreview && plan.change.some(mayClash));
  if (inputs[parentPath] === UNKNOWN || !isCompared) return { ...NOTHING, plan };
  const refused = (problem: string): Prepared => ({ ...NOTHING, plan, problem });
  const note = collection.creationNoteOf(call);
  const noted = note.recallAsked();
  if (noted !== undefined && note.isOfOtherToken(noted)) return refused(ofOtherToken(type, noted));
  const { resume } = run.configuration;
  if (operation.state === undefined && resume && (await collection.known.isOfOtherToken(call, phase)))
    return refused(ofOtherToken(type));
  if (!isPreview) await note.free();
  const asked = await askedBefore(operation);
  const { there, made, before, listed } = await (isPreview ? seen : foundNow)(operation, asked);
  const doubt = await doubtOf(operation, made);
  if (doubt !== undefined) return refused(doubt);
  const found = (here: Partial<Prepared>): Prepared => {
    const all = { ...NOTHING, plan, made, before, listed, ...here };
    const more = foundIn(all);
    return more.length === 0 ? all : { ...all, plan: planOf(description, [...held, ...more], wanted) };
  };
  const own = new Set([...held, ...made].map(({ id }) => id));
  const isForeign = (reply: Properties) => {
    const id = item.description.idOf(reply);
    return !own.has(id) && !ownership.isDeleted({ parent, id });
  };
  const foreign = there.filter(isForeign);
  const { add: open } = found({}).plan;
  if (takes || collection.isExclusive(inputs)) {
    const free = ownership.notOthers(call, foreign);
    const claimed = claimFrom(collection, parent, coveredOf(collection, free, inputs), open);
    const unclaimed = takes ? unclaimedOf(collection, free, claimed, inputs) : [];
    const undeclared = await withoutManaged(collection, call, ownership.notForOthers(call, unclaimed));
    const owned = [...claimed, ...undeclared];
    const isDoubted = !isPreview || (owned.length > 0 && (await deletesFirst?.()) === true);
    const unsettled = isDoubted ? await doubtOf(operation, owned) : undefined;
    return unsettled === undefined ? found({ owned }) : refused(unsettled);
  }
  const given = await givenUp(operation, (listed ?? there).filter(isForeign), open);
  const mayResume = foreign.length > 0 && resume && (await wasCutOff(operation, phase));
  const unknown = mayResume ? await doubtAboutOthers(run) : undefined;
  const left = planOf(description, given, open).add;
  const resumed = mayResume ? await resumable(operation, foreign, left) : [];
  const uncertain =
    unknown === undefined || resumed.length === 0
      ? await doubtOf(operation, resumed)
      : `it is not known whether another stack manages ${collection.property} that exist already, because ${unknown}`;
  if (uncertain !== undefined) return refused(uncertain);
  const back = await takenBack(operation, foreign, planOf(description, resumed, left).add);
  const taken = [...given, ...resumed, ...back];
  const ids = new Set(taken.map(({ id }) => id));
  const others = foreign.filter((reply) => !ids.has(item.description.idOf(reply)));
  const problem = await alreadyThere(operation, others, planOf(description, taken, open).add);
  return found({ resumed, back, owned: given, problem });
}

/** Why objects that an interrupted run seems to have made, or that a set owns as it is exclusive, may be those of another stack. */
const doubtOf = async ({ kind, call }: SetOperation, found: readonly Held[]): Promise<string | undefined> =>
  oneLine([...(await mayBeOfOthers(kind, call, found)).values()]);

const oneLine = (lines: readonly string[]): string | undefined =>
  lines.length === 0 ? undefined : shortened(lines).join("; ");

interface Listed {
  readonly there: readonly Properties[];
  readonly made: readonly Held[];
  readonly before: ReadonlySet<string>;
  readonly listed?: readonly Properties[];
}

/**
 * The objects under the parent, and those of them that an interrupted run has made: they have no other owner. The requests that it sent last may
 * still take effect, so it looks until their members appear or the time for them is over.
 */
async function foundNow(operation: SetOperation, asked: AskedBefore | undefined): Promise<Listed> {
  const { kind: collection, call, plan } = operation;
  const { item, property } = collection;
  const parent = collection.parentOf(call.inputs);
  if (asked === undefined) {
    const there = await item.reads.all(parent);
    return { there, made: [], before: new Set(there.map((reply) => item.description.idOf(reply))) };
  }
  const row = `looking for ${property} that an interrupted run requested`;
  const looking = { until: settledAt(asked), pauseMs: LOOK_PAUSE_MS, row };
  let [there, made]: [readonly Properties[], readonly Held[]] = [[], []];
  await pollUntil(collection, looking, async () => {
    there = await item.reads.all(parent);
    const { own } = await newcomersOf(operation, there, asked);
    made = claimFrom(collection, parent, own, plan.add);
    return made.length === plan.add.length || undefined;
  });
  return { there, made, before: new Set(asked.before) };
}

/** The same for a preview, which continues without objects that cannot be read. If a run was interrupted, only `made` and what others have is known before its requests are settled. */
async function seen(operation: SetOperation, asked: AskedBefore | undefined): Promise<Listed> {
  const { kind: collection, call, plan } = operation;
  const { item, replaced } = collection;
  const parent = collection.parentOf(call.inputs);
  const there = (await collection.seen(parent))?.filter(
    (reply) => !replaced.has(item.idBelow(parent, reply)),
  );
  const listed = there === undefined ? {} : { listed: there };
  if (asked === undefined) return { ...NOTHING, there: there ?? [], ...listed };
  const { own, others } = await newcomersOf(operation, there ?? [], asked);
  const made = claimFrom(collection, parent, own, plan.add);
  return { there: others, made, before: NOTHING.before, ...listed };
}

/** The requests of an interrupted run of this stack. */
async function askedBefore(operation: SetOperation): Promise<AskedBefore | undefined> {
  const { kind, call, state } = operation;
  const asked = kind.creationNoteOf(call).recallAsked();
  if (asked === undefined || state !== undefined) return asked;
  return (await isOfRenamedStack(kind.run, calledInProgram(operation))) ? undefined : asked;
}

/** The objects that appeared since the first request of an interrupted run. Another stack may have made some of them. */
async function newcomersOf(
  { kind, call }: SetOperation,
  there: readonly Properties[],
  asked: AskedBefore,
): Promise<{ readonly own: readonly Properties[]; readonly others: readonly Properties[] }> {
  const { item } = kind;
  const before = new Set(asked.before);
  const newcomers = newcomersAmong(item, item.parentOf(call.inputs), there, before, latestOf(asked));
  const refs = newcomers.map((reply) => ({ ...item.refOf(call.inputs, reply), reply }));
  const { own, shared } = await apartFromOthers(kind, call, item, refs);
  return { own: own.map(({ reply }) => reply), others: shared.map(({ ref }) => ref.reply) };
}

/** Whether the state says that an earlier run was interrupted while it made members. */
export async function wasCutOff(operation: SetOperation, phase: Phase): Promise<boolean> {
  const {
    kind: { known },
    state,
    call,
  } = operation;
  return state === undefined
    ? (await known.pendingCreation(call, phase)) !== undefined
    : state.isDoubtful === true || known.wasCutOff("updating", call, phase);
}

/** Existing objects that are like declared members, and that neither this stack nor another one has. */
async function resumable(
  { kind: collection, call }: SetOperation,
  foreign: readonly Properties[],
  open: readonly Wanted[],
): Promise<Held[]> {
  const { run, account, item } = collection;
  const parent = collection.parentOf(call.inputs);
  const elsewhere = item.known.ofOtherRuns();
  const state = await run.stack.state();
  const isLate = collection.creationNoteOf(call).lateness();
  const free = foreign.filter((reply) => {
    const id = item.idBelow(parent, reply);
    return (
      !isLate(reply) &&
      !elsewhere.has(id) &&
      !item.known.managed.has(id) &&
      state?.knows(item.type, id, account.at) !== true
    );
  });
  const like = claimFrom(collection, parent, free, open);
  return (await apartFromOthers(collection, call, item, like)).own;
}

/** Declared members that other sets of this stack have, as the state says, and that the program declares there no longer. */
async function givenUp(
  { kind: collection, call }: SetOperation,
  foreign: readonly Properties[],
  open: readonly Wanted[],
): Promise<Held[]> {
  const { ownership, item, type, known } = collection;
  const free = ownership.notOthers(call, foreign);
  const like = claimFrom(collection, collection.parentOf(call.inputs), free, open);
  const gives = ({ isOwn, isOpen, urn }: Awaited<ReturnType<typeof holdersOf>>[number]["holders"][number]) =>
    !isOwn &&
    isOpen !== true &&
    classIn(typeInUrn(urn)) === type &&
    (!leavesSomeOut() || known.steps.isChecked({ urn: lastingUrn(urn), name: nameInUrn(urn) }));
  const all = await holdersOf(collection, call, item, like);
  return all.flatMap(({ ref, holders }) => (holders.length > 0 && holders.every(gives) ? [ref] : []));
}

/** Declared members that this resource had before an earlier run replaced it: the program has gone back before the engine deleted them. */
async function takenBack(
  { kind: collection, call, state }: SetOperation,
  foreign: readonly Properties[],
  open: readonly Wanted[],
): Promise<Held[]> {
  const parent = collection.parentOf(call.inputs);
  const like = state === undefined ? claimFrom(collection, parent, foreign, open) : [];
  const all = await holdersOf(collection, call, collection.item, like);
  return all.flatMap(({ ref, holders }) => {
    const isLeaving = holders.length > 0 && holders.every((one) => one.isOwn && one.isLeaving === true);
    return isLeaving ? [ref] : [];
  });
}

/** The rest of a sentence about what the resource itself has, which is replaced. */
const REPLACED = ", which this resource replaces";
const RETAINED = `${REPLACED} and the option retainOnDelete keeps: first remove the option and run \`pulumi up\``;
const FORCED = `${REPLACED}: set the option deleteBeforeReplace, and ${SETTINGS.validate.variable}=false for this run`;

/** Names each declared member that exists as an object of another owner, and says what to do. */
async function alreadyThere(
  operation: SetOperation,
  foreign: readonly Properties[],
  open: readonly Wanted[],
): Promise<string | undefined> {
  const { kind: collection, call } = operation;
  const { item } = collection;
  const pool = collection.poolOf(foreign);
  const there = open.flatMap((member) => {
    const reply = pool.take(member.inputs);
    return reply === undefined ? [] : [{ member, ...item.refOf(call.inputs, reply) }];
  });
  if (there.length === 0) return undefined;
  const shared = await managedElsewhere(collection, call, item, there);
  const elsewhere = new Map(shared.map((one) => [one.ref, namesOf(one)]));
  const isRetained = (await collection.standingOf(call))?.isRetained === true;
  let [isFree, isOurs] = [false, false];
  const lines = (await holdersOf(collection, call, item, there)).map(({ ref, holders }) => {
    // An import that an earlier run has not finished owns nothing.
    const holder = holders.find(({ isOpen }) => isOpen !== true);
    if (holder?.isOwn === true) return existing(operation, ref, isRetained ? RETAINED : FORCED);
    const called = holder === undefined ? elsewhere.get(ref) : calledIn(holder);
    isFree ||= called === undefined;
    isOurs ||= holder !== undefined;
    return existing(operation, ref, called && `, and ${called} has it: declare it in one of the two`);
  });
  const moving = `. To move ${collection.property} here from a resource that leaves the program, ${takeOver(operation)}`;
  return `${shortened(lines).join("; ")}${isOurs ? moving : ""}${isFree ? `. ${howToTakeOver(operation)}` : ""}`;
}

/** Names the existing object that equals a declared member. */
const existing = (
  { kind: { description }, call }: SetOperation,
  { member, ...ref }: Ref & { readonly member: Wanted },
  whose = "",
): string =>
  `${nameOfMember(description, member, isGuarded(call))} already exists with the id ${formatId(ref)}${whose}`;

/** Names each declared member that the resource itself has and the option retainOnDelete keeps, as the state says. This sends no request. */
export async function alreadyKept(operation: SetOperation): Promise<string | undefined> {
  const { kind: collection, call, wanted } = operation;
  const { description } = collection;
  if ((await collection.standingOf(call))?.isRetained !== true) return undefined;
  const parent = collection.parentOf(call.inputs);
  const old = (await collection.heldBy(call)).filter((member) => member.parent === parent);
  const ids = new Map(old.map(({ id, inputs }) => [identityOf(description, inputs), id]));
  return oneLine(
    wanted.flatMap((member) => {
      const id = hasUnknown(member.inputs) ? undefined : ids.get(identityOf(description, member.inputs));
      return id === undefined ? [] : [existing(operation, { member, parent, id }, RETAINED)];
    }),
  );
}

/** What makes a set take over what exists. */
const takeOver = ({ kind, call, state }: SetOperation): string =>
  `${state === undefined ? `set the option import: "${kind.idFor(call.inputs)}", or ` : ""}set ${kind.description.exclusive}`;

function howToTakeOver(operation: SetOperation): string {
  const { run } = operation.kind;
  const { key, variable } = SETTINGS.resume;
  const goOn = run.configuration.resume
    ? `${key} does not apply, because the state has no interrupted operation on this resource`
    : `If an interrupted run created it, set ${key} (or ${variable}=true)`;
  return operation.state === undefined
    ? `${goOn}. To manage what exists, ${takeOver(operation)}`
    : `${goOn}. Otherwise delete it in the account, remove it from the program, or ${takeOver(operation)} to take it over`;
}
