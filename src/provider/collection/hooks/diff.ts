import { formatId } from "../../describe/define-resource";
import { topLevel } from "../../describe/fields";
import { ProviderError } from "../../engine/errors";
import { type Detail, type Difference, type StateCall } from "../../engine/provider-interface";
import { detailsOf, replacementOf } from "../../state/describe-changes";
import { type ChangedInput, changedInputs } from "../../state/update-or-replace";
import { UNKNOWN } from "../../state/values";
import { type Collection } from "../collection";
import { describePlan } from "../describe-plan";
import { wantedIn } from "../members/member";
import { heldIn } from "../members/in-state";
import { isEmpty, planOf } from "../plan";
import { problemInAccount } from "../problem-in-account";
import { replacingMembers } from "../replace-on-changes";
import { isGuarded } from "../members/secrets";

/** One comparison of a resource with the program. */
interface Comparison {
  readonly collection: Collection;
  readonly call: StateCall;
  readonly changed: readonly ChangedInput[];
  /** Whether the engine compares what a refresh has read. Such a comparison makes no plan, so nothing is announced. */
  readonly isRefreshing: boolean;
}

/** Compares a resource with the program, and announces in the preview what an update does. */
export async function diff(collection: Collection, call: StateCall): Promise<Difference> {
  const { description, settings } = collection;
  const { id, state } = call;
  const isRefreshing = collection.known.isRefreshing(id);
  const changed = [...changedInputs(settings, state, call), ...replacingMembers(description, state, call)];
  const comparison = { collection, call, changed, isRefreshing };
  return (
    replacement(comparison) ?? sameMembers(comparison) ?? unknownMembers(comparison) ?? update(comparison)
  );
}

/** The old members are deleted first: a record has no name that could differ. */
const shouldDeleteFirst = true;

/** No change. */
const unchanged = (): Difference => ({
  changes: false,
  replaces: [],
  deleteBeforeReplace: false,
  shouldDeleteFirst,
  details: [],
});

/** A change in place, of the settings, the members or both. */
function inPlace({ collection, call, changed }: Comparison): Difference {
  const { property } = collection;
  const members: Detail[] =
    call.state.outputs[property] === call.inputs[property]
      ? []
      : [{ path: property, kind: "update", replaces: false }];
  const details = [...detailsOf(changed, [], call.state.sent, call.inputs), ...members];
  return { ...unchanged(), changes: true, details };
}

/** A replacement, if an input changed that no update can change. The members of the old resource are deleted first. */
function replacement({ collection, call, changed, isRefreshing }: Comparison): Difference | undefined {
  const replaces = changed.flatMap(({ change, leaf }) => (change === "replace" ? [topLevel(leaf.path)] : []));
  if (replaces.length === 0) return undefined;
  const { ownership, replaced, description, property } = collection;
  ownership.replaces(call);
  const members = heldIn(description, call.state);
  const parent = collection.parentOf(call.state.outputs);
  for (const { id } of members) replaced.add(formatId({ parent, id }));
  if (!isRefreshing) {
    const loss = `its ${members.length} ${property} are deleted first`;
    collection.note(call, replacementOf(changed, loss) ?? "");
  }
  const details = detailsOf(changed, [], call.state.sent, call.inputs);
  return { changes: true, replaces, deleteBeforeReplace: true, shouldDeleteFirst, details };
}

/** The difference if the members are unchanged. */
function sameMembers(comparison: Comparison): Difference | undefined {
  const { collection, call, changed } = comparison;
  const { outputs, members } = call.state;
  const { property } = collection;
  if (outputs[property] !== call.inputs[property] || (members?.left.length ?? 0) > 0) return undefined;
  hold(comparison, () => members?.ids ?? []);
  return changed.length === 0 ? unchanged() : undefined;
}

/** A change that is not known yet. */
const unknownMembers = (comparison: Comparison): Difference | undefined =>
  comparison.call.inputs[comparison.collection.property] === UNKNOWN ? inPlace(comparison) : undefined;

/** Announces the changes of members. Fails if the account does not allow them. */
async function update(comparison: Comparison): Promise<Difference> {
  const { collection, call, changed, isRefreshing } = comparison;
  const { session, description, property } = collection;
  const { state, inputs } = call;
  const held = heldIn(description, state);
  const wanted = wantedIn(description, inputs[property]);
  const plan = planOf(description, held, wanted);
  const kept = [...plan.keep, ...plan.change].map((pair) => pair.held.id);
  hold(comparison, () => kept);
  if (!isEmpty(plan) && !isRefreshing)
    collection.note(
      call,
      describePlan(description, plan, {
        guarded: isGuarded(call) || isGuarded(state),
        heirOf: (member) => collection.ownership.heirOf({ ...state, inputs: state.outputs }, member),
        importing: collection.ownership.importing.of(call, plan.remove),
      }),
    );
  if (session.configuration.validate && !isRefreshing) {
    const problem = await problemInAccount(collection, { olds: state.outputs, call, held, wanted, plan });
    if (problem !== undefined) throw new ProviderError(`update ${collection.nameOf(inputs)}: ${problem}`);
  }
  const isChanged = changed.length > 0 || !isEmpty(plan);
  return isChanged ? inPlace(comparison) : unchanged();
}

/** Notes which members the resource keeps. Fails if another resource of the program adopts one of them. */
function hold({ collection, call, isRefreshing }: Comparison, ids: () => readonly string[]): void {
  if (isRefreshing) return;
  const isShared = collection.isExclusive(call.inputs) || call.importId !== undefined;
  collection.ownership.hold(call, collection.parentOf(call.inputs), ids, isShared);
}
