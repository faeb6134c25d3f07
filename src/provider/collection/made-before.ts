import { type AskedBefore, settledAt } from "../creation/creation-note";
import { type Session } from "../process/session";
import { type Properties } from "../state/values";
import { everyMember, newcomersIn } from "./account";
import { type CollectionDescription } from "../describe/define-collection";
import { type Held, type Wanted } from "./members";
import { type Neighbours } from "./neighbours";

const LOOK_PAUSE_MS = 2_000;

/** What is there, and what of it a run that was cut off has made. */
interface Found {
  readonly there: ReadonlyMap<string, Properties>;
  readonly made: readonly Held[];
  /** The ids of what was there before anything was asked for. */
  readonly before: ReadonlySet<string>;
}

/**
 * Looks for the members that a run which was cut off has made: they are nobody else's. What it asked for last may still come, and is looked for
 * until it has come or never will.
 */
export async function madeBefore(
  session: Session,
  collection: CollectionDescription,
  neighbours: Neighbours,
  parent: string,
  open: readonly Wanted[],
  asked: AskedBefore | undefined,
): Promise<Found> {
  const row = session.rows.current;
  for (;;) {
    const there = await everyMember(session, collection, parent);
    if (asked === undefined) return { there, made: [], before: new Set(there.keys()) };
    const before = new Set(asked.before);
    const made = neighbours.claimed(newcomersIn(session, collection, parent, there, before), open);
    const isSettled = session.clock.now() >= settledAt(asked);
    if (made.length === open.length || isSettled) return { there, made, before };
    row.progress(`looking for ${collection.property} that an interrupted run has asked for`);
    await session.clock.sleep(LOOK_PAUSE_MS, new AbortController().signal);
  }
}
