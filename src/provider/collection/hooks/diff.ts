import { formatId } from "../../describe/define-resource";
import { topLevel } from "../../describe/fields";
import { attempting, ProviderError } from "../../engine/errors";
import { type Detail, type Difference } from "../../engine/provider-interface";
import { detailsOf, replacementOf } from "../../state/describe-changes";
import { type ChangedInput, changedInputs } from "../../state/update-or-replace";
import { idsIn, IMPORT_ID, LEFT } from "../../state/hidden-properties";
import { type Properties, UNKNOWN } from "../../state/values";
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
  readonly olds: Properties;
  readonly news: Properties;
  readonly changed: readonly ChangedInput[];
  /** Whether the engine compares what a refresh has read. Such a comparison makes no plan, so nothing is announced. */
  readonly isRefreshing: boolean;
}

/** Compares a resource with the program, and announces in the preview what an update does. */
export function diff(
  collection: Collection,
  id: string,
  olds: Properties,
  news: Properties,
): Promise<Difference> {
  return attempting(`diff ${collection.nameOf(news, collection.parseId(id))}`, async () => {
    const { description, settings } = collection;
    const isRefreshing = collection.known.isRefreshing(id);
    const changed = [...changedInputs(settings, olds, news), ...replacingMembers(description, olds, news)];
    const comparison = { collection, olds, news, changed, isRefreshing };
    return (
      replacement(comparison) ?? sameMembers(comparison) ?? unknownMembers(comparison) ?? update(comparison)
    );
  });
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
function inPlace({ collection, olds, news, changed }: Comparison): Difference {
  const { property } = collection;
  const members: Detail[] =
    olds[property] === news[property] ? [] : [{ path: property, kind: "update", replaces: false }];
  const details = [...detailsOf(changed, [], olds, news), ...members];
  return { ...unchanged(), changes: true, details };
}

/** A replacement, if an input changed that no update can change. The members of the old resource are deleted first. */
function replacement({ collection, olds, news, changed, isRefreshing }: Comparison): Difference | undefined {
  const replaces = changed.flatMap(({ change, leaf }) => (change === "replace" ? [topLevel(leaf.path)] : []));
  if (replaces.length === 0) return undefined;
  const { ownership, replaced, description, property } = collection;
  ownership.replaces(news);
  const members = heldIn(description, olds);
  const parent = collection.parentOf(olds);
  for (const { id } of members) replaced.add(formatId({ parent, id }));
  if (!isRefreshing) {
    const loss = `its ${members.length} ${property} are deleted first`;
    collection.note(news, replacementOf(changed, loss) ?? "");
  }
  const details = detailsOf(changed, [], olds, news);
  return { changes: true, replaces, deleteBeforeReplace: true, shouldDeleteFirst, details };
}

/** The difference if the members are unchanged. */
function sameMembers(comparison: Comparison): Difference | undefined {
  const { collection, olds, news, changed } = comparison;
  if (olds[collection.property] !== news[collection.property] || LEFT in olds) return undefined;
  hold(comparison, () => idsIn(olds));
  return changed.length === 0 ? unchanged() : undefined;
}

/** A change that is not known yet. */
const unknownMembers = (comparison: Comparison): Difference | undefined =>
  comparison.news[comparison.collection.property] === UNKNOWN ? inPlace(comparison) : undefined;

/** Announces the changes of members. Fails if the account does not allow them. */
async function update(comparison: Comparison): Promise<Difference> {
  const { collection, olds, news, changed, isRefreshing } = comparison;
  const { session, description, property } = collection;
  const held = heldIn(description, olds);
  const plan = planOf(description, held, wantedIn(description, news[property]));
  const kept = [...plan.keep, ...plan.change].map((pair) => pair.held.id);
  hold(comparison, () => kept);
  if (!isEmpty(plan) && !isRefreshing)
    collection.note(
      news,
      describePlan(description, plan, {
        guarded: isGuarded(news) || isGuarded(olds),
        heirOf: (member) => collection.ownership.heirOf(olds, member),
        importing: collection.ownership.importing.of(news, plan.remove),
      }),
    );
  if (session.configuration.validate && !isRefreshing) {
    const problem = await problemInAccount(collection, { olds, inputs: news, held, added: plan.add });
    if (problem !== undefined) throw new ProviderError(`update ${collection.nameOf(news)}: ${problem}`);
  }
  const isChanged = changed.length > 0 || !isEmpty(plan);
  return isChanged ? inPlace(comparison) : unchanged();
}

/** Notes which members the resource keeps. Fails if another resource of the program adopts one of them. */
function hold({ collection, news, isRefreshing }: Comparison, ids: () => readonly string[]): void {
  if (isRefreshing) return;
  const isShared = collection.isExclusive(news) || IMPORT_ID in news;
  collection.ownership.hold(news, collection.parentOf(news), ids, isShared);
}
