import { setTimeout as wait } from "node:timers/promises";
import { type About, ApiError, ConnectionError, isApiError, isNodeCloudError } from "./errors";
import { GivenUp, type Limiter, type Outcome, type Pass } from "./throttle";
import { type OperationSpec } from "./operation";

/** How often a request is retried, and how long the waits are. All times are in milliseconds. */
export interface RetryPolicy {
  /** How many retries follow the first attempt. */
  readonly retries: number;
  /** How many retries if the API reports too many requests without a time to wait: its limit may be per minute. */
  readonly busyRetries: number;
  /** How many retries if nothing answers at the address: a wrong address is more likely than a short outage. */
  readonly unreachableRetries: number;
  /** The first wait. Each further wait is twice as long. Jitter shortens a wait by up to half. */
  readonly minDelayMs: number;
  /** The longest wait, unless the API asks for more. */
  readonly maxDelayMs: number;
  /** The longest `Retry-After` to wait for. If it is longer, the error is thrown at once and names it. */
  readonly maxRetryAfterMs: number;
}

/** The default. It waits up to half a minute for a failing service, one to two minutes for a busy one, and up to 8 s for an unreachable one. */
export const patiently: RetryPolicy = {
  retries: 6,
  busyRetries: 11,
  unreachableRetries: 4,
  minDelayMs: 500,
  maxDelayMs: 20_000,
  maxRetryAfterMs: 5 * 60_000,
};

/** Retries as often as `patiently`, without waits: for tests with a local server. */
export const instantly: RetryPolicy = { ...patiently, minDelayMs: 0, maxDelayMs: 0, maxRetryAfterMs: 0 };

/** Never retries. */
export const never: RetryPolicy = {
  ...patiently,
  retries: 0,
  busyRetries: 0,
  unreachableRetries: 0,
};

/** A failed request that is about to be retried. */
export interface RetryEvent extends About {
  /** The error of the last attempt. */
  readonly error: Error;
  /** 1 for the first retry. */
  readonly retry: number;
  /** The wait before the retry, in milliseconds. */
  readonly delayMs: number;
}

/** The dependencies of retries. */
export interface RetrySettings {
  readonly policy: RetryPolicy;
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  readonly random: () => number;
  readonly onRetry?: ((event: RetryEvent) => void) | undefined;
  /** Once aborted, no further attempt starts. */
  readonly stop?: AbortSignal | undefined;
  /** The limiter of the requests' origin. */
  readonly limiter: Limiter;
}

/** Nothing answers at the address. No byte of the request was sent. */
const isUnreachable = (error: unknown): error is ConnectionError =>
  error instanceof ConnectionError &&
  (error.code === "CONNECTION_REFUSED" || error.code === "HOST_NOT_RESOLVED");

/** Another attempt may connect. A rejected certificate stays rejected. */
const isConnectionTrouble = (error: unknown): error is ConnectionError =>
  error instanceof ConnectionError && error.code !== "TLS_FAILED";

/** The API asks to try later, or its failure may be temporary: 408, 429, 5xx. */
const isPassingFailure = (error: unknown): error is ApiError =>
  isApiError(error) && (error.status === 408 || error.status === 429 || error.status >= 500);

/** Decides whether a request may be retried. A POST may create an object each time, so it is retried only if it certainly had no effect. */
export function mayRepeat(method: OperationSpec["method"], error: unknown): boolean {
  if (!isConnectionTrouble(error) && !isPassingFailure(error)) return false;
  return method !== "POST" || !error.answerLost;
}

/** How often a request is retried after this failure. */
function retriesAfter(error: unknown, policy: RetryPolicy): number {
  if (isUnreachable(error)) return policy.unreachableRetries;
  const isBusy = isApiError(error) && error.status === 429 && error.retryAfter === undefined;
  return isBusy ? policy.busyRetries : policy.retries;
}

/**
 * How long to wait before retry number `retry` (from 1), in milliseconds. Undefined to give up. `Retry-After` is obeyed exactly, without
 * jitter: the limiter spreads the requests that were refused together.
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

/** The facts that retries need about a request. */
export interface Repeatable extends About {
  readonly method: OperationSpec["method"];
  /** Requests of different kinds take turns. */
  readonly kind: string;
  readonly signal?: AbortSignal | undefined;
}

/** How much of a retry a refusal counts while the service accepts other requests: the request only has to wait for its turn. */
const REFUSED_AMONG_OTHERS = 0.1;

/** p-retry is an ES module, which `require` can load only since Node 22.12. The first request loads it. */
const load = () => import("p-retry");
let loading: ReturnType<typeof load> | undefined;

/**
 * Sends a request until it succeeds or may not be retried, and throws the last error unchanged. After a failure of this request alone, only
 * this request waits. If the service refuses requests for load, all requests to it wait.
 */
export async function retrying<Answer>(
  request: Repeatable,
  send: () => Promise<Answer>,
  { policy, sleep, random, onRetry, stop, limiter }: RetrySettings,
): Promise<Answer> {
  const { method, kind, operation, signal } = request;
  const waitSignal = eitherOf(signal, stop);
  // A request that is never retried does not give up for the refusals of others.
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
      // Before the place is free for another request, which may have to wait too.
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
    retries: Infinity, // counted above, as a refusal for load may count less
    minTimeout: 0, // the waits are below, where `Retry-After` is known
    ...(signal && { signal }),
    shouldRetry: async ({ error, attemptNumber }) => {
      if (delayMs === undefined || !mayRepeat(method, error)) return false;
      onRetry?.({ operation, attempt: request.attempt, error, retry: attemptNumber, delayMs });
      if (refused === undefined) await sleep(delayMs, waitSignal);
      return true;
    },
  });
}

/** Combines the signals that end waits. A combined signal costs memory, so it is made only if there are two. */
export const eitherOf = (
  one: AbortSignal | undefined,
  other: AbortSignal | undefined,
): AbortSignal | undefined =>
  one !== undefined && other !== undefined ? AbortSignal.any([one, other]) : (one ?? other);

/** Waits for the pass. If the request gave up for the refusals of others, it throws its own last error, or their refusal under its own name. */
async function givenUp(
  entered: Promise<Pass> | Pass,
  { operation, attempt }: About,
  last: ApiError | undefined,
): Promise<Pass> {
  try {
    return await entered;
  } catch (error) {
    if (!(error instanceof GivenUp)) throw error;
    if (last !== undefined) throw last;
    const { status, reasons, retryAfter } = error.refusal;
    throw new ApiError({ operation, attempt, status, reasons, retryAfter, sent: false });
  }
}

/** Whether the service refuses requests for load. A single 503 may concern one object only. */
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

/** Waits. If the signal aborts, it throws the signal's reason at once. */
export async function sleepFor(ms: number, signal?: AbortSignal): Promise<void> {
  try {
    await wait(ms, undefined, { signal });
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
}
