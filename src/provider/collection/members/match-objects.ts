import { type Properties } from "../../base/values";
import { type Collection } from "../collection";
import { strangerFrom } from "./as-objects";
import { type Held, plainMember, type Wanted } from "../../state/members";

/** Takes for each declared member the object that it is, with the present values of the fields that the program sets. */
export function claimFrom(
  collection: Collection,
  parent: string,
  there: readonly Properties[],
  wanted: readonly Wanted[],
): Held[] {
  const { description } = collection;
  const pool = collection.poolOf(there);
  return wanted.flatMap((member) => {
    const reply = pool.take(member.inputs);
    if (reply === undefined) return [];
    const found = strangerFrom(description, parent, reply);
    const shown = Object.entries(found.inputs).filter(([path]) => path in member.inputs);
    const own = { ...plainMember(member), inputs: Object.fromEntries(shown) };
    return [{ ...found, ...own, line: description.write(own) }];
  });
}

/** The objects that a resource with these inputs covers. */
export const coveredOf = (
  { description }: Collection,
  there: readonly Properties[],
  inputs: Properties,
): Properties[] =>
  there.filter((reply) => description.covers(inputs, strangerFrom(description, "", reply).inputs));

/** The covered objects that are not claimed, as members. */
export function unclaimedOf(
  collection: Collection,
  there: readonly Properties[],
  claimed: readonly Held[],
  inputs: Properties,
): Held[] {
  const ids = new Set(claimed.map(({ id }) => id));
  return coveredOf(collection, there, inputs)
    .map((reply) => strangerFrom(collection.description, collection.parentOf(inputs), reply))
    .filter(({ id }) => !ids.has(id));
}
