import { type Leaf, leavesOf } from "../describe/fields";
import { hasUnknown, type Properties, same } from "../state/values";
import { type CollectionDescription } from "../describe/define-collection";
import { type Held, identityOf, type Wanted } from "./members/member";

/** What it takes to make the members that are there those that are wanted. */
export interface Plan {
  readonly keep: readonly { readonly held: Held; readonly wanted: Wanted }[];
  readonly change: readonly { readonly held: Held; readonly wanted: Wanted }[];
  readonly remove: readonly Held[];
  readonly add: readonly Wanted[];
}

export const isEmpty = ({ change, remove, add }: Plan): boolean =>
  change.length + remove.length + add.length === 0;

/**
 * Finds for each wanted member the one that it is: an equal one, the one of its key, or one of its place and kind, with the same identity
 * first. What cannot become it by an update is removed, and it is added.
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

  /** Pairs those of the same mark, in their order. A member without a mark is in no pair. */
  const pair = (
    pairs: { held: Held; wanted: Wanted }[],
    mark: (member: Held | Wanted) => string | undefined,
    fits: (from: Held, to: Wanted) => boolean = () => true,
  ) => {
    if (there.length === 0 || open.length === 0) return;
    const byMark = new Map<string, Held[]>();
    for (const member of there) {
      const key = mark(member);
      if (key === undefined) continue;
      const alike = byMark.get(key);
      if (alike === undefined) byMark.set(key, [member]);
      else alike.push(member);
    }
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

/** The place of a member with what an update cannot change. */
function kindOf(description: CollectionDescription, leaves: readonly Leaf[], inputs: Properties): string {
  const fixed = leaves.filter(({ change }) => change === "replace").map(({ path }) => inputs[path] ?? null);
  return JSON.stringify([description.place(inputs), ...fixed]);
}

/** Whether updates lead from one to the other: what cannot be changed stays, and what is taken away has a value to go back to. */
function canBecome(leaves: readonly Leaf[], from: Properties, to: Properties): boolean {
  return leaves.every((leaf) => {
    const [before, after] = [from[leaf.path], to[leaf.path]];
    if (leaf.change === "replace") return same(leaf.comparison, before, after);
    return before === undefined || after !== undefined || leaf.default !== undefined;
  });
}

/** The fields in which a wanted member differs from the one that is there. */
export function differences(
  { item }: CollectionDescription,
  { held, wanted }: { readonly held: Held; readonly wanted: Wanted },
): { readonly path: string; readonly from: unknown; readonly to: unknown }[] {
  return leavesOf(item.fields).flatMap(({ path, comparison }) => {
    const [from, to] = [held.inputs[path], wanted.inputs[path]];
    return !hasUnknown(to) && same(comparison, from, to) ? [] : [{ path, from, to }];
  });
}
