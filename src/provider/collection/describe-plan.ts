import { shortened } from "../engine/warnings";
import { UNKNOWN } from "../state/values";
import { type CollectionDescription, type Member } from "../describe/define-collection";
import { type Owner } from "../process/owner";
import { type Held } from "./members/member";
import { nameOfMember } from "./members/names";
import { differences, type Plan } from "./plan";

interface Manner {
  /** Keeps values out of the lines. */
  readonly guarded: boolean;
  /** The other resource that a member is left to, instead of deleting it. */
  heirOf(held: Held): Owner | undefined;
  /** Sets that may still import some of the members. */
  readonly importing: readonly string[];
}

/** The changes of a plan as lines for people: first their number, then each member. */
export function describePlan(
  description: CollectionDescription,
  plan: Plan,
  { guarded, heirOf, importing }: Manner,
): readonly string[] {
  const removals = plan.remove.map((held) => ({ held, heir: heirOf(held) }));
  const deleted = removals.flatMap(({ held, heir }) => (heir === undefined ? [held] : []));
  const left = removals.flatMap(({ held, heir }) => (heir === undefined ? [] : [{ held, heir }]));
  const sorted = <Change>(list: readonly Change[], by: (change: Change) => { readonly line: string }) =>
    [...list].sort((a, b) => (by(a).line < by(b).line ? -1 : 1));
  const name = (member: Member) => nameOfMember(description, member, guarded);
  const changes = [
    ...sorted(plan.add, (member) => member).map((member) => `+ ${name(member)}`),
    ...sorted(plan.change, ({ held }) => held).map((pair) => {
      const details = differences(description, pair).map(({ path, from, to }) =>
        guarded ? path : `${path} ${shown(from)} → ${shown(to)}`,
      );
      return `~ ${name(pair.held)}: ${details.join(", ")}`;
    }),
    ...sorted(deleted, (member) => member).map((member) => `- ${name(member)}`),
    ...sorted(left, ({ held }) => held).map(({ held, heir }) => `  ${name(held)}: left to ${heir.name}`),
  ];
  const counts = [
    [plan.add.length, "to create"],
    [plan.change.length, "to update"],
    [deleted.length, "to delete"],
    [left.length, "to leave to another resource"],
  ] as const;
  const summary = counts
    .filter(([count]) => count > 0)
    .map(([count, what]) => `${count} ${what}`)
    .join(", ");
  const imported = importing.map((name) => `  (except those that ${name} imports)`);
  return [`${description.property}: ${summary}`, ...shortened(changes), ...imported];
}

function shown(value: unknown): string {
  if (value === undefined) return "(not set)";
  return value === UNKNOWN ? "(unknown)" : String(value);
}
