import { type Creation } from "./journal";
import { type Stamp } from "./notes";
import { isOver, isThisRun } from "./runs";
import { type Session } from "./session";

/** What a run noted that is over, under the key of now or that of an earlier version. Nothing is taken from a run that goes on. */
export function recallOver(session: Session, key: string, former: string): (Creation & Stamp) | undefined {
  const now = session.clock.now();
  const noted = session.journal.recall(key, now) ?? session.journal.recall(former, now);
  return noted === undefined || isElsewhere(noted, now) ? undefined : noted;
}

/** Whether another run wrote a note which may still go on. */
export const isElsewhere = ({ run, at }: Stamp, now: number): boolean =>
  run !== undefined && !isThisRun(run) && !isOver(run, at, now);

/** Forgets a note, under both keys. */
export function forget({ journal }: Session, key: string, former: string): void {
  journal.forget(key);
  journal.forget(former);
}
