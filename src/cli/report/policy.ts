import { type Allowance, denialsOf, type Rule } from "../../provider/settings/policy";
import { type ReportedChange } from "./changes";

/** A change that a rule denies, and who allowed it. */
export interface Decision {
  readonly rule: string;
  readonly change: ReportedChange;
  /** Where the rule was given: `--deny` or a file. */
  readonly source: string;
  /** The reason of the rule, or who allowed the change. */
  readonly by?: string;
}

export interface PolicyVerdict {
  readonly denied: readonly Decision[];
  readonly allowed: readonly Decision[];
  /** Allowances that allow nothing. */
  readonly unused: readonly Allowance[];
}

/** Compares changes with the rules. A change that several rules deny is named once for each class. */
export function judge(
  changes: readonly ReportedChange[],
  rules: readonly Rule[],
  allowances: readonly Allowance[],
): PolicyVerdict {
  const denied: Decision[] = [];
  const allowed: Decision[] = [];
  const used = new Set<Allowance>();
  for (const change of changes) {
    for (const { rule, allowances: fitting } of denialsOf(change, rules, allowances)) {
      for (const one of fitting) used.add(one);
      const [allowance] = fitting;
      const decision = { rule: rule.kind, change, source: rule.source };
      if (allowance !== undefined) allowed.push({ ...decision, by: `by ${allowance.source}` });
      else denied.push({ ...decision, ...(rule.reason === undefined ? {} : { by: rule.reason }) });
    }
  }
  return { denied, allowed, unused: allowances.filter((one) => !used.has(one)) };
}
