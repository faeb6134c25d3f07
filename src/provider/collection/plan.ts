import { type Leaf, leavesOf } from "../describe/fields";
import { hasUnknown, type Properties, same } from "../base/values";
import { type CollectionDescription } from "../describe/define-collection";
import { type Held, identityOf, type Wanted } from "../state/members";

/** The changes that turn the existing members into the declared ones. */
export interface Plan {
  readonly keep: readonly { readonly held: Held; readonly wanted: Wanted }[];
  readonly change: readonly { readonly held: Held; readonly wanted: Wanted }[];
  readonly remove: readonly Held[];
  readonly add: readonly Wanted[];
}

export const isEmpty = ({ change, remove, add }: Plan): boolean =>
  change.length + remove.length + add.length === 0;

/**
 * Pairs each declared member with an existing one: an equal one, the one of its key, the one of its identity, or one of its place and kind.
 * Where no update leads from one to the other, the existing member is removed and the declared one is added.
 */
export function planOf(
  description: CollectionDescription,
  held: readonly Held[],
  wanted: readonly Wanted[],
): Plan {
  const leaves = leavesOf(description.item.fields);
  const keep: { held: Held; wanted: Wanted }[] = [];
  const change: { held: Held; wanted: Wanted }[] = [];
  let there = held;
  let open = wanted;

  /** Pairs members of the same mark, in their order. A member without a mark is in no pair. */
  const pair = (
    pairs: { held: Held; wanted: Wanted }[],
    mark: (member: Held | Wanted) => string | undefined,
    fits: (from: Held, to: Wanted) => boolean = () => true,
  ) => {
    if (there.length === 0 || open.length === 0) return;
    const byMark = Map.groupBy(there, mark);
    const taken = new Set<Held>();
    open = open.filter((member) => {
      const key = mark(member);
      const alike = key === undefined ? [] : (byMark.get(key) ?? []);
      const index = alike.findIndex((candidate) => fits(candidate, member));
      const [found] = index < 0 ? [] : alike.splice(index, 1);
      if (found === undefined) return true;
      taken.add(found);
      pairs.push({ held: found, wanted: member });
      return false;
    });
    there = there.filter((member) => !taken.has(member));
  };

  const updatable = (from: Held, to: Wanted) => canBecome(leaves, from.inputs, to.inputs);
  pair(keep, ({ line }) => line);
  pair(keep, ({ inputs }) => description.write({ inputs }));
  pair(change, ({ key }) => key, updatable);
  pair(change, ({ inputs }) => identityOf(description, inputs), updatable);
  pair(change, ({ inputs }) => kindOf(description, leaves, inputs), updatable);
  return { keep, change, remove: there, add: open };
}

/** The place of a member, with the fields that no update changes. */
function kindOf(description: CollectionDescription, leaves: readonly Leaf[], inputs: Properties): string {
  const fixed = leaves.filter(({ change }) => change === "replace").map(({ path }) => inputs[path] ?? null);
  return JSON.stringify([description.place(inputs), ...fixed]);
}

/** Whether an update leads from one to the other: it changes no fixed field, and each field that it clears has a default. */
function canBecome(leaves: readonly Leaf[], from: Properties, to: Properties): boolean {
  return leaves.every((leaf) => {
    const [before, after] = [from[leaf.path], to[leaf.path]];
    if (leaf.change === "replace") return same(leaf.comparison, before, after);
    return before === undefined || after !== undefined || leaf.default !== undefined;
  });
}

/** The fields in which a declared member differs from the existing one. */
export function differences(
  { item }: CollectionDescription,
  { held, wanted }: { readonly held: Held; readonly wanted: Wanted },
): { readonly path: string; readonly from: unknown; readonly to: unknown }[] {
  return leavesOf(item.fields).flatMap(({ path, comparison }) => {
    const [from, to] = [held.inputs[path], wanted.inputs[path]];
    return !hasUnknown(to) && same(comparison, from, to) ? [] : [{ path, from, to }];
  });
}
