import { itemised } from "./members/names";
import { DELETES, givenUpBy, MAY_DELETE } from "../describe/effects";
import { formatId } from "../describe/define-resource";
import { classIn } from "../describe/type-token";
import { calledIn, typeInUrn } from "../describe/urn";
import { holdersOf } from "../ownership/this-stack";
import { listed } from "../../api/text";
import { note, shortened, warn } from "../kind/warnings";
import { isEmptyAtFirst, warnTogether } from "../inputs/judge-together";
import { warnOfDenied } from "../object/guard";
import { SETTINGS } from "../settings/config";
import { hasUnknown, UNKNOWN } from "../base/values";
import { type Held } from "../state/members";
import { takenFromOthers } from "./other-owners";
import { describePlan } from "./describe-plan";
import { isGuarded } from "./members/secrets";
import { isEmpty, type Plan } from "./plan";
import { foundIn, type SetOperation, prepare, type Prepared } from "./prepare";

/** Compares an operation with the account in its preview: says what it takes over and deletes, and returns what stands against it. */
export async function problemInAccount(operation: SetOperation): Promise<string | undefined> {
  const { kind: collection, state } = operation;
  const { ownership } = collection;
  const prepared = await prepare(operation, "check");
  const { made, resumed, back } = prepared;
  const removed = new Set(prepared.plan.remove);
  const taken = prepared.owned.filter((member) => !removed.has(member));
  const own = taken.length === 0 ? new Set() : await replacedIds(operation);
  const foreign = taken.filter(({ id }) => !own.has(id));
  const givers = await giversOf(operation, foreign);
  const names = [...new Set(givers.values())];
  // What waits for other resources may come after the deletions of the others.
  const isCertain =
    !operation.wanted.some(({ inputs }) => hasUnknown(inputs)) &&
    ownership.claimGivenUp(operation.call, [...givers.keys()]);
  const givenUp = isCertain ? givenUpBy(...names) : `${GIVEN_UP} ${listed(names, "and")}`;
  const there = "which exist already";
  for (const [found, does, which] of [
    [made, "continues with", "which appeared after an interrupted run requested them"],
    [resumed, "continues with", `${there} and are not in the state`],
    [back, "takes back", "which an earlier run replaced and has not deleted"],
    [taken.filter(({ id }) => own.has(id)), "takes over", OWN_BEFORE],
    [foreign.filter((one) => !givers.has(one)), "takes over", there],
    [[...givers.keys()], "takes over", givenUp],
  ] as const) {
    const ids = shortened(found.map(formatId)).join(", ");
    if (found.length > 0)
      note(operation, `${does} ${found.length} of the ${collection.property}, ${which}: ${ids}`);
  }
  if (state === undefined && prepared.problem === undefined) listMembers(operation, prepared.plan);
  warnOfRemovals(operation, prepared);
  await warnOfClashes(operation, prepared);
  const taking = await problemWithOthers(operation, prepared);
  return prepared.problem ?? taking;
}

/** Why an operation is refused because of other stacks. If nothing is deleted before that, it is a warning. Fails if the other stacks are not known. */
export async function problemWithOthers(
  operation: SetOperation,
  found: Pick<Prepared, "owned" | "plan">,
): Promise<string | undefined> {
  const taking = await takenFromOthers(operation, found);
  if (taking === undefined || (await operation.deletesFirst?.()) === true) return taking;
  warn(operation, `\`pulumi up\` refuses this: ${taking}`, "OTHER_STACK");
  return undefined;
}

const GIVEN_UP = "or creates them again if they are deleted first: they are those of";

/** The other sets of this stack that have some members, as the state says: one that stays may delete them before this one takes them over. */
async function giversOf(
  { kind, call }: SetOperation,
  members: readonly Held[],
): Promise<ReadonlyMap<Held, string>> {
  const all = await holdersOf(kind, call, kind.item, members);
  return new Map(
    all.flatMap(({ ref, holders }) => {
      const giver = holders.find(({ isOwn, urn }) => !isOwn && classIn(typeInUrn(urn)) === kind.type);
      return giver === undefined ? [] : [[ref, calledIn(giver)] as const];
    }),
  );
}

/** The engine tells nobody whether it deletes first where it replaces a resource without a comparison. */
const OWN_BEFORE =
  "which it has before the replacement. If deleteBeforeReplace is set, they are deleted and created again";

/** The ids of the members that a resource has before the engine replaces it, unless the option retainOnDelete keeps them. */
async function replacedIds({ kind, call, deletesFirst }: SetOperation): Promise<ReadonlySet<string>> {
  const old = (await deletesFirst?.()) === true ? await kind.standingOf(call) : undefined;
  const [, ...members] = old === undefined || old.isGone || old.isRetained ? [] : old.object.split(" ");
  return new Set(members);
}

/** The same for a replacement by the command, in silence: what exists are the members of the old resource. */
export async function problemOfReplacement(operation: SetOperation): Promise<string | undefined> {
  const prepared = await prepare(operation, "check");
  return prepared.problem ?? (await takenFromOthers(operation, prepared));
}

/** Says which members a new resource will have: those that it creates, and those that it changes because they exist. */
export function listMembers({ kind, call }: SetOperation, plan: Plan): void {
  // What it deletes is a warning.
  const made = { ...plan, remove: [] };
  if (isEmpty(made)) return;
  const manner = { guarded: isGuarded(call), heirOf: () => undefined, exceptions: [] };
  kind.note(call, describePlan(kind.description, made, { ...manner, form: kind.formOf(call) }));
}

/** Warns of members that cannot be right together with the other objects of the account that stay. */
async function warnOfClashes(operation: SetOperation, prepared: Prepared): Promise<void> {
  const { listed } = prepared;
  if (listed === undefined) return;
  const { item } = operation.kind;
  const own = new Set([...operation.held, ...foundIn(prepared)].map(({ id }) => id));
  const others = listed.filter((reply) => !own.has(item.description.idOf(reply)));
  await warnTogether(item, operation, { listed: others, isComplete: true });
}

/** Warns of the existing objects that an exclusive resource deletes, or may delete. */
function warnOfDeletions(
  operation: SetOperation,
  [what, because]: readonly [what: string, because: string],
  removed: readonly Held[] = [],
): void {
  const why = `${what} which the program does not declare, because ${because}`;
  const lines = removed.map(({ line }) => line);
  warn(operation, itemised(why, lines), "LOSES_DATA");
  warnOfDenied(operation, { operation: "update", deletions: [why] });
}

/** Warns that a resource which takes over what it covers may delete some of it, if the account is not looked at. */
export function warnOfUnseen(operation: SetOperation): void {
  const { description, property } = operation.kind;
  if (!operation.kind.mightTakeOver({}, operation.call.inputs)) return;
  const because = `${description.exclusive} is set, and ${SETTINGS.validate.key} is false, so the account is not looked at`;
  warnOfDeletions(operation, [`${MAY_DELETE} existing ${property}`, because]);
}

/** Warns of the objects that were found. Nothing exists below a parent that this run creates. Below another parent that is not known yet, objects may exist. */
function warnOfRemovals(operation: SetOperation, { plan, owned }: Prepared): void {
  const { kind: collection, call, olds } = operation;
  const { description, property, parentPath, item } = collection;
  const { exclusive } = description;
  const { inputs } = call;
  const isMaybe = collection.mayTakeOver(olds, inputs);
  const mayBeBelow = inputs[parentPath] === UNKNOWN && !isEmptyAtFirst(item, call, call.within);
  if (mayBeBelow && collection.mightTakeOver(olds, inputs)) {
    const because = `${parentPath} is not known yet and ${exclusive} ${isMaybe ? "may be" : "is"} set`;
    warnOfDeletions(operation, [`${MAY_DELETE} existing ${property}`, because]);
  }
  const found = new Set(owned);
  const removed = plan.remove.filter((member) => found.has(member));
  if (removed.length === 0) return;
  const what = `${isMaybe ? MAY_DELETE : DELETES} ${removed.length} of the existing ${property},`;
  const because = `${exclusive} is ${isMaybe ? "not known yet" : "set"}`;
  warnOfDeletions(operation, [what, because], removed);
}
