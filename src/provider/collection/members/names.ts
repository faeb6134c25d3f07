import { type CollectionDescription, type Member } from "../../describe/define-collection";
import { hasUnknown } from "../../base/values";
import { shortened } from "../../kind/warnings";
import { identityOf } from "../../state/members";

/** The name of a member in messages. `guarded` keeps its values out of the name. */
export function nameOfMember(
  description: CollectionDescription,
  { inputs, key }: Member,
  guarded: boolean,
): string {
  if (!guarded) return description.write(key === undefined ? { inputs } : { inputs, key });
  return description.item.called?.(inputs) ?? key ?? description.item.type;
}

/** A message about several members: what it says of all, then the first of them. */
export const itemised = (what: string, lines: readonly string[]): readonly string[] => [
  what,
  ...shortened(lines.map((line) => `- ${line}`)),
];

/** The names of members in messages, by identity. A member whose identity is not known yet is left out. */
export const namesByIdentity = (
  description: CollectionDescription,
  members: readonly Member[],
  guarded = false,
): ReadonlyMap<string, string> =>
  new Map(
    members.flatMap((member) =>
      hasUnknown(member.inputs)
        ? []
        : [[identityOf(description, member.inputs), nameOfMember(description, member, guarded)] as const],
    ),
  );
