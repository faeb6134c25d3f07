import { type Kind } from "../process/kind";
import { type Properties } from "../state/values";
import { ObjectPool } from "./object-pool";

/** The objects that did not exist before. Those that the engine knows, and those that this process or another run has created, belong to other resources. */
export function newcomersAmong(
  kind: Kind,
  parent: string,
  there: readonly Properties[],
  before: ReadonlySet<string>,
): Properties[] {
  const { description, known } = kind;
  const taken = known.taken(parent);
  const elsewhere = known.ofOtherRuns();
  return there.filter((reply) => {
    const id = description.idOf(reply);
    const full = kind.idBelow(parent, reply);
    const isOwned =
      taken.has(id) || elsewhere.has(full) || (known.managed.has(full) && !known.denied.has(full));
    return !before.has(id) && !isOwned;
  });
}

/** Lists the objects that did not exist before and belong to nobody else. */
export async function listNewcomers(
  kind: Kind,
  parent: string,
  before: ReadonlySet<string>,
): Promise<ObjectPool> {
  const there = await kind.reads.all(parent);
  return new ObjectPool(kind.description, newcomersAmong(kind, parent, there, before));
}
