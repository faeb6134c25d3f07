import { type Description } from "../describe/define-resource";
import { MAY_REPLACE } from "../describe/effects";
import { inputAt, type Leaf } from "../describe/fields";
import { type Detail } from "./provider-interface";
import { type Sent } from "./call";
import { partChanges, pathText } from "../base/property-paths";
import { type ChangedInput } from "./update-or-replace";
import { hasUnknown, type Properties, same } from "../base/values";
import { listed } from "../../api/text";

/** Describes a replacement and its losses for a preview, in one line. Undefined if these changes replace nothing. */
export function replacementOf(
  changed: readonly ChangedInput[],
  loss: string | undefined,
): string | undefined {
  const forced = changed.filter(({ change }) => change === "replace");
  if (forced.length === 0) return undefined;
  const certain = forced.filter(({ isCertain }) => isCertain);
  if (certain.length > 0) {
    return replacing(reasonsOf(certain), loss);
  }
  const mayBe = `${MAY_REPLACE}${notKnown(forced.map(({ leaf: { path, called = path } }) => called))}`;
  return loss === undefined ? mayBe : `${mayBe}. If it is replaced, ${loss}`;
}

/** Whether the changes ask for a new object in place of the old one: each replacing input has its own reason, such as a trigger. */
export function isAskedFor(changed: readonly ChangedInput[]): boolean {
  const forced = changed.filter(({ change }) => change === "replace");
  return forced.length > 0 && forced.every(({ leaf }) => leaf.replaceReason !== undefined);
}

/** The losses of replacing the object for these changes, for previews and reports. Losses of its deletion alone do not count if a new one is asked for. */
export const lossOfReplacement = (
  { lossOfData, lostByDeletion }: Pick<Description, "lossOfData" | "lostByDeletion">,
  changed: readonly ChangedInput[],
): string | undefined => lossOfData ?? (isAskedFor(changed) ? undefined : lostByDeletion);

/** The text in a preview about a certain replacement. */
export const replacing = (reason: string, loss: string | undefined): string =>
  `replacing it, because ${reason}${loss === undefined ? "" : `: ${loss}`}`;

function reasonsOf(replacing: readonly ChangedInput[]): string {
  const asked = replacing.filter(({ isAsked }) => isAsked);
  const own = replacing.filter(({ isAsked }) => !isAsked);
  const isRemoved = ({ leaf, value }: ChangedInput) => value === null && leaf.removed === "replace";
  const removed = own.filter(isRemoved);
  const unchangeable = own.filter((input) => input.leaf.replaceReason === undefined && !isRemoved(input));
  const about = (inputs: readonly ChangedInput[], said: (names: string, them: string) => string) => {
    const paths = inputs.map(({ leaf: { path, called = path } }) => called);
    return paths.length === 0 ? [] : [said(listed(paths, "and"), paths.length === 1 ? "it" : "them")];
  };
  const was = removed.length === 1 ? "was" : "were";
  return [
    ...about(
      unchangeable,
      (names, them) => `${names} changed, and the API has no operation to change ${them}`,
    ),
    ...about(
      removed,
      (names, them) => `${names} ${was} removed, and the API has no operation to clear ${them}`,
    ),
    ...own.flatMap(({ leaf: { path, replaceReason: why } }) =>
      why === undefined ? [] : [`${path} changed, ${why}`],
    ),
    ...about(asked, (names) => `${names} changed, and replaceOnChanges asks for a new one`),
  ].join("; ");
}

export const notKnown = (paths: readonly string[]): string =>
  `${listed(paths, "and")} ${paths.length === 1 ? "is" : "are"} not known yet`;

/** Further effects of changes in place: the data that they lose, and the services that they interrupt. */
export interface EffectsInPlace {
  readonly losses: readonly string[];
  readonly interruptions: readonly string[];
  /** Other effects that users should know. */
  readonly others: readonly string[];
}

/** The effects of changes in place, for previews and reports. What is there already has none. */
export function effectsOf(
  description: Pick<Description, "warnings">,
  all: readonly ChangedInput[],
  inputs: Properties,
): EffectsInPlace {
  const changed = all.filter(({ isThere }) => !isThere);
  const warnings = warningsOf(description, changed, inputs);
  const lines = (wanted: boolean) =>
    warnings.flatMap(({ line, loses = false }) => (loses === wanted ? [line] : []));
  return {
    losses: lines(true),
    interruptions: interruptionsBy(changed),
    others: lines(false),
  };
}

function interruptionsBy(changed: readonly ChangedInput[]): string[] {
  return changed.flatMap(({ leaf, value }) => {
    const { interrupts: effect } = leaf;
    if (effect === undefined || value === undefined) return [];
    if (effect.to === undefined) return [effect.line];
    if (!mayBe(leaf, value, effect.to)) return [];
    return [
      hasUnknown(value) ? `${leaf.path} is not known yet, so this may happen: ${effect.line}` : effect.line,
    ];
  });
}

/** Whether a value that may not be known yet can turn out to be another one. */
function mayBe(leaf: Leaf, value: unknown, other: unknown): boolean {
  if (!hasUnknown(value)) return same(leaf.comparison, value, other);
  return !Array.isArray(value) || !Array.isArray(other) || value.length === other.length;
}

/** The warnings in a preview of changes in place. */
function warningsOf(
  description: Pick<Description, "warnings">,
  changed: readonly ChangedInput[],
  inputs: Properties,
): { readonly line: string; readonly loses?: true }[] {
  const isChanged = (path: string) => changed.some(({ leaf }) => leaf.path === path);
  const warnings = description.warnings?.(isChanged, inputs) ?? [];
  return warnings.map(({ about, line, ...rest }) => {
    const unknown = about.filter((path) => hasUnknown(inputAt(inputs, { path })));
    return {
      ...rest,
      line: unknown.length === 0 ? line : `${notKnown(unknown)}, so this may happen: ${line}`,
    };
  });
}

/** The input of the program from which `check` derives another one. All others are the program's own. */
export const writtenAs = ({ derived = {} }: Pick<Description, "derived">, path: string): string =>
  derived[path]?.from ?? path;

/** Each change and each removed input, as the engine shows them. */
export function detailsOf(
  changed: readonly ChangedInput[],
  released: readonly Leaf[],
  { sent, news, of = {} }: { sent: Sent; news: Properties; of?: Pick<Description, "derived"> },
): Detail[] {
  const details = (leaf: Leaf, replaces: boolean): Detail[] => {
    const property = writtenAs(of, leaf.path).split(".");
    return partChanges(property, leaf.comparison, sent.get(leaf.path), inputAt(news, leaf)).map(
      ({ path, kind }) => ({ path: pathText(path), kind, replaces }),
    );
  };
  return [
    ...changed.flatMap(({ leaf, change }) => details(leaf, change === "replace")),
    ...released.flatMap((leaf) => details(leaf, false)),
  ];
}
