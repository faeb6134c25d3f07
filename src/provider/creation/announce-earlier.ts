import { type Place } from "./journal";
import { isOfRenamedStack } from "../adoption/other-owners";
import { keyOfParts } from "../process/key";
import { shortened } from "../engine/warnings";
import { isElsewhere, isThisRun } from "../process/runs";
import { type Session } from "../process/session";

/** The key of a stack, given as `project/stack`, and an account. */
export const keyOfPlace = ({ baseUrl, backend }: Place, stack: string): string =>
  keyOfParts("place", baseUrl, backend, stack);

/**
 * Says once what interrupted runs of a stack were creating. A resource that the program still declares says so itself. One that it no longer
 * declares would never be mentioned again.
 */
export async function announceEarlier(session: Session, stack: string | undefined): Promise<void> {
  if (stack === undefined || !session.isFirst(`what interrupted runs of ${stack} were at`)) return;
  const place = keyOfPlace(session.place, stack);
  const now = session.clock.now();
  const left: string[] = [];
  for (const [key, noted] of session.journal.all(now)) {
    const { run, called, type = "" } = noted;
    const isOurs = noted.place === place && !isElsewhere(noted, now);
    if (!isOurs || called === undefined || (run !== undefined && isThisRun(run))) continue;
    // After a ctrl-C the engine usually saves what was created, and then the note is of no use.
    const isSaved =
      "id" in noted && (await session.stack.state())?.knows(type, noted.id, session.at) === true;
    if (isSaved) session.journal.forget(key);
    else if (!(await isOfRenamedStack(session, called)))
      left.push(`${called} (${"id" in noted ? noted.id : "requested"})`);
  }
  if (left.length === 0) return;
  session.log.note(
    undefined,
    `interrupted runs of this stack were creating ${shortened(left).join(", ")}. This run continues with those that the program still declares. ` +
      "The others may exist in the account: find them there, and delete or import them",
  );
}
