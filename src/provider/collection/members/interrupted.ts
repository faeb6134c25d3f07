import { type AskedBefore, settledAt } from "../../creation/creation-note";
import { type Properties } from "../../state/values";
import { type Collection } from "../collection";
import { claimFrom } from "./foreign";
import { everyMember } from "./list";
import { newcomersIn } from "./pool";
import { type Held, type Wanted } from "./member";

const LOOK_PAUSE_MS = 2_000;

/** The objects that exist, and those of them that an interrupted run has made. */
interface Found {
  readonly there: ReadonlyMap<string, Properties>;
  readonly made: readonly Held[];
  /** The ids of the objects that existed before the first creation. */
  readonly before: ReadonlySet<string>;
}

/**
 * Looks for the members that an interrupted run has made: they have no other owner. The requests that it sent last may still take effect, so
 * it looks until their members appear or the time for them is over.
 */
export async function madeByInterruptedRun(
  collection: Collection,
  parent: string,
  open: readonly Wanted[],
  asked: AskedBefore | undefined,
): Promise<Found> {
  const { session, description } = collection;
  const row = session.rows.current;
  for (;;) {
    const there = await everyMember(collection, parent);
    if (asked === undefined) return { there, made: [], before: new Set(there.keys()) };
    const before = new Set(asked.before);
    const made = claimFrom(newcomersIn(collection, parent, there, before), description, open);
    const isSettled = session.clock.now() >= settledAt(asked);
    if (made.length === open.length || isSettled) return { there, made, before };
    row.progress(`looking for ${collection.property} that an interrupted run has asked for`);
    await session.pause(LOOK_PAUSE_MS);
  }
}
