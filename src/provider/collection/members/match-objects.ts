import { type CollectionDescription } from "../../describe/define-collection";
import { formatId } from "../../describe/define-resource";
import { type Properties } from "../../state/values";
import { nameOfMember } from "./names";
import { type Pool, poolOf } from "./object-pool";
import { type Held, type Wanted } from "./member";
import { strangerFrom } from "./from-answers";
import { planOf } from "../plan";

/** Takes for each declared member the object that it is, with the present values of the fields that the program sets. */
export function claimFrom(pool: Pool, description: CollectionDescription, wanted: readonly Wanted[]): Held[] {
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

/** The objects that the resource covers and that are not claimed. */
export function unclaimedOf(
  description: CollectionDescription,
  there: readonly Properties[],
  claimed: readonly Held[],
  inputs: Properties,
): Held[] {
  const ids = new Set(claimed.map(({ id }) => id));
  return there
    .filter((reply) => !ids.has(description.item.idOf(reply)))
    .map((reply) => strangerFrom(description, reply))
    .filter((member) => description.covers(inputs, member.inputs));
}

/** The objects that an exclusive resource removes, because no declared member matches them. */
export function undeclaredOf(
  description: CollectionDescription,
  there: readonly Properties[],
  wanted: readonly Wanted[],
  inputs: Properties,
): readonly Held[] {
  const claimed = claimFrom(poolOf(description, there), description, wanted);
  const unclaimed = unclaimedOf(description, there, claimed, inputs);
  return planOf(description, [...claimed, ...unclaimed], wanted).remove;
}

/** Names each declared member that exists as an object of another owner. */
export function alreadyThere(
  description: CollectionDescription,
  wanted: readonly Wanted[],
  foreign: readonly Properties[],
  parent: string,
  guarded: boolean,
): string[] {
  const pool = poolOf(description, foreign);
  return wanted.flatMap((member) => {
    const reply = pool.take(member.inputs);
    if (reply === undefined) return [];
    const id = formatId({ parent, id: description.item.idOf(reply) });
    return [`${nameOfMember(description, member, guarded)} already exists with the id ${id}`];
  });
}
