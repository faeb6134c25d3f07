import { type Change } from "./changes";

/** Kinds of changes that a policy can deny. */
export const DENIABLE = ["data-loss", "interruption", "replacement", "deletion", "shared"] as const;

export type Deniable = (typeof DENIABLE)[number];

/** A rule of a policy. */
export interface Rule {
  readonly kind: Deniable;
  /** The class or type token that it concerns. By default all. */
  readonly type?: string;
  readonly reason?: string;
}

/** One change that may be made although a rule denies it. */
export interface Allowance {
  readonly kind: Deniable;
  readonly type?: string;
  /** The name of the resource, or its URN. */
  readonly name: string;
  /** Where it was given: `--allow`, or the file. */
  readonly source: string;
}

/** A change that a rule denies, and who allowed it. */
export interface Decision {
  readonly rule: string;
  readonly change: Change;
  /** The reason of the rule, or who allowed the change. */
  readonly by?: string;
}

export interface Verdict {
  readonly denied: readonly Decision[];
  readonly allowed: readonly Decision[];
  /** Allowances that allow nothing. */
  readonly unused: readonly Allowance[];
}

/** Compares changes with the rules. A change that several rules deny is named once for each kind. */
export function judge(
  changes: readonly Change[],
  rules: readonly Rule[],
  allowances: readonly Allowance[],
): Verdict {
  const denied: Decision[] = [];
  const allowed: Decision[] = [];
  const used = new Set<Allowance>();
  for (const change of changes) {
    for (const kind of DENIABLE) {
      const rule = rules.find((one) => one.kind === kind && meets(one, change));
      if (rule === undefined || !isOf(kind, change)) continue;
      const fitting = allowances.filter(
        (one) => one.kind === kind && meets(one, change) && names(one, change),
      );
      for (const one of fitting) used.add(one);
      const [allowance] = fitting;
      if (allowance !== undefined) allowed.push({ rule: kind, change, by: `by ${allowance.source}` });
      else denied.push({ rule: kind, change, ...(rule.reason === undefined ? {} : { by: rule.reason }) });
    }
  }
  return { denied, allowed, unused: allowances.filter((one) => !used.has(one)) };
}

function isOf(kind: Deniable, { losses, interruptions, deletions, shared, operation }: Change): boolean {
  if (kind === "shared") return shared.length > 0;
  if (kind === "data-loss") return losses.length > 0;
  if (kind === "interruption") return interruptions.length > 0;
  return operation === kind || (kind === "deletion" && deletions.length > 0);
}

const meets = ({ type }: { readonly type?: string }, change: Change): boolean =>
  type === undefined || type === change.type;

const names = ({ name }: Allowance, { name: own, urn }: Change): boolean => name === own || name === urn;
