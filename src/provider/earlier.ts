import { keyOfParts, type Place } from "./journal";
import { shortened } from "./notices";
import { isElsewhere, isThisRun } from "./runs";
import { type Session } from "./session";

/** The same for the same stack against the same account. */
export const keyOfPlace = (place: Place): string => keyOfParts("place", place);

/**
 * Says what interrupted runs of this stack were at. What the program still declares says so itself; what it has lost since would never be named
 * again.
 */
export function announceEarlier(session: Session): void {
  const place = keyOfPlace(session.place);
  const now = session.clock.now();
  const left = [...session.journal.all(now)].flatMap(([, noted]) => {
    const { run, called } = noted;
    const isOurs = noted.place === place && !isElsewhere(noted, now);
    if (!isOurs || called === undefined || (run !== undefined && isThisRun(run))) return [];
    return [`${called} (${"id" in noted ? noted.id : "asked for"})`];
  });
  if (left.length === 0) return;
  session.log.note(
    undefined,
    `interrupted runs of this stack were creating ${shortened(left).join(", ")}. What the program still declares is gone on with. ` +
      "What it has lost since may be in the account: look for it there, and delete it or import it",
  );
}
