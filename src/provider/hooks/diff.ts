import { type Description } from "../describe/define-resource";
import { DELETED_FIRST, INTERRUPTS, LOSES } from "../describe/effects";
import { inputAt } from "../describe/fields";
import { listed } from "../../api/text";
import { statusOf } from "../describe/status";
import { ProviderError } from "../base/errors";
import { type Difference, type StateCall } from "../state/provider-interface";
import { note, warn } from "../kind/warnings";
import { type ObjectKind } from "../kind/kind";
import { type Call, type State } from "../state/call";
import {
  detailsOf,
  effectsOf,
  isAskedFor,
  lossOfReplacement,
  replacementOf,
  replacing,
  writtenAs,
} from "../state/describe-changes";
import {
  type ChangedInput,
  changedInputs,
  deletesFirst,
  isReplaced,
  isUnsent,
  pendingAt,
  replacedBy,
} from "../state/update-or-replace";
import { releasedInputs, releaseLines } from "../state/removed-inputs";
import { lossOfMove, moveOf } from "../object/account-of-object";
import { refusalAfterCutOff } from "../object/act-once";
import { gone } from "../object/look-up";
import { announceReadiness, isInterrupted, isOnlyAsked } from "../object/readiness";
import { notePeer, turnIn } from "../object/turns";
import { adoptionOf, refuseSecondObject } from "../ownership/adoption-claims";
import { refuseLeftBelow } from "../ownership/below";
import { sharingWith, warnOfKeptObject } from "../ownership/other-owners";
import { keptLabel, nameIn } from "./automatic-name";
import { refuseTakenName, uniqueNameIn } from "../ownership/unique-names";
import { announceMadeAgain, denyFirst, replacedObject, warnOfDenied } from "../object/guard";

/** Compares a program's inputs with what was last sent, and says in a preview what the difference does. */
export async function diff(kind: ObjectKind, call: StateCall): Promise<Difference> {
  const { run, description, known } = kind;
  const adoption = adoptionOf(kind);
  const { id, state, inputs, urn } = call;
  const isRefreshing = known.isRefreshing(id);
  const changed = changedInputs(kind.leaves, state, call);
  const move = moveOf(kind, call);
  // What depends on a resource that is deleted first is compared before its check, under the name that the state has.
  if (!isRefreshing && known.steps.isChecked(call)) adoption.hold(id, call, replacedBy(changed).length > 0);
  run.names.compares(urn, nameIn(description, state));
  if (!isRefreshing) notePeer(kind, call, id, state.isUnfinished);
  if (call.importId !== undefined && call.importId !== state.importId)
    refuseSecondObject(kind.type, id, call.importId);
  // The new provider's account may have another object with this id.
  if (move === undefined) known.managed.add(id);
  if (move === undefined && description.id.parent === undefined)
    run.declared.parents.set(`${kind.type} ${id}`, { inputs });
  const replaces =
    move === undefined ? replacedBy(changed).map((path) => writtenAs(description, path)) : ["provider"];
  const shouldDeleteFirst =
    move === undefined && deletesFirst(description, state, call, run.names.isGivenBack(urn));
  const ifReplaced = shouldDeleteFirst ? "goes" : "may go";
  const name = description.unique && uniqueNameIn(kind, inputs[description.unique]);
  // A refresh also compares what the program no longer has.
  if (move === undefined && !isRefreshing)
    known.kept.set(id, replaces.length > 0 ? ifReplaced : { name, ifReplaced });
  if (isAskedFor(changed)) known.renewed.add(id);
  const released = replaces.length > 0 ? [] : releasedFrom(kind, state, call);
  // A refresh removes the failure mark of an unfinished creation, which still has steps to do.
  const isUpdated = changed.length > 0 || released.length > 0 || state.memory !== undefined;
  if (replaces.length > 0) adoption.replaces(call);
  else await refuseUpdate(kind, call, { changed, isUpdated, isRefreshing });
  if (replaces.length === 0 && !isRefreshing) await refuseActions(kind, call, changed);
  const byReplacing = lossBy(description, changed, move);
  const old =
    replaces.length > 0 && !isRefreshing ? await replacedObject({ kind, call, id }, byReplacing) : undefined;
  const loss = old?.isRetained === true ? undefined : byReplacing;
  const isMadeAgain = old?.isGone === true;
  if (isMadeAgain) announceMadeAgain({ kind, call, id }, old);
  if (move === undefined && isMadeAgain) known.kept.set(id, "goes");
  else if (move === undefined && old?.isRetained === true) known.kept.set(id, "stays");
  const interruptions = shouldDeleteFirst && old?.isRetained !== true ? [DELETED_FIRST] : [];
  const isDeleted = replaces.length > 0 && move === undefined && old?.isRetained !== true;
  if (!isRefreshing && !isMadeAgain) {
    if (isDeleted) await refuseLeftBelow(kind, call);
    known.steps.compares(call, id, loss);
    const shared = isDeleted ? await sharingWith(kind, call, id) : [];
    await announce(kind, call, changed, move, { loss, interruptions, shared });
    for (const line of releaseLines(released)) warn({ kind, call, id }, line, "VALUE_STAYS");
    if (replaces.length > 0) {
      adoption.leaves(id, call);
      await warnOfKeptObject(kind, call);
      await warnOfOldObject(kind, call);
    }
  }
  if (replaces.length > 0 && shouldDeleteFirst && !isMadeAgain) denyFirst({ kind, call });
  return {
    changes: replaces.length > 0 || isUpdated,
    replaces,
    deleteBeforeReplace: replaces.length > 0 && shouldDeleteFirst,
    shouldDeleteFirst,
    details: detailsOf(changed, released, { sent: state.sent, news: inputs, of: description }),
  };
}

/** Says that another object goes too: the one that an object which is not ready was to replace. The engine does not go back to it. */
async function warnOfOldObject(kind: ObjectKind, call: StateCall): Promise<void> {
  const { id, state, urn = "" } = call;
  if (state.isUnfinished !== true && state.memory === undefined) return;
  const other = (await kind.run.stack.state())?.otherIdOf(urn, id);
  if (other === undefined) return;
  const line = `the old ${kind.type} ${other}, which ${id} was to replace, is deleted too`;
  warn({ kind, call, id }, `${LOSES}${line}, even if the program is now as it was`, "LOSES_DATA");
}

/** Refuses actions that cannot be carried out on the object. */
async function refuseActions(
  kind: ObjectKind,
  { id, inputs }: StateCall,
  changed: readonly ChangedInput[],
): Promise<void> {
  const ref = kind.parseId(id);
  if (ref === undefined) return;
  for (const { path, problem } of kind.description.actions ?? []) {
    if (pendingAt(changed, path).length === 0) continue;
    const reason = await problem?.(
      ref,
      inputs,
      kind.run.configuration.validate ? kind.account.reads : undefined,
    );
    if (reason !== undefined)
      throw new ProviderError(`update ${kind.nameOf(inputs, ref)}: ${path} ${reason}`, {
        code: "UPDATE_IMPOSSIBLE",
      });
  }
}

/** The inputs that were removed from the program and whose values stay. */
function releasedFrom(kind: ObjectKind, state: State, call: Call) {
  const label = keptLabel(kind.description, state, call);
  return [...(label === undefined ? [] : [label]), ...releasedInputs(kind.leaves, state, call.inputs)];
}

/** Refuses updates that the account does not allow, unless the settings turn that off, and those that the program and the state alone do not allow. */
async function refuseUpdate(
  kind: ObjectKind,
  call: StateCall,
  {
    changed,
    isUpdated,
    isRefreshing,
  }: { changed: readonly ChangedInput[]; isUpdated: boolean; isRefreshing: boolean },
): Promise<void> {
  const { validate } = kind.run.configuration;
  if (validate) await refuseTakenName(kind, call, changed);
  const ref = isRefreshing ? undefined : kind.parseId(call.id);
  if (ref === undefined) return;
  const refusal = await refusalAfterCutOff(kind, ref, call, changed, "check");
  // Otherwise the update is asked for, which also refuses it, and its state then tells later runs why.
  if (refusal !== undefined && kind.run.isPreview)
    throw new ProviderError(refusal.message, { cause: refusal });
  if (!isUpdated) return;
  const what = `the ${kind.type} ${call.id}`;
  const { id, parent } = kind.description;
  const above = kind.run.declared.parentWith(ref.parent ?? "", id);
  const dropped = above && parent?.drops?.(above.inputs);
  if (dropped !== undefined)
    throw new ProviderError(
      `update ${kind.nameOf(call.inputs, ref)}: of the ${kind.parentName} ${ref.parent ?? ""}, ${dropped}. Remove this resource from the program, or leave it as it was`,
      { code: "UPDATE_IMPOSSIBLE" },
    );
  // An update of what is gone fails, and a green preview of changes means that the account was looked at. The engine itself replaces what a replacement has deleted.
  const isMissing = validate && (await kind.account.reads.isMissing(what, () => kind.reads.lately(ref)));
  if (isMissing && (await kind.standingOf(call))?.isGone !== true) throw gone(kind, call);
}

/** The changes, compared with the account if some that lose data or interrupt a service are there already as the state says. */
async function stillChanged(
  kind: ObjectKind,
  call: StateCall,
  changed: readonly ChangedInput[],
): Promise<readonly ChangedInput[]> {
  const { description, run, account, leaves, type } = kind;
  const { id, inputs, state } = call;
  const ref = kind.parseId(id);
  if (ref === undefined || !changed.some(({ isThere }) => isThere)) return changed;
  const all = changed.map((one) => ({ ...one, isThere: false }));
  const { losses, interruptions } = effectsOf(description, all, inputs);
  if (losses.length === 0 && interruptions.length === 0) return changed;
  if (!run.configuration.validate) return all;
  const live = await account.reads.one(`the ${type} ${id}`, (client) => description.read(client, ref));
  return live == null
    ? changed
    : changedInputs(leaves, { ...state, outputs: kind.outputsOf(live, ref) }, call);
}

/** The losses of a replacement by these changes, or by a move to another account. */
const lossBy = (
  description: Description,
  changed: readonly ChangedInput[],
  move: string | undefined,
): string | undefined =>
  move === undefined ? lossOfReplacement(description, changed) : lossOfMove(description.lossOfData);

/** Says in the preview why the resource is replaced, and what an update does. `loss`, `interruptions` and `shared`: what a replacement does. */
async function announce(
  kind: ObjectKind,
  call: StateCall,
  changed: readonly ChangedInput[],
  move: string | undefined,
  {
    loss,
    interruptions: byReplacing,
    shared,
  }: {
    readonly loss: string | undefined;
    readonly interruptions: readonly string[];
    readonly shared: readonly string[];
  },
): Promise<void> {
  const about = { kind, call, id: call.id };
  const { description } = kind;
  const replacement = move === undefined ? replacementOf(changed, loss) : replacing(move, loss);
  if (replacement !== undefined) {
    if (loss === undefined) note(about, replacement);
    else warn(about, replacement, "LOSES_DATA");
    warnOfDenied(about, {
      operation: "replacement",
      losses: loss === undefined ? [] : [loss],
      interruptions: byReplacing,
      shared,
    });
  }
  // If the replacement is not certain, the changes may happen in place.
  if (move !== undefined || (replacement !== undefined && isReplaced(changed))) return;
  const open = await stillChanged(kind, call, changed);
  const { losses, interruptions, others } = effectsOf(description, open, call.inputs);
  warnOfDenied(about, { operation: "update", losses, interruptions });
  for (const line of losses) warn(about, LOSES + line, "LOSES_DATA");
  for (const line of interruptions) warn(about, INTERRUPTS + line, "INTERRUPTS");
  for (const line of others) warn(about, line, "QUESTIONABLE_INPUT");
  announceReadiness(kind, call, open);
  const turn = isInterrupted(description, open) ? turnIn(kind, call.inputs) : undefined;
  if (turn !== undefined)
    note(
      about,
      `waits for its turn: at most ${turn.max} of the group ${turn.group} may be interrupted at a time`,
    );
  const { memory, outputs, isUnfinished } = call.state;
  if (memory !== undefined) {
    const status = statusOf(outputs);
    const was = status === "" ? "" : `: its status was ${status}`;
    note(about, `continues its creation, which was not finished${was}`);
  } else if (isUnfinished === true && changed.length > 0 && !isOnlyAsked(description, changed)) {
    // The engine shows no difference: it has these inputs since the run that failed.
    const paths = changed.map(({ leaf }) => writtenAs(description, leaf.path));
    note(about, `changes ${listed(paths, "and")}: a run before failed and did not carry out all inputs`);
  }
  const unsent = kind.leaves.filter(
    (leaf) => inputAt(call.inputs, leaf) !== undefined && isUnsent(leaf, call.state),
  );
  if (changed.length > 0 && unsent.length > 0) {
    const paths = unsent.map(({ path }) => writtenAs(description, path));
    note(
      about,
      `does not send ${listed(paths, "and")}: the object was adopted, and only a creation takes this`,
    );
  }
}
