import { type Description } from "../describe/define-resource";
import { inputAt, type Leaf } from "../describe/fields";
import { type Detail } from "../engine/provider-interface";
import { type Sent } from "./call";
import { partChanges, pathText } from "./property-paths";
import { type ChangedInput } from "./update-or-replace";
import { hasUnknown, type Properties } from "./values";

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

/** Each change and each removed input, as the engine shows them. */
export function detailsOf(
  changed: readonly ChangedInput[],
  released: readonly Leaf[],
  sent: Sent,
  news: Properties,
): Detail[] {
  const details = (leaf: Leaf, replaces: boolean): Detail[] =>
    partChanges(leaf.path.split("."), leaf.comparison, sent.get(leaf.path), inputAt(news, leaf)).map(
      ({ path, kind }) => ({ path: pathText(path), kind, replaces }),
    );
  return [
    ...changed.flatMap(({ leaf, change }) => details(leaf, change === "replace")),
    ...released.flatMap((leaf) => details(leaf, false)),
  ];
}
