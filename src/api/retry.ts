import { setTimeout as wait } from "node:timers/promises";
import { type About, ApiError, ConnectionError, isApiError, isNodeCloudError } from "./errors";
import { GivenUp, type Limiter, type Outcome, type Pass } from "./limiter";
import { type OperationSpec } from "./operation";

/** How often a request is repeated, and how long the waits in between are. All times in milliseconds. */
export interface RetryPolicy {
  /** How often, after the first try. */
  readonly retries: number;
  /** How often where the API says that there are too many requests, and not how long to wait: its limit may be one by the minute. */
  readonly busyRetries: number;
  /** How often where nothing answers at the address, which more often is a wrong address than a short outage. */
  readonly unreachableRetries: number;
  /** The first wait; each further one is twice as long. Jitter takes up to a half of it away. */
  readonly minDelayMs: number;
  /** The longest wait, unless the API asks for more. */
  readonly maxDelayMs: number;
  /** The longest `Retry-After` that is waited for. Beyond it the error is thrown at once and tells it. */
  readonly maxRetryAfterMs: number;
}

/** The default: waits up to half a minute for a failing service, one to two minutes for a busy one, up to 8 s for one that cannot be reached. */
export const patiently: RetryPolicy = {
  retries: 6,
  busyRetries: 11,
  unreachableRetries: 4,
  minDelayMs: 500,
  maxDelayMs: 20_000,
  maxRetryAfterMs: 5 * 60_000,
};

/** As often as `patiently`, without waiting: for tests against a local server. */
export const instantly: RetryPolicy = { ...patiently, minDelayMs: 0, maxDelayMs: 0, maxRetryAfterMs: 0 };

/** Every failure is thrown as it comes. */
export const never: RetryPolicy = {
  ...patiently,
  retries: 0,
  busyRetries: 0,
  unreachableRetries: 0,
};

/** A request that failed and is about to be repeated. */
export interface RetryEvent extends About {
  /** Why. */
  readonly error: Error;
  /** 1 for the first repetition. */
  readonly retry: number;
  /** How long it is waited before, in milliseconds. */
  readonly delayMs: number;
}

/** What retrying needs from outside. */
export interface RetrySettings {
  readonly policy: RetryPolicy;
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  readonly random: () => number;
  readonly onRetry?: ((event: RetryEvent) => void) | undefined;
  /** Once aborted, no try begins any more. */
  readonly stop?: AbortSignal | undefined;
  /** Of the origin that the requests go to. */
  readonly limiter: Limiter;
}

/** Nothing answers at the address: not one byte of the request was sent. */
const isUnreachable = (error: unknown): error is ConnectionError =>
  error instanceof ConnectionError &&
  (error.code === "CONNECTION_REFUSED" || error.code === "HOST_NOT_RESOLVED");

/** Another try may find a connection. A certificate that is not accepted will not be accepted then either. */
const isConnectionTrouble = (error: unknown): error is ConnectionError =>
  error instanceof ConnectionError && error.code !== "TLS_FAILED";

/** The API asks to come again later, or failed in a way that passes: 408, 429, 5xx. */
const isPassingFailure = (error: unknown): error is ApiError =>
  isApiError(error) && (error.status === 408 || error.status === 429 || error.status >= 500);

/** Doing it twice is doing it once. A POST may create something each time it arrives. */
const isIdempotent = (method: OperationSpec["method"]): boolean => method !== "POST";

/** The one decision on what is repeated. A POST is, only where the request surely had no effect. */
export function mayRepeat(method: OperationSpec["method"], error: unknown): boolean {
  if (!isConnectionTrouble(error) && !isPassingFailure(error)) return false;
  return isIdempotent(method) || !error.answerLost;
}

/** How often a request is repeated after this failure. */
function retriesAfter(error: unknown, policy: RetryPolicy): number {
  if (isUnreachable(error)) return policy.unreachableRetries;
  const isBusy = isApiError(error) && error.status === 429 && error.retryAfter === undefined;
  return isBusy ? policy.busyRetries : policy.retries;
}

/**
 * How long to wait before repetition number `retry` (from 1), in milliseconds; undefined to give up. `Retry-After` is obeyed to the
 * letter: all who were sent away together wait for one that tries, and follow it at a pace.
 */
export function delayBefore(
  retry: number,
  error: unknown,
  policy: RetryPolicy,
  random: () => number,
): number | undefined {
  if (retry > retriesAfter(error, policy)) return undefined;
  const asked = isApiError(error) ? error.retryAfter : undefined;
  if (asked !== undefined) return asked * 1000 > policy.maxRetryAfterMs ? undefined : asked * 1000;
  const longest = Math.min(policy.maxDelayMs, policy.minDelayMs * 2 ** (retry - 1));
  return Math.round(longest / 2 + (random() * longest) / 2);
}

/** A request as far as its repetition is concerned. */
export interface Repeatable extends About {
  readonly method: OperationSpec["method"];
  /** Requests of different kinds take turns. */
  readonly kind: string;
  readonly signal?: AbortSignal | undefined;
}

/** How much of a repetition a refusal counts while the service accepts other requests: it is a matter of waiting for one's turn. */
const REFUSED_AMONG_OTHERS = 0.1;

/** An ES module only, which `require` takes not before Node 22.12. Loaded by the first request. */
const load = () => import("p-retry");
let loading: ReturnType<typeof load> | undefined;

/**
 * Runs one request until it succeeds or may not be repeated. The last error is thrown as it is. A failure of the request alone is waited
 * for without keeping others from their turn; where the service refuses for its load, all requests to it wait.
 */
export async function retrying<Answer>(
  request: Repeatable,
  send: () => Promise<Answer>,
  { policy, sleep, random, onRetry, stop, limiter }: RetrySettings,
): Promise<Answer> {
  const { method, kind, operation, signal } = request;
  const waitSignal = eitherOf(signal, stop);
  // One that is never repeated does not give up for what others met either.
  const patience = (refusal: ApiError) => (policy.retries === 0 ? Infinity : retriesAfter(refusal, policy));
  let used = 0;
  let refused: ApiError | undefined;
  let delayMs: number | undefined;

  const attempt = async () => {
    delayMs = undefined;
    const entered = limiter.enter({ kind, signal: waitSignal, patience, again: refused !== undefined });
    const pass = await givenUp(entered, request, refused);
    try {
      const answer = await send();
      limiter.leave(pass, "accepted");
      return answer;
    } catch (error) {
      // Before another request takes the place: it may have to wait too.
      delayMs = judge(error, pass);
      limiter.leave(pass, outcomeOf(error));
      throw error;
    }
  };

  const judge = (error: unknown, pass: Pass) => {
    refused = isForLoad(error, limiter) ? error : undefined;
    used += refused !== undefined && limiter.acceptedSince(pass) ? REFUSED_AMONG_OTHERS : 1;
    if (refused !== undefined) limiter.refuse(pass, (refused.retryAfter ?? 0) * 1000);
    const number = Math.max(Math.ceil(used), refused === undefined ? 0 : limiter.streak);
    const delay = isNodeCloudError(error) ? delayBefore(number, error, policy, random) : undefined;
    if (refused !== undefined && delay !== undefined) limiter.pause(delay);
    else if (refused !== undefined && policy.retries > 0) limiter.giveUp(refused);
    return delay;
  };

  const { default: pRetry } = await (loading ??= load());
  return pRetry(attempt, {
    retries: Infinity, // counted above, where a refusal for the load may count less
    minTimeout: 0, // the waits are below, where the server's wish is known
    ...(signal && { signal }),
    shouldRetry: async ({ error, attemptNumber }) => {
      if (delayMs === undefined || !mayRepeat(method, error)) return false;
      onRetry?.({ operation, attempt: request.attempt, error, retry: attemptNumber, delayMs });
      if (refused === undefined) await sleep(delayMs, waitSignal);
      return true;
    },
  });
}

/** Ends waits before a request is sent. A signal of its own for each request costs more than most requests need. */
export const eitherOf = (
  one: AbortSignal | undefined,
  other: AbortSignal | undefined,
): AbortSignal | undefined =>
  one !== undefined && other !== undefined ? AbortSignal.any([one, other]) : (one ?? other);

/** The pass, or the error of a request that shared the fate of another: its own last one, or else that of the other in its own name. */
async function givenUp(
  entered: Promise<Pass> | Pass,
  about: About,
  last: ApiError | undefined,
): Promise<Pass> {
  try {
    return await entered;
  } catch (error) {
    if (!(error instanceof GivenUp)) throw error;
    if (last !== undefined) throw last;
    const { status, reasons, retryAfter } = error.refusal;
    throw new ApiError({
      operation: about.operation,
      attempt: about.attempt,
      status,
      reasons,
      retryAfter,
      sent: false,
    });
  }
}

/** Whether the service refuses requests because there are too many. A single 503 may well be one object's own trouble. */
function isForLoad(error: unknown, limiter: Limiter): error is ApiError {
  if (!isApiError(error)) return false;
  if (error.status === 429) return true;
  return error.status === 503 && (error.retryAfter !== undefined || limiter.crowded);
}

function outcomeOf(error: unknown): Outcome {
  if (!isApiError(error)) return "unknown";
  if (error.status === 429 || error.status === 503) return "refused";
  return isPassingFailure(error) ? "unknown" : "accepted";
}

/** Waits, or throws the signal's reason as soon as it is given. */
export async function sleepFor(ms: number, signal?: AbortSignal): Promise<void> {
  try {
    await wait(ms, undefined, { signal });
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
}
