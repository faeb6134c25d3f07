import { type AskedBefore, settledAt } from "../../creation/creation-note";
import { lookUntil } from "../../process/watch";
import { type Properties } from "../../state/values";
import { type Collection } from "../collection";
import { claimFrom } from "./match-objects";
import { everyMember } from "./list";
import { newcomersIn } from "./object-pool";
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
  const list = () => everyMember(collection, parent);
  if (asked === undefined) {
    const there = await list();
    return { there, made: [], before: new Set(there.keys()) };
  }
  const before = new Set(asked.before);
  const row = `looking for ${collection.property} that an interrupted run requested`;
  const looking = { until: settledAt(asked), pauseMs: LOOK_PAUSE_MS, row };
  let there: ReadonlyMap<string, Properties> = new Map();
  let made: readonly Held[] = [];
  await lookUntil(session, looking, async () => {
    there = await list();
    made = claimFrom(newcomersIn(collection, parent, there, before), description, open);
    return made.length === open.length || undefined;
  });
  return { there, made, before };
}
