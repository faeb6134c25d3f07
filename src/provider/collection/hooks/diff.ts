import { formatId, refused } from "../../describe/define-resource";
import { DELETED_FIRST } from "../../describe/effects";
import { ProviderError } from "../../base/errors";
import { type Detail, type Difference, type StateCall } from "../../state/provider-interface";
import { detailsOf, replacementOf, replacing } from "../../state/describe-changes";
import { type ChangedInput, changedInputs, replacedBy } from "../../state/update-or-replace";
import { UNKNOWN } from "../../base/values";
import { lookedAt } from "../../hooks/validate";
import { moveOf } from "../../object/account-of-object";
import { announceMadeAgain, denyFirst, objectOf, replacedObject, warnOfDenied } from "../../object/guard";
import { type Collection } from "../collection";
import { deletionsIn, describePlan } from "../describe-plan";
import { heldIn } from "../../state/members";
import { isGuarded } from "../members/secrets";
import { learnHeirs, sharingWith } from "../other-owners";
import { isEmpty } from "../plan";
import { operationOf, wasCutOff } from "../prepare";
import { problemInAccount, problemWithOthers } from "../problem-in-account";
import { replacingMembers } from "../replace-on-changes";

/** Compares a resource with the program, and announces in the preview what an update does. */
export async function diff(collection: Collection, call: StateCall): Promise<Difference> {
  // The engine compares what a refresh has read without making a plan, so nothing is announced.
  const isRefreshing = collection.known.isRefreshing(call.id);
  return compare(collection, call, isRefreshing).finally(() => {
    if (!isRefreshing) collection.ownership.importing.comes(call);
  });
}

async function compare(collection: Collection, call: StateCall, isRefreshing: boolean): Promise<Difference> {
  const { description, settings, property, ownership } = collection;
  const { state, inputs } = call;
  // Other objects with equal content: the text is the same, and the state needs their ids.
  const isRefilled = collection.refilled.delete(call.id) && isRefreshing;
  if (!isRefreshing) collection.known.steps.compares(call, objectOf(call), undefined);
  // The settings are the program's own, also of a set that has imported its members.
  const ofSettings = changedInputs(settings, { ...state, isAdopted: false }, call);
  const changed = [...ofSettings, ...replacingMembers(description, state, call)];
  const details = detailsOf(changed, [], { sent: state.sent, news: inputs });
  const areSame = state.outputs[property] === inputs[property];
  const form = collection.formOf(call);
  const givenAs = form === property ? undefined : form;
  const ofMembers: Detail[] =
    areSame && !isRefilled ? [] : [{ path: property, givenAs, kind: "update", replaces: false }];
  const isMove = moveOf(collection, call) !== undefined;
  if (isMove || replacedBy(changed).length > 0) {
    ownership.replaces(call);
    const isKept = !isRefreshing && (await announceReplacement(collection, call, changed));
    const here = isMove || isKept ? [] : heldIn(description, state);
    for (const member of here) collection.replaced.add(formatId(member));
    return isMove
      ? { ...UNCHANGED, changes: true, replaces: ["provider"], shouldDeleteFirst: false, details }
      : {
          ...UNCHANGED,
          changes: true,
          replaces: replacedBy(changed),
          deleteBeforeReplace: true,
          details: [...details, ...ofMembers],
        };
  }
  if (areSame && (state.members?.left.length ?? 0) === 0) {
    if (!isRefreshing) ownership.hold(call, () => state.members?.ids ?? []);
    if (changed.length === 0 && !isRefilled) return UNCHANGED;
  }
  const isUnknown = inputs[property] === UNKNOWN;
  if (isUnknown && !isRefreshing) await look(collection, call);
  const movesMembers = !isUnknown && (await planMembers(collection, call, isRefreshing));
  if (!isUnknown && changed.length === 0 && !movesMembers && !isRefilled) return UNCHANGED;
  return { ...UNCHANGED, changes: true, details: [...details, ...ofMembers] };
}

/** No change. If the engine itself replaces the resource, the old members are deleted first: a record has no name that could differ. */
const UNCHANGED: Difference = {
  changes: false,
  replaces: [],
  deleteBeforeReplace: false,
  shouldDeleteFirst: true,
  details: [],
};

/**
 * Notes that the resource is replaced, and says in the preview why, and whether the settings deny that. Returns whether `retainOnDelete` keeps what it manages.
 */
async function announceReplacement(
  collection: Collection,
  call: StateCall,
  changed: readonly ChangedInput[],
): Promise<boolean> {
  const about = { kind: collection, call, id: call.id };
  const old = await replacedObject(about, DELETED_FIRST);
  if (old?.isGone === true) {
    announceMadeAgain(about, old);
    return old.isRetained;
  }
  const isKept = old?.isRetained === true;
  const move = moveOf(collection, call);
  const members = heldIn(collection.description, call.state);
  const loss = isKept ? undefined : `its ${members.length} ${collection.property} are deleted first`;
  const why = move === undefined ? replacementOf(changed, loss) : replacing(move, undefined);
  collection.note(call, why ?? "");
  const gone = isKept || move !== undefined ? [] : members;
  const shared = await sharingWith(collection, call, gone);
  warnOfDenied(about, { operation: "replacement", interruptions: isKept ? [] : [DELETED_FIRST], shared });
  denyFirst(about);
  return isKept;
}

/** Announces the changes of members, and returns whether there are some. Fails if the account does not allow them. */
async function planMembers(collection: Collection, call: StateCall, isRefreshing: boolean): Promise<boolean> {
  const { run, description, ownership } = collection;
  const { state } = call;
  const operation = operationOf(collection, call, state);
  const { plan } = operation;
  if (isRefreshing) return !isEmpty(plan);
  const kept = [...plan.keep, ...plan.change].map((pair) => pair.held.id);
  ownership.hold(call, () => kept);
  await learnHeirs(collection, call, plan.remove);
  const guarded = isGuarded(call) || isGuarded(state);
  const { own: gone } = ownership.heirsOf(state, plan.remove);
  const deletions = deletionsIn(description, gone, guarded);
  const shared = await sharingWith(collection, call, gone);
  warnOfDenied({ kind: collection, call, id: call.id }, { operation: "update", deletions, shared });
  if (!isEmpty(plan))
    collection.note(
      call,
      describePlan(description, plan, {
        guarded,
        heirOf: (member) => ownership.heirOf(state, member),
        form: collection.formOf(call),
        exceptions: ownership.importing.exceptionsOf(call, gone),
      }),
    );
  const problemIn = () => problemInAccount(operation);
  collection.refused.delete(call.id);
  if (run.configuration.validate)
    await look(collection, call, problemIn).catch(async (error: unknown) => {
      const isThere = error instanceof ProviderError && error.code === "EXISTS_ALREADY";
      if (!isThere || run.isPreview || !(await wasCutOff(operation, "check"))) throw error;
      // The update refuses it too, and its state then tells later runs why: the engine forgets the interrupted run.
      collection.refused.set(call.id, error);
    });
  else await problemWithOthers(operation, { owned: [], plan });
  // A member that an earlier run has kept for another resource is declared again.
  const left = new Set(state.members?.left.map(([id]) => id));
  return !isEmpty(plan) || kept.some((id) => left.has(id));
}

/** Fails if what has the members is gone, if the account cannot be read, or if it does not allow the update. */
async function look(
  collection: Collection,
  call: StateCall,
  problemIn?: () => Promise<string | undefined>,
): Promise<void> {
  const [failure] = await lookedAt(collection.item, collection.parentOf(call.state.outputs), async () => {
    const reason = await problemIn?.();
    return reason === undefined ? [] : refused("", reason, "EXISTS_ALREADY");
  });
  if (failure === undefined) return;
  const { property, reason, code = "UPDATE_IMPOSSIBLE" } = failure;
  throw new ProviderError(`update ${collection.nameOf(call.inputs)}: ${`${property} ${reason}`.trim()}`, {
    code,
  });
}
