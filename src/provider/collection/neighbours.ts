import { type Client, type RequestOptions } from "../../api/client";
import { formatId } from "../describe/define-resource";
import { type Properties } from "../state/values";
import { type Pool, poolOf } from "./account";
import { type CollectionDescription } from "../describe/define-collection";
import { nameOfMember } from "./describe";
import { type Held, strangerFrom, type Wanted } from "./members";
import { planOf } from "./plan";

/** What a collection meets under its parent that it does not have in its state. */
export class Neighbours {
  constructor(private readonly collection: CollectionDescription) {}

  list(client: Client, parent: string, options: RequestOptions): AsyncIterable<Properties> {
    const { item } = this.collection;
    if (item.list === undefined) throw new TypeError(`${item.type} does not say how its objects are listed`);
    return item.list(client, parent, options);
  }

  /** Takes for each wanted member the object that it is, with the values that it has now of what the program sets. */
  claimed(pool: Pool, wanted: readonly Wanted[]): Held[] {
    return wanted.flatMap((member) => {
      const reply = pool.take(member.inputs);
      if (reply === undefined) return [];
      const { id, inputs: shown } = strangerFrom(this.collection, reply);
      const inputs = Object.fromEntries(
        Object.keys(member.inputs).flatMap((path) =>
          shown[path] === undefined ? [] : [[path, shown[path]]],
        ),
      );
      const own = member.key === undefined ? { inputs } : { inputs, key: member.key };
      return [{ ...own, id, line: this.collection.write(own), answered: {} }];
    });
  }

  /** What is covered and not claimed. */
  unclaimed(there: readonly Properties[], claimed: readonly Held[], inputs: Properties): Held[] {
    const ids = new Set(claimed.map(({ id }) => id));
    return there
      .filter((reply) => !ids.has(this.collection.item.idOf(reply)))
      .map((reply) => strangerFrom(this.collection, reply))
      .filter((member) => this.collection.covers(inputs, member.inputs));
  }

  /** What is covered and would be removed, for nothing wanted is made of it. */
  undeclared(there: readonly Properties[], wanted: readonly Wanted[], inputs: Properties): readonly Held[] {
    const claimed = this.claimed(poolOf(this.collection, there), wanted);
    return planOf(this.collection, [...claimed, ...this.unclaimed(there, claimed, inputs)], wanted).remove;
  }

  /** Says of each wanted member that is there as an object of somebody else's. */
  alreadyThere(
    wanted: readonly Wanted[],
    foreign: readonly Properties[],
    parent: string,
    guarded: boolean,
  ): string[] {
    const pool = poolOf(this.collection, foreign);
    return wanted.flatMap((member) => {
      const reply = pool.take(member.inputs);
      if (reply === undefined) return [];
      const id = formatId({ parent, id: this.collection.item.idOf(reply) });
      return [`${nameOfMember(this.collection, member, guarded)} is there already, with the id ${id}`];
    });
  }
}
