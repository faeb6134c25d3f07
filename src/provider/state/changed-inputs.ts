import { type Description } from "../describe/define-resource";
import { type Change, inputAt, isOtherSpelling, type Leaf } from "../describe/fields";
import { ADOPTED, isAutomatic, REPLACE_ON } from "./hidden-properties";
import { mayStay, namesChange, pathsIn } from "./property-paths";
import { onWire } from "./request-body";
import { lastSent, type Sent } from "./sent";
import { hasUnknown, type Properties, same, valueAt } from "./values";

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
}

/**
 * Compares a program's inputs with the inputs as last sent. It ignores what the service made of them, and properties that the program does not set.
 */
export function changedInputs(
  leaves: readonly Leaf[],
  stored: Properties,
  inputs: Properties,
): ChangedInput[] {
  const sent = lastSent(stored);
  const asked = pathsIn(inputs[REPLACE_ON]);
  return leaves.flatMap((leaf): ChangedInput[] => {
    const change = typeof leaf.change === "function" ? leaf.change(inputs) : leaf.change;
    if (change === "none") return [];
    const value = inputAt(inputs, leaf);
    const live = valueAt(stored, leaf.path);
    const managed = sent.has(leaf.path);
    const before = managed ? sent.get(leaf.path) : live;
    const isAsked = () => namesChange(asked, leaf.path.split("."), leaf.comparison, before, value);
    const changedTo = (to: unknown): ChangedInput => {
      // The object already has the value, so nothing is sent. The state must record that the program manages it now.
      const isRespelt = !managed && wasSentAsAnother(leaf, to, leaves, sent);
      const isThere = isRespelt || same(leaf.comparison, to, live);
      const asks = change === "update" && !isThere && isAsked();
      return {
        leaf,
        change: isThere ? "update" : asks ? "replace" : change,
        value: to,
        isCertain: !hasUnknown(to) || !mayStay(leaf.comparison, before, to),
        isAsked: asks,
        isRespelt,
      };
    };

    if (value === undefined && leaf.default !== undefined) {
      return managed && !same(leaf.comparison, leaf.default, live) ? [changedTo(leaf.default)] : [];
    }
    if (value === undefined) {
      const asks = managed && isAsked();
      const hasValue = (sent.get(leaf.path) ?? null) !== null && (live ?? null) !== null;
      const cannotBeCleared = leaf.removed === "replace" && hasValue;
      return asks || cannotBeCleared
        ? [{ leaf, change: "replace", value: null, isCertain: true, isAsked: asks, isRespelt: false }]
        : [];
    }
    if (!managed && live === undefined && stored[ADOPTED] === true && leaf.action !== true) return [];
    // The service does not show it, and it never had another value than the default.
    if (!managed && live === undefined && leaf.default != null && same(leaf.comparison, value, leaf.default))
      return [];
    if (managed && same(leaf.comparison, value, before)) return [];
    return [changedTo(value)];
  });
}

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
  stored: Properties,
  inputs: Properties,
  isNameGivenBack = false,
): boolean {
  const { deleteFirst = false, unique } = description;
  if (deleteFirst || unique === undefined) return deleteFirst;
  // An automatic name is new each time, so both objects can exist at once. An earlier automatic name may now be the program's own.
  if (isAutomatic(inputs) && !isNameGivenBack) return false;
  // The service may have rewritten the name.
  const old = [stored[unique], lastSent(stored).get(unique)];
  return hasUnknown(inputs[unique]) || old.some((name) => same("value", inputs[unique], name));
}

/** Whether these changes replace the resource, whatever is not known yet. */
export const isReplaced = (changed: readonly ChangedInput[]): boolean =>
  changed.some(({ change, isCertain }) => change === "replace" && isCertain);

/** What a preview says about a replacement and what it loses, in one line. Undefined if these changes make none. */
export function replacementOf(
  changed: readonly ChangedInput[],
  loss: string | undefined,
): string | undefined {
  const replacing = changed.filter(({ change }) => change === "replace");
  if (replacing.length === 0) return undefined;
  const certain = replacing.filter(({ isCertain }) => isCertain);
  if (certain.length > 0) {
    return `replacing it, because ${reasonsOf(certain)}${loss === undefined ? "" : `: ${loss}`}`;
  }
  const mayBe = `may be replaced: ${notKnown(replacing.map(({ leaf }) => leaf.path))}`;
  return loss === undefined ? mayBe : `${mayBe}. If it is replaced, ${loss}`;
}

function reasonsOf(replacing: readonly ChangedInput[]): string {
  const isRemoved = ({ leaf, value }: ChangedInput) => value === null && leaf.removed === "replace";
  const removed = replacing.filter((input) => !input.isAsked && isRemoved(input));
  const unchangeable = replacing.filter(
    (input) => !input.isAsked && input.leaf.replaceReason === undefined && !isRemoved(input),
  );
  const asked = replacing.filter(({ isAsked }) => isAsked);
  const paths = (inputs: readonly ChangedInput[]) => inputs.map(({ leaf }) => leaf.path);
  return [
    ...(unchangeable.length === 0
      ? []
      : [
          `${listed(paths(unchangeable))} changed, and the API has no operation to change ${those(unchangeable)}`,
        ]),
    ...(removed.length === 0
      ? []
      : [
          `${listed(paths(removed))} ${removed.length === 1 ? "was" : "were"} removed, and the API has no operation to clear ${those(removed)}`,
        ]),
    ...replacing.flatMap(({ leaf: { path, replaceReason: why }, isAsked }) =>
      isAsked || why === undefined ? [] : [`${path} changed, ${why}`],
    ),
    ...(asked.length === 0
      ? []
      : [`${listed(paths(asked))} changed, and replaceOnChanges asks for a new one`]),
  ].join("; ");
}

const notKnown = (paths: readonly string[]): string =>
  `${listed(paths)} ${paths.length === 1 ? "is" : "are"} not known yet`;

const listed = (words: readonly string[]): string =>
  words.length === 1 ? String(words[0]) : `${words.slice(0, -1).join(", ")} and ${String(words.at(-1))}`;

const those = (words: readonly unknown[]): string => (words.length === 1 ? "it" : "them");

/** What a preview of changes in place should warn of. */
export function warningsOf(
  description: Description,
  changed: readonly ChangedInput[],
  inputs: Properties,
): string[] {
  const isChanged = (path: string) => changed.some(({ leaf }) => leaf.path === path);
  const warnings = description.warnings?.(isChanged, inputs) ?? [];
  return warnings.map(({ about, line }) => {
    const unknown = about.filter((path) => hasUnknown(inputAt(inputs, { path })));
    return unknown.length === 0 ? line : `${notKnown(unknown)}, so this may happen: ${line}`;
  });
}
