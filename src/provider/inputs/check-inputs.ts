import { schemaFailures } from "./check-schema";
import { textsAt, unmeantText } from "./unmeant-text";
import {
  type CommonDescription,
  type Failure,
  type Finding,
  isNew,
  refused,
} from "../describe/define-resource";
import { type Call } from "../state/call";
import { isSecretAt, secretPathsOf, withoutQuotes } from "../state/secret-inputs";
import { inputAt, type Leaf, leavesOf } from "../describe/fields";
import { type Properties, same, stableJson, UNKNOWN } from "../base/values";

export interface InputsChecked {
  readonly failures: readonly Failure[];
  readonly warnings: readonly Failure[];
}

interface CheckOptions {
  readonly isAdopted: boolean;
  /** Whether messages must not show the value of a property. By default as the call says. */
  readonly isSecret?: ((property: string) => boolean) | undefined;
}

/**
 * Checks inputs without the account. Schemas and `rules` apply to every input. All other rules apply only to new and changed inputs, so that a
 * rule of a later version does not block updates or imports of objects that the service has accepted.
 */
export function checkInputs(
  description: CommonDescription,
  olds: Properties,
  call: Call,
  { isAdopted, isSecret = secretIn(description, call) }: CheckOptions,
): InputsChecked {
  const { inputs } = call;
  const isMade = isNew(olds) && !isAdopted;
  const problems = isAdopted
    ? []
    : leavesOf(description.fields).flatMap((leaf) => {
        const unmeant = unmeantAt(leaf, olds, inputs, leaf.path === description.identity[0]);
        return unmeant.length > 0 ? unmeant : problemsAt(leaf, olds, inputs, isMade);
      });
  const named = new Set(problems.map(({ property }) => property));
  const failures = schemaFailures(description, call, isSecret).filter(({ property }) => !named.has(property));
  const findings: Finding[] = [...failures, ...problems];
  // Rules between inputs rely on inputs that are right alone.
  if (findings.every(isWarning)) {
    findings.push(
      ...(description.rules?.(inputs, olds, isAdopted) ?? []),
      ...(isAdopted ? [] : heldRules(description, olds, inputs)).flatMap(({ check }) => check(inputs, olds)),
    );
  }
  const plain = ({ property, reason }: Finding): Failure => ({
    property,
    reason: isSecret(property) ? withoutQuotes(reason) : reason,
  });
  return {
    failures: findings.filter((finding) => !isWarning(finding)).map(plain),
    warnings: findings.filter(isWarning).map(plain),
  };
}

function secretIn(description: CommonDescription, call: Call): (property: string) => boolean {
  const paths = secretPathsOf(description, call);
  return (property) => isSecretAt(paths, property);
}

const isWarning = ({ warns }: Finding): boolean => warns === true;

function unmeantAt(leaf: Leaf, olds: Properties, inputs: Properties, isName: boolean): Finding[] {
  const [before, now] = [inputAt(olds, leaf), inputAt(inputs, leaf)];
  if (now === undefined || same(leaf.comparison, before, now)) return [];
  return [...textsAt(leaf.path, now)].flatMap(([property, text]) => {
    const reason = unmeantText(text, isName);
    return reason === undefined ? [] : refused(property, reason);
  });
}

function problemsAt(leaf: Leaf, olds: Properties, inputs: Properties, isMade: boolean): Finding[] {
  const { problem, path, comparison } = leaf;
  const [before, now] = [inputAt(olds, leaf), inputAt(inputs, leaf)];
  const isMissing = leaf.required === "atCreation" && (isMade || before !== undefined);
  if (now === undefined) return isMissing ? refused(path, "is required") : [];
  if (problem === undefined || same(comparison, before, now)) return [];
  const at = (property: string, value: unknown): Finding[] => {
    const found = value === UNKNOWN ? undefined : problem(value);
    if (found === undefined) return [];
    return [{ property, ...(typeof found === "string" ? { reason: found } : found) }];
  };
  if (!Array.isArray(now)) return at(path, now);
  const known = new Set(Array.isArray(before) ? before.map(stableJson) : []);
  return now.flatMap((item: unknown, index) =>
    known.has(stableJson(item)) ? [] : at(`${path}[${index}]`, item),
  );
}

function heldRules(description: CommonDescription, olds: Properties, inputs: Properties) {
  return (description.changeRules ?? []).filter(
    ({ about, creation }) =>
      (creation !== true || isNew(olds)) && about.some((path) => isMoved(description, path, olds, inputs)),
  );
}

/** Whether an input is new, changed or removed. */
export function isMoved(
  description: CommonDescription,
  path: string,
  olds: Properties,
  inputs: Properties,
): boolean {
  const comparison = leavesOf(description.fields).find((leaf) => leaf.path === path)?.comparison ?? "value";
  return !same(comparison, inputAt(olds, { path }), inputAt(inputs, { path }));
}
