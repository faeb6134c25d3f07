import { topLevel } from "../describe/fields";
import { attempting } from "../engine/errors";
import { type Lifecycle } from "../engine/provider-interface";
import { note, warn } from "../engine/warnings";
import { type Kind } from "../process/kind";
import { detailsOf, replacementOf, warningsOf } from "../state/describe-changes";
import { type ChangedInput, changedInputs, deletesFirst, isReplaced } from "../state/update-or-replace";
import { IMPORT_ID, MEMORY, urnOf } from "../state/hidden-properties";
import { releasedInputs, releaseLines } from "../state/removed-inputs";
import { type Properties } from "../state/values";
import { refuseAfterCutOff } from "../object/act-once";
import { type AdoptionClaims, refuseSecondObject } from "../adoption/adoption-claims";
import { keptLabel, nameIn } from "../inputs/automatic-name";
import { refuseTakenName } from "../inputs/unique-names";

/** Compares a program's inputs with what was last sent, and says in a preview what the difference does. */
export const diffHook =
  (kind: Kind, adoption: AdoptionClaims): Lifecycle["diff"] =>
  (id, olds, news) =>
    attempting(`diff ${kind.nameOf(news, kind.parseId(id))}`, async () => {
      const { session, description, known } = kind;
      const isRefreshing = known.isRefreshing(id);
      known.manages(id);
      if (!isRefreshing) adoption.hold(id, olds, news);
      session.names.compares(urnOf(news), nameIn(description, olds));
      refuseOtherImport(kind, id, olds, news);
      const changed = changedInputs(kind.leaves, olds, news);
      const replaces = replacedBy(changed);
      if (replaces.length > 0) adoption.replaces(news);
      else if (session.configuration.validate) await refuseInAccount(kind, id, news, changed, isRefreshing);
      const released = replaces.length > 0 ? [] : releasedFrom(kind, olds, news);
      if (!isRefreshing) {
        announce(kind, id, news, changed);
        for (const line of releaseLines(released)) warn({ kind, inputs: news, id }, line);
      }
      const shouldDeleteFirst = deletesFirst(description, olds, news, session.names.isGivenBack(urnOf(news)));
      return {
        // A refresh removes the failure mark of an unfinished creation, which still has steps to do.
        changes: changed.length > 0 || released.length > 0 || MEMORY in olds,
        replaces,
        deleteBeforeReplace: replaces.length > 0 && shouldDeleteFirst,
        shouldDeleteFirst,
        details: detailsOf(changed, released, olds, news),
      };
    });

/** The properties that replace the resource. */
const replacedBy = (changed: readonly ChangedInput[]): string[] => [
  ...new Set(changed.flatMap(({ change, leaf }) => (change === "replace" ? [topLevel(leaf.path)] : []))),
];

/** The inputs that were removed from the program and whose values stay. */
function releasedFrom(kind: Kind, olds: Properties, news: Properties) {
  const label = keptLabel(kind.description, olds, news);
  return [...(label === undefined ? [] : [label]), ...releasedInputs(kind.leaves, olds, news)];
}

/** Refuses the option `import` of a resource that manages another object. */
function refuseOtherImport(kind: Kind, id: string, olds: Properties, news: Properties): void {
  const importId = news[IMPORT_ID];
  if (typeof importId === "string" && importId !== olds[IMPORT_ID])
    refuseSecondObject(kind.type, id, importId);
}

/** Refuses updates that the account does not allow. */
async function refuseInAccount(
  kind: Kind,
  id: string,
  news: Properties,
  changed: readonly ChangedInput[],
  isRefreshing: boolean,
): Promise<void> {
  await refuseTakenName(kind, id, changed);
  const ref = isRefreshing ? undefined : kind.parseId(id);
  if (ref !== undefined) await refuseAfterCutOff(kind, ref, news, changed);
}

/** Says in the preview why the resource is replaced, and what is lost. */
function announce(kind: Kind, id: string, inputs: Properties, changed: readonly ChangedInput[]): void {
  const about = { kind, inputs, id };
  const { description } = kind;
  const { lossOfData } = description;
  const replacement = replacementOf(changed, lossOfData);
  if (replacement !== undefined) (lossOfData === undefined ? note : warn)(about, replacement);
  // If the replacement is not certain, the changes may happen in place.
  if (replacement !== undefined && isReplaced(changed)) return;
  for (const { line } of warningsOf(description, changed, inputs)) warn(about, line);
}
