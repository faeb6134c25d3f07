import { type AskedBefore, ofOtherToken, settledAt } from "../creation/creation-note";
import { LOOK_PAUSE_MS } from "../notes/lost-answer-limits";
import {
  doubtAboutOthers,
  holdersHere,
  isOfRenamedStack,
  managedElsewhere,
  namesOf,
  rivalsElsewhere,
} from "../ownership/other-owners";
import { calledIn, lastingUrn } from "../describe/urn";
import { formatId, isNew } from "../describe/define-resource";
import { calledInProgram, shortened } from "../kind/warnings";
import { newcomersAmong } from "../matching/newcomers";
import { SETTINGS } from "../settings/config";
import { pollUntil } from "../run/watch";
import { type Call } from "../state/call";
import { hasUnknown, type Properties, UNKNOWN } from "../base/values";
import { type Collection } from "./collection";
import { claimFrom, coveredOf, unclaimedOf } from "./members/match-objects";
import { type Held, identityOf, type Wanted } from "../state/members";
import { nameOfMember } from "./members/names";
import { withoutManaged, withoutShared } from "./other-owners";
import { isGuarded } from "./members/secrets";
import { type Plan, planOf } from "./plan";

/** A creation or an update of a resource, in a preview or when it is carried out. */
export interface Operation {
  readonly call: Call;
  /** The outputs that the state has. Empty for a creation. */
  readonly olds: Properties;
  /** The members that the state has. */
  readonly held: readonly Held[];
  readonly wanted: readonly Wanted[];
  /** The changes that turn the held members into the wanted ones. */
  readonly plan: Plan;
  readonly isPreview: boolean;
  /** Whether some of the members were not created by the resource. */
  readonly isAdopted?: boolean | undefined;
  /** Whether the state says that an update was interrupted, which the engine has forgotten since. */
  readonly isDoubtful?: boolean | undefined;
  /** Whether the members of an old resource are deleted before its creation. What would refuse that is a problem of its check then. */
  readonly deletesFirst?: (() => Promise<boolean>) | undefined;
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
  /** Objects that the resource owns because it owns all that it covers. The plan deletes those that no declared member is like. */
  readonly owned: readonly Held[];
  /** The ids of the objects that existed before the first creation. */
  readonly before: ReadonlySet<string>;
  /** The objects that a preview has read under the parent. */
  readonly listed?: readonly Properties[];
  /** Why the operation is refused: declared members exist with another owner. */
  readonly problem?: string;
}

const NOTHING = { made: [], resumed: [], back: [], owned: [], before: new Set<string>() };

/** Finds in the account what the state does not have of a resource. */
export async function prepare(collection: Collection, operation: Operation): Promise<Prepared> {
  const { call, olds, held, wanted, plan, isPreview, deletesFirst } = operation;
  const { description, parentPath } = collection;
  const { inputs } = call;
  // A value that is not known yet may turn out to take over all.
  const takes = collection.takesOver(olds, inputs) || collection.mayTakeOver(olds, inputs);
  const { together } = collection.item.description;
  const mayClash = (pair: Plan["change"][number]) =>
    together?.concerns(pair.held.inputs, pair.wanted.inputs) === true;
  const isCompared = takes || plan.add.length > 0 || (isPreview && plan.change.some(mayClash));
  if (inputs[parentPath] === UNKNOWN || !isCompared) return { ...NOTHING, plan };
  const note = collection.creationNoteOf(call);
  const noted = note.recallAsked();
  if (noted !== undefined && note.isOfOtherToken(noted))
    return { ...NOTHING, plan, problem: ofOtherToken(collection.type, noted) };
  const isAsked = isNew(olds) && collection.run.configuration.resume;
  if (isAsked && (await collection.known.isOfOtherToken(call, isPreview)))
    return { ...NOTHING, plan, problem: ofOtherToken(collection.type) };
  const list = await (isPreview ? seen : foundNow)(collection, operation, plan.add);
  const { there, made, before } = list;
  const doubt = await doubtOf(collection, call, made);
  if (doubt !== undefined) return { ...NOTHING, plan, problem: doubt };
  const listed = list.isSeen === true ? { listed: there } : {};
  const found = (here: Partial<Prepared>): Prepared => {
    const all = { ...NOTHING, ...here, ...listed };
    const more = [...all.made, ...all.resumed, ...all.back, ...all.owned];
    return { ...all, plan: more.length === 0 ? plan : planOf(description, [...held, ...more], wanted) };
  };
  const own = new Set([...held, ...made].map(({ id }) => id));
  const isForeign = (id: string) =>
    !own.has(id) && !collection.ownership.isDeleted(collection.parentOf(inputs), id);
  const foreign = there.filter((reply) => isForeign(description.item.idOf(reply)));
  const { add: open } = found({ made }).plan;
  if (takes || collection.isExclusive(inputs)) {
    const parent = collection.parentOf(inputs);
    const free = collection.ownership.notOthers(call, parent, foreign);
    const claimed = claimFrom(collection, coveredOf(description, free, inputs), open);
    const unclaimed = takes ? unclaimedOf(description, free, claimed, inputs) : [];
    const others = collection.ownership.notForOthers(call, unclaimed);
    const undeclared = await withoutManaged(collection, call, parent, others);
    const owned = [...claimed, ...undeclared];
    const isDoubted = !isPreview || (owned.length > 0 && (await deletesFirst?.()) === true);
    const unsettled = isDoubted ? await doubtOf(collection, call, owned) : undefined;
    if (unsettled !== undefined) return { ...NOTHING, plan, problem: unsettled };
    return found({ made, before, owned });
  }
  const { resume } = collection.run.configuration;
  const mayResume = foreign.length > 0 && resume && (await wasCutOff(collection, operation));
  const unknown = mayResume ? await doubtAboutOthers(collection.run) : undefined;
  const resumed = mayResume ? await resumable(collection, call, foreign, open) : [];
  const uncertain =
    unknown === undefined || resumed.length === 0
      ? await doubtOf(collection, call, resumed)
      : `it is not known whether another stack manages ${collection.property} that exist already, because ${unknown}`;
  if (uncertain !== undefined) return { ...NOTHING, plan, problem: uncertain };
  const back = await takenBack(collection, operation, foreign, planOf(description, resumed, open).add);
  const taken = new Set([...resumed, ...back].map(({ id }) => id));
  const others = foreign.filter((reply) => !taken.has(description.item.idOf(reply)));
  const problem = await alreadyThere(
    collection,
    operation,
    others,
    planOf(description, [...resumed, ...back], open).add,
  );
  return found({
    made,
    before,
    resumed,
    back,
    ...(problem === undefined ? {} : { problem }),
  });
}

/** Why objects that an interrupted run seems to have made, or that a set owns as it is exclusive, may be those of another stack. */
async function doubtOf(
  collection: Collection,
  call: Call,
  found: readonly Held[],
): Promise<string | undefined> {
  if (found.length === 0) return undefined;
  const { item, parentPath, description } = collection;
  const rivalsOf = await rivalsElsewhere(item, call);
  const lines = found.flatMap((member) => {
    const doubt = rivalsOf({ ...member.inputs, [parentPath]: call.inputs[parentPath] });
    return doubt === undefined
      ? []
      : [`${nameOfMember(description, member, isGuarded(call))} exists, and ${doubt}`];
  });
  return lines.length === 0 ? undefined : shortened(lines).join("; ");
}

interface Listed {
  readonly there: readonly Properties[];
  readonly made: readonly Held[];
  readonly before: ReadonlySet<string>;
  /** Whether a preview has read them. */
  readonly isSeen?: boolean;
}

/**
 * The objects under the parent, and those of them that an interrupted run has made: they have no other owner. The requests that it sent last may
 * still take effect, so it looks until their members appear or the time for them is over.
 */
async function foundNow(
  collection: Collection,
  operation: Operation,
  open: readonly Wanted[],
): Promise<Listed> {
  const { item, property } = collection;
  const { call } = operation;
  const parent = collection.parentOf(call.inputs);
  await collection.creationNoteOf(call).free();
  const asked = await askedBefore(collection, operation);
  if (asked === undefined) {
    const there = await item.reads.all(parent);
    return { there, made: [], before: new Set(there.map((reply) => item.description.idOf(reply))) };
  }
  const before = new Set(asked.before);
  const row = `looking for ${property} that an interrupted run requested`;
  const looking = { until: settledAt(asked), pauseMs: LOOK_PAUSE_MS, row };
  let [there, made]: [readonly Properties[], readonly Held[]] = [[], []];
  await pollUntil(collection, looking, async () => {
    there = await item.reads.all(parent);
    made = claimFrom(collection, (await newcomersOf(collection, call, there, before)).own, open);
    return made.length === open.length || undefined;
  });
  return { there, made, before };
}

/** The same for a preview, which continues without objects that cannot be read. If a run was interrupted, only `made` and what others have is known before its requests are settled. */
async function seen(collection: Collection, operation: Operation, open: readonly Wanted[]): Promise<Listed> {
  const { property, item, replaced } = collection;
  const { call } = operation;
  const parent = collection.parentOf(call.inputs);
  const asked = await askedBefore(collection, operation);
  const read = await item.reads.seen(parent, `the ${property} of ${item.parentName} ${parent}`);
  const listed = read ?? [];
  if (asked !== undefined) {
    const { own, others } = await newcomersOf(collection, call, listed, new Set(asked.before));
    return { there: others, made: claimFrom(collection, own, open), before: new Set() };
  }
  const there = listed.filter((reply) => !replaced.has(item.idBelow(parent, reply)));
  return { there, made: [], before: new Set(), isSeen: read !== undefined };
}

/** The requests of an interrupted run of this stack. */
async function askedBefore(
  collection: Collection,
  { call, olds }: Operation,
): Promise<AskedBefore | undefined> {
  const asked = collection.creationNoteOf(call).recallAsked();
  if (asked === undefined || !isNew(olds)) return asked;
  const called = calledInProgram({ kind: collection, call });
  return (await isOfRenamedStack(collection.run, called)) ? undefined : asked;
}

/** The objects that appeared since the first request of an interrupted run. Another stack may have made some of them. */
async function newcomersOf(
  collection: Collection,
  call: Call,
  there: readonly Properties[],
  before: ReadonlySet<string>,
): Promise<{ readonly own: readonly Properties[]; readonly others: readonly Properties[] }> {
  const { item } = collection;
  const parent = item.parentOf(call.inputs);
  const newcomers = newcomersAmong(item, parent, there, before);
  const refs = newcomers.map((reply) => ({ parent, id: item.description.idOf(reply), reply }));
  const shared = await managedElsewhere(collection, call, item.description, refs);
  const others = new Set(shared.map(({ ref }) => ref.reply));
  return { own: newcomers.filter((reply) => !others.has(reply)), others: [...others] };
}

/** Whether the state says that an earlier run was interrupted while it made members. */
export async function wasCutOff(
  { known }: Collection,
  { olds, call, isPreview, isDoubtful }: Pick<Operation, "olds" | "call" | "isPreview" | "isDoubtful">,
): Promise<boolean> {
  return isNew(olds)
    ? (await known.pendingCreation(call, isPreview)) !== undefined
    : isDoubtful === true || known.wasCutOff("updating", call, isPreview);
}

/** Existing objects that are like declared members, and that neither this stack nor another one has. */
async function resumable(
  collection: Collection,
  call: Call,
  foreign: readonly Properties[],
  open: readonly Wanted[],
): Promise<Held[]> {
  const { run, account, item } = collection;
  const parent = collection.parentOf(call.inputs);
  const elsewhere = item.known.ofOtherRuns();
  const state = await run.stack.state();
  const free = foreign.filter((reply) => {
    const id = item.idBelow(parent, reply);
    return (
      !elsewhere.has(id) && !item.known.managed.has(id) && state?.knows(item.type, id, account.at) !== true
    );
  });
  return withoutShared(collection, call, claimFrom(collection, free, open));
}

/** Declared members that this resource had before an earlier run replaced it: the program has gone back before the engine deleted them. */
async function takenBack(
  collection: Collection,
  { olds, call }: Operation,
  foreign: readonly Properties[],
  open: readonly Wanted[],
): Promise<Held[]> {
  const like = isNew(olds) ? claimFrom(collection, foreign, open) : [];
  if (like.length === 0) return [];
  const { item } = collection;
  const parent = collection.parentOf(call.inputs);
  const holdersOf = await holdersHere(collection);
  const own = lastingUrn(call.fullUrn ?? call.urn ?? "");
  return like.filter(({ id }) => {
    const holders = holdersOf?.(item.type, formatId({ parent, id })) ?? [];
    return (
      holders.length > 0 &&
      holders.every(({ urn, isLeaving }) => isLeaving === true && lastingUrn(urn) === own)
    );
  });
}

/** The rest of a sentence about what the resource itself has, which is replaced. */
const REPLACED = ", which this resource replaces";
const RETAINED = `${REPLACED} and the option retainOnDelete keeps: first remove the option and run \`pulumi up\``;
const FORCED = `${REPLACED}: set the option deleteBeforeReplace, and ${SETTINGS.validate.variable}=false for this run`;

/** Names each declared member that exists as an object of another owner, and says what to do. */
async function alreadyThere(
  collection: Collection,
  { olds, call }: Operation,
  foreign: readonly Properties[],
  open: readonly Wanted[],
): Promise<string | undefined> {
  const { description, item } = collection;
  const pool = collection.poolOf(foreign);
  const parent = collection.parentOf(call.inputs);
  const there = open.flatMap((member) => {
    const reply = pool.take(member.inputs);
    if (reply === undefined) return [];
    const name = nameOfMember(description, member, isGuarded(call));
    return [{ name, parent, id: item.description.idOf(reply) }];
  });
  if (there.length === 0) return undefined;
  const holdersOf = await holdersHere(collection);
  const own = lastingUrn(call.fullUrn ?? call.urn ?? "");
  const shared = await managedElsewhere(collection, call, item.description, there);
  const elsewhere = new Map(shared.map((one) => [one.ref, namesOf(one)]));
  const isRetained = (await collection.standingOf(call))?.isRetained === true;
  const whose = there.map((one) => {
    // An import that an earlier run has not finished owns nothing.
    const holder = holdersOf?.(item.type, formatId(one)).find(({ isOpen }) => isOpen !== true);
    if (holder !== undefined && lastingUrn(holder.urn) === own) return isRetained ? RETAINED : FORCED;
    const called = holder === undefined ? elsewhere.get(one) : calledIn(holder);
    return called && `, and ${called} has it: declare it in one of the two`;
  });
  const lines = there.map(
    (one, at) => `${one.name} already exists with the id ${formatId(one)}${whose[at] ?? ""}`,
  );
  const advice = whose.includes(undefined) ? `. ${howToTakeOver(collection, olds, call.inputs)}` : "";
  return `${shortened(lines).join("; ")}${advice}`;
}

/** Names each declared member that the resource itself has and the option retainOnDelete keeps, as the state says. This sends no request. */
export async function alreadyKept(
  collection: Collection,
  call: Call,
  wanted: readonly Wanted[],
): Promise<string | undefined> {
  const { description } = collection;
  const old = await collection.inState(call);
  const parent = collection.parentOf(call.inputs);
  if (old?.isRetained !== true || old.parent !== parent) return undefined;
  const ids = new Map(old.held.map(({ id, inputs }) => [identityOf(description, inputs), id]));
  const lines = wanted.flatMap((member) => {
    const id = hasUnknown(member.inputs) ? undefined : ids.get(identityOf(description, member.inputs));
    const name = nameOfMember(description, member, isGuarded(call));
    return id === undefined
      ? []
      : [`${name} already exists with the id ${formatId({ parent, id })}${RETAINED}`];
  });
  return lines.length === 0 ? undefined : shortened(lines).join("; ");
}

function howToTakeOver(collection: Collection, olds: Properties, inputs: Properties): string {
  const { run, description } = collection;
  const { key, variable } = SETTINGS.resume;
  const goOn = run.configuration.resume
    ? `${key} does not apply, because the state has no interrupted operation on this resource`
    : `If an interrupted run created it, set ${key} (or ${variable}=true)`;
  return isNew(olds)
    ? `${goOn}. To manage what exists, set the option import: "${collection.idFor(inputs)}", or set ${description.exclusive}`
    : `${goOn}. Otherwise delete it in the account, remove it from the program, or set ${description.exclusive} to take it over`;
}
