import { type ObjectKind } from "../kind/kind";
import { type Phase } from "../kind/known-objects";
import { type Call, isAutomatic } from "../state/call";
import { areAlike, type Asking } from "../notes/journal";
import { SETTLED_MS } from "../notes/lost-answer-limits";

/**
 * Until when the service may still carry out the request of a run that was interrupted on another machine, as the state tells it. Undefined if it has no
 * such request, or if a second request does no harm.
 */
export async function awaitedUntil(
  { run, clock, description, known }: ObjectKind,
  call: Call,
  phase: Phase,
): Promise<number | undefined> {
  const { unique, autoname } = description;
  if (!run.configuration.resume || unique !== undefined) return undefined;
  const pending = await known.pendingCreation(call, phase);
  if (pending?.isOpen !== true || pending.savedAt === undefined) return undefined;
  const { requested, savedAt } = pending;
  const path = autoname?.path ?? "";
  const isThis = (one: Asking) =>
    (!isAutomatic(call) || one.inputs[path] === call.inputs[path]) && areAlike(description, call, one);
  if (!requested.some(isThis)) return undefined;
  // The clock of the other machine may be ahead.
  const now = clock.now();
  const until = Math.min(savedAt, now) + SETTLED_MS;
  return until > now ? until : undefined;
}
