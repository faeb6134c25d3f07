import { type AnyDescription, isCollection } from "../../provider/describe/define-collection";
import { type Effect } from "../../provider/describe/effects";
import { leavesOf } from "../../provider/describe/fields";
import { replacementOf, warningsOf } from "../../provider/state/describe-changes";
import { stateIn } from "../../provider/state/codec";
import { callIn } from "../../provider/state/handed";
import { type ChangedInput, changedInputs } from "../../provider/state/update-or-replace";
import { hasUnknown, same } from "../../provider/state/values";
import { type Change } from "./changes";
import { withoutSecrets } from "./mask";
import { type ShownState } from "./read-preview";

/** What a description says about a change. */
type Effects = Pick<Change, "losses" | "interruptions" | "may">;

const changedBetween = (description: AnyDescription, old: ShownState, now: ShownState) =>
  changedInputs(
    leavesOf(description.fields),
    stateIn(withoutSecrets(old, old.outputs)),
    callIn(withoutSecrets(now, now.inputs)),
  );

/** What a change in place does. */
export function effectsOfUpdate(description: AnyDescription, old: ShownState, now: ShownState): Effects {
  const changed = changedBetween(description, old, now);
  const inputs = withoutSecrets(now, now.inputs);
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

/** What a replacement does, and why it happens. */
export function effectsOfReplacement(
  description: AnyDescription,
  old: ShownState,
  now: ShownState,
): Effects & { readonly replacement: string | undefined } {
  const changed = changedBetween(description, old, now);
  const replacing = changed.filter(({ change }) => change === "replace");
  const one = isCollection(description) ? undefined : description;
  // An input with a reason of its own, such as a trigger, asks for a new object in place of the old one.
  const isAskedFor = replacing.length > 0 && replacing.every(({ leaf }) => leaf.replaceReason !== undefined);
  const loss = one?.lossOfData ?? (isAskedFor ? undefined : one?.lostByDeletion);
  return {
    losses: loss === undefined ? [] : [loss],
    interruptions: [],
    may: replacing.length > 0 && replacing.every(({ isCertain }) => !isCertain),
    replacement: replacementOf(changed, undefined),
  };
}
