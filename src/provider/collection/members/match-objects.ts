import { type CollectionDescription } from "../../describe/define-collection";
import { type Properties } from "../../base/values";
import { type Collection } from "../collection";
import { strangerFrom } from "./as-objects";
import { type Held, type Wanted } from "../../state/members";

/** Takes for each declared member the object that it is, with the present values of the fields that the program sets. */
export function claimFrom(
  collection: Collection,
  there: readonly Properties[],
  wanted: readonly Wanted[],
): Held[] {
  const { description } = collection;
  const pool = collection.poolOf(there);
  return wanted.flatMap((member) => {
    const reply = pool.take(member.inputs);
    if (reply === undefined) return [];
    const { id, inputs: shown } = strangerFrom(description, reply);
    const inputs = Object.fromEntries(
      Object.keys(member.inputs).flatMap((path) => (shown[path] === undefined ? [] : [[path, shown[path]]])),
    );
    const own = member.key === undefined ? { inputs } : { inputs, key: member.key };
    return [{ ...own, id, line: description.write(own), answered: {} }];
  });
}

/** The objects that the resource covers. */
export const coveredOf = (
  description: CollectionDescription,
  there: readonly Properties[],
  inputs: Properties,
): Properties[] =>
  there.filter((reply) => description.covers(inputs, strangerFrom(description, reply).inputs));

/** The objects that the resource covers and that are not claimed. */
export function unclaimedOf(
  description: CollectionDescription,
  there: readonly Properties[],
  claimed: readonly Held[],
  inputs: Properties,
): Held[] {
  const ids = new Set(claimed.map(({ id }) => id));
  return coveredOf(description, there, inputs)
    .filter((reply) => !ids.has(description.item.idOf(reply)))
    .map((reply) => strangerFrom(description, reply));
}
