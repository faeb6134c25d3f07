import { setTimeout as wait } from "node:timers/promises";
import { type About, type ApiError, ConnectionError, isApiError, isNodeCloudError } from "./errors";
import { type OperationSpec } from "./operation";

/** How often a request is repeated, and how long the waits in between are. All times in milliseconds. */
export interface RetryPolicy {
  /** How often, after the first try. */
  readonly retries: number;
  /** How often where nothing answers at the address, which more often is a wrong address than a short outage. */
  readonly unreachableRetries: number;
  /** The first wait; each further one is twice as long. Jitter takes up to a half of it away. */
  readonly minDelayMs: number;
  /** The longest wait, unless the API asks for more. */
  readonly maxDelayMs: number;
  /** The longest `Retry-After` that is waited for. Beyond it the error is thrown at once and tells it. */
  readonly maxRetryAfterMs: number;
}

/** The default: waits up to half a minute for a failing service, up to 8 s for one that cannot be reached. */
export const patiently: RetryPolicy = {
  retries: 6,
  unreachableRetries: 4,
  minDelayMs: 500,
  maxDelayMs: 20_000,
  maxRetryAfterMs: 5 * 60_000,
};

/** As often as `patiently`, without waiting: for tests against a local server. */
export const instantly: RetryPolicy = { ...patiently, minDelayMs: 0, maxDelayMs: 0, maxRetryAfterMs: 0 };

/** Every failure is thrown as it comes. */
export const never: RetryPolicy = { ...patiently, retries: 0, unreachableRetries: 0 };

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

/**
 * How long to wait before repetition number `retry` (from 1), in milliseconds; undefined to give up. Never shorter than `Retry-After`,
 * and a little longer, so that those who were sent away together do not come back together.
 */
export function delayBefore(
  retry: number,
  error: unknown,
  policy: RetryPolicy,
  random: () => number,
): number | undefined {
  if (retry > (isUnreachable(error) ? policy.unreachableRetries : policy.retries)) return undefined;
  const asked = isApiError(error) ? error.retryAfter : undefined;
  if (asked !== undefined) {
    return asked * 1000 > policy.maxRetryAfterMs
      ? undefined
      : Math.round(asked * 1000 + random() * policy.minDelayMs);
  }
  const longest = Math.min(policy.maxDelayMs, policy.minDelayMs * 2 ** (retry - 1));
  return Math.round(longest / 2 + (random() * longest) / 2);
}

/** Runs one request until it succeeds or may not be repeated. The last error is thrown as it is. */
export async function retrying<Answer>(
  request: About & { readonly method: OperationSpec["method"]; readonly signal?: AbortSignal | undefined },
  attempt: () => Promise<Answer>,
  { policy, sleep, random, onRetry }: RetrySettings,
): Promise<Answer> {
  const { method, operation, signal } = request;
  // An ES module only, which `require` takes not before Node 22.12.
  const { default: pRetry } = await import("p-retry");
  return pRetry(attempt, {
    retries: Math.max(policy.retries, policy.unreachableRetries),
    minTimeout: 0, // the waits are below, where the server's wish is known
    ...(signal && { signal }),
    shouldRetry: async ({ error, attemptNumber }) => {
      if (!isNodeCloudError(error) || !mayRepeat(method, error)) return false;
      const delayMs = delayBefore(attemptNumber, error, policy, random);
      if (delayMs === undefined) return false;
      onRetry?.({ operation, attempt: request.attempt, error, retry: attemptNumber, delayMs });
      await sleep(delayMs, signal);
      return true;
    },
  });
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
