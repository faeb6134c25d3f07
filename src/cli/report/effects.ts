import { type AnyDescription, isCollection } from "../../provider/describe/define-collection";
import {
  DELETES,
  INTERRUPTS,
  LOSES,
  MADE_AGAIN,
  MAY_DELETE,
  MAY_REPLACE,
} from "../../provider/describe/effects";
import { leavesOf } from "../../provider/describe/fields";
import {
  detailsOf,
  effectsOf,
  lossOfReplacement,
  notKnown,
  replacementOf,
} from "../../provider/state/describe-changes";
import { type Detail } from "../../provider/state/provider-interface";
import { stateIn } from "../../provider/state/codec";
import { mayStay } from "../../provider/base/property-paths";
import { type Properties, valueAt } from "../../provider/base/values";
import { callIn } from "../../provider/state/handed";
import { isAutomatic } from "../../provider/state/call";
import { type ChangedInput, changedInputs, deletesFirst } from "../../provider/state/update-or-replace";
import { type ReportedChange } from "./changes";
import { SECRET, withoutSecrets } from "./mask";
import { type GivenMembers, planIn } from "./members";
import { isUnknown, without } from "./properties";
import { type ShownState } from "./read-preview";

/** The effects of a change, from a description. */
type Effects = Pick<ReportedChange, "losses" | "interruptions" | "may" | "reason">;

/** The details of an update, as the engine shows them for a provider that tells. */
export const detailsBetween = (description: AnyDescription, old: ShownState, now: ShownState): Detail[] =>
  detailsOf(changedBetween(description, old, now), [], {
    sent: stateIn(withoutSecrets(old, old.outputs)).sent,
    news: withoutSecrets(now, now.inputs),
    of: isCollection(description) ? {} : description,
  });

function changedBetween(description: AnyDescription, old: ShownState, now: ShownState): ChangedInput[] {
  const state = stateIn(withoutSecrets(old, old.outputs));
  const call = callIn(withoutSecrets(now, now.inputs));
  const named = isCollection(description) || !isAutomatic(call) ? undefined : description.autoname?.path;
  const wasAutomatic = isAutomatic(callIn(old.inputs));
  // The new object of a replacement gets another automatic name, and a name that was removed stays rather than to replace an object. Neither is a reason.
  const leaves = leavesOf(description.fields).filter(
    ({ path, change }) => path !== named || !(wasAutomatic || change === "replace"),
  );
  return changedInputs(leaves, state, call);
}

/** The effects of a change in place. */
export function effectsOfUpdate(
  description: AnyDescription,
  old: ShownState,
  now: ShownState,
  given?: GivenMembers,
): Effects {
  // Whether a value that became or was a secret is another one, only the provider can tell, and it says what that does.
  const [before, after] = [withoutSecrets(old, old.inputs), withoutSecrets(now, now.inputs)];
  const changed = changedBetween(description, old, now).filter(
    ({ leaf: { path } }) => isSecretAt(before, path) === isSecretAt(after, path),
  );
  const one = isCollection(description) ? {} : description;
  const { losses, interruptions } = effectsOf(one, changed, after);
  const may =
    changed.length > 0 && changed.every((input) => !input.isCertain || mayKeep(description, old, input));
  const paths = changed.map(({ leaf: { path, called = path } }) =>
    path === given?.property ? given.form : called,
  );
  return { losses, interruptions, may, reason: may ? notKnown(paths) : undefined };
}

const isSecretAt = (inputs: Properties, path: string): boolean =>
  JSON.stringify(valueAt(inputs, path))?.includes(SECRET) === true;

/** Whether the members in a text may be those of the state, because the lines that differ have values that are not known yet. */
function mayKeep(
  description: AnyDescription,
  { inputs }: ShownState,
  { leaf, value }: ChangedInput,
): boolean {
  const before = inputs[leaf.path];
  if (!isCollection(description) || typeof before !== "string" || typeof value !== "string") return false;
  const [lines, newLines] = [before.split("\n"), value.split("\n")];
  const membersOf = (some: readonly string[]) => some.map((line) => description.parse(line).inputs);
  const gone = membersOf(without(lines, newLines));
  const come = membersOf(without(newLines, lines));
  const isThere = (inputs: Properties) => {
    const at = gone.findIndex((other) => mayStay("value", other, inputs));
    return at >= 0 && gone.splice(at, 1).length === 1;
  };
  return gone.length === come.length && come.every(isThere);
}

/** The effects in a preview's messages: of a change that only the account shows, or of a value that is secret here. */
export function effectsIn(
  messages: readonly string[],
  subject: string,
): Pick<ReportedChange, "losses" | "interruptions" | "deletions"> & {
  readonly mayReplace: string | undefined;
  readonly madeAgain: string | undefined;
} {
  const lines = messages.flatMap((message) => {
    const [first = ""] = message.split("\n");
    return first.startsWith(`${subject}: `) ? [first.slice(subject.length + 2)] : [];
  });
  const after = (start: string) =>
    lines.flatMap((line) => (line.startsWith(start) ? [line.slice(start.length)] : []));
  return {
    losses: after(LOSES),
    interruptions: after(INTERRUPTS),
    mayReplace: after(MAY_REPLACE)[0]?.split(". ", 1)[0],
    madeAgain: lines.find((line) => line.startsWith(MADE_AGAIN))?.replace(/^[^:]*: /, ""),
    deletions: lines.flatMap((line) => {
      if (line.startsWith(`${DELETES} `) || line.startsWith(`${MAY_DELETE} `)) return [line];
      const { property, numbers } = planIn(line) ?? {};
      return numbers === undefined || numbers.remove === 0
        ? []
        : [`${DELETES} ${numbers.remove} of its ${property}`];
    }),
  };
}

/** The line about a set's own members that it deletes, not about those that an exclusive set finds. */
export const OWN_MEMBERS = new RegExp(`^${DELETES} \\d+ of its `);

/** Says what fails because the old object of a replacement is kept, and with it the unique name of the new one. Undefined if another name is certain, or automatic. */
export function failureByKeptName(
  description: AnyDescription,
  old: ShownState,
  now: ShownState,
): string | undefined {
  if (isCollection(description) || description.unique === undefined) return undefined;
  const [state, call] = [stateIn(withoutSecrets(old, old.outputs)), callIn(withoutSecrets(now, now.inputs))];
  if (isAutomatic(call) || call.inputs[description.unique] === undefined) return undefined;
  if (isUnknown(call.inputs[description.unique]) || !deletesFirst(description, state, call)) return undefined;
  return `the creation fails, because the old object keeps its ${description.unique}`;
}

/** The effects of a replacement, and its reason. */
export function effectsOfReplacement(
  description: AnyDescription,
  old: ShownState,
  now: ShownState,
): Effects & { readonly replacement: string | undefined } {
  const changed = changedBetween(description, old, now);
  const replacing = changed.filter(({ change }) => change === "replace");
  const loss = isCollection(description) ? undefined : lossOfReplacement(description, changed);
  return {
    losses: loss === undefined ? [] : [loss],
    interruptions: [],
    may: replacing.length > 0 && replacing.every(({ isCertain }) => !isCertain),
    replacement: replacementOf(changed, undefined),
  };
}
