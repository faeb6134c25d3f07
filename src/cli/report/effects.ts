import { type AnyDescription, isCollection } from "../../provider/describe/define-collection";
import { type Description } from "../../provider/describe/define-resource";
import { type Effect } from "../../provider/describe/effects";
import { leavesOf } from "../../provider/describe/fields";
import { replacementOf, warningsOf } from "../../provider/state/describe-changes";
import { stateIn } from "../../provider/state/codec";
import { callIn } from "../../provider/state/handed";
import { type ChangedInput, changedInputs } from "../../provider/state/update-or-replace";
import { hasUnknown, type Properties, same } from "../../provider/state/values";

/** What the description of a resource says about its changes. */
export interface Effects {
  readonly losses: readonly string[];
  readonly interruptions: readonly string[];
  /** Why it is replaced, with what is lost. */
  readonly replacement?: string;
  /** Whether a value that is not known yet decides. */
  readonly may: boolean;
}

/** What a deletion loses. */
export function lossOfDeletion(description: AnyDescription): readonly string[] {
  if (isCollection(description)) return [];
  const loss = description.lostByDeletion ?? description.lossOfData;
  return loss === undefined ? [] : [loss];
}

/** Why a deletion leaves the object in the service. */
export const keptBecause = (description: AnyDescription): string | undefined =>
  isCollection(description) ? undefined : description.undeletable;

const changedBetween = (description: AnyDescription, stored: Properties, inputs: Properties) =>
  changedInputs(leavesOf(description.fields), stateIn(stored), callIn(inputs));

/** What a change in place does. */
export function effectsOfUpdate(
  description: AnyDescription,
  stored: Properties,
  inputs: Properties,
): Effects {
  const changed = changedBetween(description, stored, inputs);
  const warnings = isCollection(description) ? [] : warningsOf(description, changed, inputs);
  const losses = warnings.flatMap(({ line, loses }) => (loses === true ? [line] : []));
  return {
    losses: [...losses, ...linesOf(changed, ({ leaf }) => leaf.loses)],
    interruptions: linesOf(changed, ({ leaf }) => leaf.interrupts),
    may: false,
  };
}

function linesOf(
  changed: readonly ChangedInput[],
  effectOf: (input: ChangedInput) => Effect | undefined,
): string[] {
  return changed.flatMap((input) => {
    const effect = effectOf(input);
    if (effect === undefined || input.value === undefined) return [];
    const { leaf, value } = input;
    if (effect.to === undefined) return [effect.line];
    if (hasUnknown(value)) return [`${leaf.path} is not known yet, so this may happen: ${effect.line}`];
    return same(leaf.comparison, value, effect.to) ? [effect.line] : [];
  });
}

/** What a replacement does. */
export function effectsOfReplacement(
  description: AnyDescription,
  stored: Properties,
  inputs: Properties,
): Effects {
  const changed = changedBetween(description, stored, inputs);
  const replacing = changed.filter(({ change }) => change === "replace");
  const loss = isCollection(description) ? undefined : lossOfReplacement(description, replacing);
  const replacement = replacementOf(changed, undefined);
  return {
    losses: loss === undefined ? [] : [loss],
    interruptions: [],
    ...(replacement === undefined ? {} : { replacement }),
    may: replacing.length > 0 && replacing.every(({ isCertain }) => !isCertain),
  };
}

/** What a replacement loses. An input with a reason of its own, such as a trigger, asks for a new object in place of the old one. */
function lossOfReplacement(
  { lossOfData, lostByDeletion }: Description,
  replacing: readonly ChangedInput[],
): string | undefined {
  const isAskedFor = replacing.length > 0 && replacing.every(({ leaf }) => leaf.replaceReason !== undefined);
  return lossOfData ?? (isAskedFor ? undefined : lostByDeletion);
}
