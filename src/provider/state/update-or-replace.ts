import { type Description } from "../describe/define-resource";
import { type Change, inputAt, isOtherSpelling, type Leaf, topLevel } from "../describe/fields";
import { type Call, isAutomatic, type Sent, type State } from "./call";
import { mayStay, namesChange, pathsIn } from "../base/property-paths";
import { onWire } from "./request-body";
import { hasUnknown, same, valueAt } from "../base/values";

/** An input that the program changed. */
export interface ChangedInput {
  readonly leaf: Leaf;
  readonly change: Exclude<Change, "none">;
  /** The value to reach: the documented default for an input that was removed. */
  readonly value: unknown;
  /** Whether the value certainly differs, though a part may not be known yet. */
  readonly isCertain: boolean;
  /** Whether `replaceOnChanges` turns it into a replacement. */
  readonly isAsked: boolean;
  /** Whether the object has the value from another input, which is another spelling of this one. */
  readonly isRespelt: boolean;
  /** Whether the object has the value already, as its outputs say. */
  readonly isThere: boolean;
}

/** Compares a program's inputs with the inputs as last sent. It ignores what the service made of them, and properties that the program does not set. */
export function changedInputs(
  leaves: readonly Leaf[],
  state: Pick<State, "sent" | "outputs" | "isAdopted" | "begun">,
  { inputs, replaceOn }: Pick<Call, "inputs" | "replaceOn">,
): ChangedInput[] {
  const { sent, outputs } = state;
  const asked = pathsIn(replaceOn);
  return leaves.flatMap((leaf): ChangedInput[] => {
    const change = typeof leaf.change === "function" ? leaf.change(inputs) : leaf.change;
    if (change === "none") return [];
    const value = inputAt(inputs, leaf);
    const live = valueAt(outputs, leaf.path);
    const managed = sent.has(leaf.path);
    const before = managed ? sent.get(leaf.path) : live;
    const isOpen = change === "update" && isBegun(leaf, state);
    const isAsked = () => namesChange(asked, leaf.path.split("."), leaf.comparison, before, value);
    const changedTo = (to: unknown): ChangedInput => {
      // The object already has the value, so nothing is sent. The state must record that the program manages it now.
      const isRespelt = !managed && wasSentAsAnother(leaf, to, leaves, sent);
      const isLike = !isOpen && (isRespelt || same(leaf.comparison, to, live));
      const asks = change === "update" && !isLike && isAsked();
      return {
        leaf,
        change: isLike ? "update" : asks ? "replace" : change,
        value: to,
        isCertain: !hasUnknown(to) || !mayStay(leaf.comparison, before, to),
        isAsked: asks,
        isRespelt,
        isThere: isLike && leaf.action !== true && leaf.notSent !== true && live !== undefined,
      };
    };

    if (value === undefined && leaf.default !== undefined) {
      return managed && !same(leaf.comparison, leaf.default, live) ? [changedTo(leaf.default)] : [];
    }
    if (value === undefined) {
      // Where a removal changes nothing, the engine sees no change either, and asks a plugin for no replacement.
      const asks = managed && leaf.removed !== "nothing" && isAsked();
      const hasValue = (sent.get(leaf.path) ?? null) !== null && (live ?? null) !== null;
      const cannotBeCleared = leaf.removed === "replace" && hasValue;
      return asks || cannotBeCleared
        ? [
            {
              leaf,
              change: "replace",
              value: null,
              isCertain: true,
              isAsked: asks,
              isRespelt: false,
              isThere: false,
            },
          ]
        : [];
    }
    if (isUnsent(leaf, state)) return [];
    // The service does not show it, and it never had another value than the default.
    const usual = leaf.default ?? leaf.omitted;
    if (!managed && live === undefined && usual != null && same(leaf.comparison, value, usual)) return [];
    if (managed && !isOpen && same(leaf.comparison, value, before)) return [];
    return [changedTo(value)];
  });
}

/** Whether an update has sent an input that the object does not have, so that it may still take effect. */
function isBegun(
  { path, comparison, notSent, rewritten }: Leaf,
  { sent, outputs, begun }: Pick<State, "sent" | "outputs" | "begun">,
): boolean {
  if (begun?.has(path) !== true || notSent === true || rewritten !== undefined) return false;
  const live = valueAt(outputs, path);
  return live !== undefined && !same(comparison, sent.get(path), live);
}

/** Whether an input that an adopted object does not show has no effect on it: only a creation takes it. */
export const isUnsent = (
  { path, action }: Leaf,
  { sent, outputs, isAdopted }: Pick<State, "sent" | "outputs" | "isAdopted">,
): boolean =>
  isAdopted === true && action !== true && !sent.has(path) && valueAt(outputs, path) === undefined;

/** Whether the value of an input was sent before as another input, in the other's spelling. */
const wasSentAsAnother = (leaf: Leaf, value: unknown, leaves: readonly Leaf[], sent: Sent): boolean =>
  leaves.some(
    (other) =>
      isOtherSpelling(leaf, other) &&
      sent.has(other.path) &&
      same("value", onWire(leaf, value), onWire(other, sent.get(other.path))),
  );

/** The inputs among the pending ones that are at a path or below it. */
export const pendingAt = (pending: readonly ChangedInput[], path: string): Leaf[] =>
  pending.flatMap(({ leaf }) => (leaf.path === path || leaf.path.startsWith(`${path}.`) ? [leaf] : []));

/** Whether a replacement must delete the old object before it can create the new one. */
export function deletesFirst(
  description: Description,
  { outputs, sent }: State,
  call: Call,
  isNameGivenBack = false,
): boolean {
  const { deleteFirst = false, unique } = description;
  if (deleteFirst || unique === undefined) return deleteFirst;
  // An automatic name is new each time, so both objects can exist at once. An earlier automatic name may now be the program's own.
  if (isAutomatic(call) && !isNameGivenBack) return false;
  // The service may have rewritten the name.
  const [old, name] = [[outputs[unique], sent.get(unique)], call.inputs[unique]];
  return hasUnknown(name) || old.some((one) => same("value", name, one));
}

/** Whether these changes replace the resource, whatever is not known yet. */
export const isReplaced = (changed: readonly ChangedInput[]): boolean =>
  changed.some(({ change, isCertain }) => change === "replace" && isCertain);

/** The properties that replace the resource. */
export const replacedBy = (changed: readonly ChangedInput[]): string[] => [
  ...new Set(changed.flatMap(({ change, leaf }) => (change === "replace" ? [topLevel(leaf.path)] : []))),
];
