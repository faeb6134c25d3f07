import { shortened } from "../engine/warnings";
import { hasUnknown, UNKNOWN } from "../state/values";
import { type CollectionDescription, type Member } from "../describe/define-collection";
import { identityOf } from "./members";
import { differences, type Plan } from "./plan";

/** What a plan changes, as lines for people: first how much, then member by member. `guarded` keeps values out of it. */
export function describePlan(
  collection: CollectionDescription,
  plan: Plan,
  guarded: boolean,
): readonly string[] {
  const sorted = <Change>(list: readonly Change[], by: (change: Change) => { readonly line: string }) =>
    [...list].sort((a, b) => (by(a).line < by(b).line ? -1 : 1));
  const name = (member: Member) => nameOfMember(collection, member, guarded);
  const changes = [
    ...sorted(plan.add, (member) => member).map((member) => `+ ${name(member)}`),
    ...sorted(plan.change, ({ held }) => held).map((pair) => {
      const details = differences(collection, pair).map(({ path, from, to }) =>
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
  return [`${collection.property}: ${summary}`, ...shortened(changes)];
}

/** A member by what it is; without its values where these may be secret. */
export function nameOfMember(
  collection: CollectionDescription,
  { inputs, key }: Member,
  guarded: boolean,
): string {
  if (!guarded) return collection.write(key === undefined ? { inputs } : { inputs, key });
  return collection.item.called?.(inputs) ?? key ?? collection.item.type;
}

/** Members by what tells one from another, as far as it is known, with how messages call them. */
export const namesByIdentity = (
  collection: CollectionDescription,
  members: readonly Member[],
  guarded = false,
): ReadonlyMap<string, string> =>
  new Map(
    members.flatMap((member) =>
      hasUnknown(member.inputs)
        ? []
        : [[identityOf(collection, member.inputs), nameOfMember(collection, member, guarded)] as const],
    ),
  );

function shown(value: unknown): string {
  if (value === undefined) return "(not set)";
  return value === UNKNOWN ? "(unknown)" : String(value);
}
