import { type Description } from "../describe/define-resource";
import { type ObjectReads } from "./object-reads";
import { type Properties } from "../base/values";
import { ObjectPool } from "./object-pool";

/** A kind of objects, and what this process knows about them. */
interface SearchedKind {
  readonly description: Description;
  readonly reads: ObjectReads;
  readonly known: {
    readonly managed: ReadonlySet<string>;
    readonly denied: ReadonlySet<string>;
    taken(parent: string): ReadonlySet<string>;
    ofOtherRuns(): ReadonlySet<string>;
  };
  idBelow(parent: string, reply: Properties): string;
}

/** When the service created an object, by its clock: it says UTC, without a time zone. NaN if it does not say it. */
export const createdAt = ({ created }: Properties): number =>
  typeof created === "string" ? Date.parse(/Z|[+-]\d\d:\d\d$/.test(created) ? created : `${created}Z`) : NaN;

/** The objects that did not exist before, and were not created later than `latest` by the service's clock. Those that the engine knows, and those that this process or another run has created, belong to other resources. */
export function newcomersAmong(
  kind: SearchedKind,
  parent: string,
  there: readonly Properties[],
  before: ReadonlySet<string>,
  latest = Infinity,
): Properties[] {
  const { description, known } = kind;
  const taken = known.taken(parent);
  const elsewhere = known.ofOtherRuns();
  return there.filter((reply) => {
    const id = description.idOf(reply);
    const full = kind.idBelow(parent, reply);
    const isOwned =
      taken.has(id) || elsewhere.has(full) || (known.managed.has(full) && !known.denied.has(full));
    return !before.has(id) && !isOwned && !(createdAt(reply) > latest);
  });
}

/** Lists the newcomers. */
export async function listNewcomers(
  kind: SearchedKind,
  parent: string,
  before: ReadonlySet<string>,
  latest?: number,
): Promise<ObjectPool> {
  const there = await kind.reads.all(parent);
  return new ObjectPool(kind.description, newcomersAmong(kind, parent, there, before, latest));
}
