import { isApiError, isNodeCloudError } from "../../api/errors";
import { type Session } from "../process/session";

/** After this time the service has carried a request out or never will. It is longer than the client waits for an answer. */
export const SETTLED_MS = 90_000;

/** Whether the service may still carry out a request: the client, or a gateway, gave up waiting for the answer. */
export const isTimeout = (error: unknown): boolean =>
  (isNodeCloudError(error) && error.code === "CONNECTION_TIMED_OUT") ||
  isApiError(error, 504) ||
  isApiError(error, 408);

/** How often a creation is requested while its answers are lost. */
const TRIES = 3;
/** How many looks must find nothing before an object counts as not created: a list may lag. */
export const LOOKS = 3;
export const LOOK_PAUSE_MS = 2_000;

/** A request for an object whose answer was lost, or names no object. */
export interface Lost {
  /** Why there is no answer. Undefined if there is one. */
  readonly error?: unknown;
  /** Whether a second request cannot make a second object: nothing comes of the first one later, or the object's name is unique. */
  readonly isSafeToRepeat?: boolean;
}

/** How one kind of creation recovers from lost answers. */
export interface Recovery<One extends Lost> {
  /** Takes the objects that the requests have created. Returns the requests without an object. */
  look(lost: readonly One[]): Promise<readonly One[]>;
  /** Whether this kind of creation can send the request again. */
  mayRepeat(one: One): boolean;
  /** Sends the requests again, and returns those whose answers are lost again. */
  again(lost: readonly One[]): Promise<readonly One[]>;
  /** Leaves a request to the next run, which looks for its object first. It may throw. */
  giveUp(one: One): void;
}

/**
 * Recovers from lost answers: looks for the objects of the requests, and sends only requests without an object again. The service may still carry
 * out a request that timed out, so this run does not repeat it.
 */
export async function recoverLost<One extends Lost>(
  lost: readonly One[],
  recovery: Recovery<One>,
): Promise<void> {
  for (let tries = 1; lost.length > 0; tries++) {
    const missing = await recovery.look(lost);
    const repeats = (one: One) =>
      tries < TRIES && recovery.mayRepeat(one) && (one.isSafeToRepeat === true || !isTimeout(one.error));
    for (const one of missing) if (!repeats(one)) recovery.giveUp(one);
    lost = await recovery.again(missing.filter(repeats));
  }
}

/** Looks several times, and ends when nothing is left. `look` returns what it did not find. */
export async function lookRepeatedly<One>(
  session: Session,
  lost: readonly One[],
  look: (lost: readonly One[]) => Promise<readonly One[]>,
): Promise<readonly One[]> {
  for (let looks = 1; looks <= LOOKS && lost.length > 0; looks++) {
    if (looks > 1) await session.pause(LOOK_PAUSE_MS);
    lost = await look(lost);
  }
  return lost;
}
