import { shortened } from "../engine/warnings";
import { UNKNOWN } from "../state/values";
import { type CollectionDescription, type Member } from "../describe/define-collection";
import { nameOfMember } from "./members/names";
import { differences, type Plan } from "./plan";

/** The changes of a plan as lines for people: first their number, then each member. `guarded` keeps values out of the lines. */
export function describePlan(
  description: CollectionDescription,
  plan: Plan,
  guarded: boolean,
): readonly string[] {
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
    ...sorted(plan.remove, (member) => member).map((member) => `- ${name(member)}`),
  ];
  const counts = [
    [plan.add.length, "to create"],
    [plan.change.length, "to update"],
    [plan.remove.length, "to delete"],
  ] as const;
  const summary = counts
    .filter(([count]) => count > 0)
    .map(([count, what]) => `${count} ${what}`)
    .join(", ");
  return [`${description.property}: ${summary}`, ...shortened(changes)];
}

function shown(value: unknown): string {
  if (value === undefined) return "(not set)";
  return value === UNKNOWN ? "(unknown)" : String(value);
}
