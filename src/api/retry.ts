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
  /**
   * For how long requests are retried at least if the API refuses them for load, also after the retries are used up: other runs may share its
   * limit. It has no effect without retries or waits. @default 0
   */
  readonly patienceMs?: number;
  /** How many retries if nothing answers at the address: a wrong address is more likely than a short outage. */
  readonly unreachableRetries: number;
  /** The first wait. Each further wait is twice as long. Jitter shortens a wait by up to half. */
  readonly minDelayMs: number;
  /** The longest wait, unless the API asks for more. */
  readonly maxDelayMs: number;
  /** The longest `Retry-After` to wait for. If it is longer, the error is thrown at once and names it. */
  readonly maxRetryAfterMs: number;
}

/** The default. It waits up to half a minute for a failing service, two minutes for a busy one, and up to 8 s for an unreachable one. */
export const patiently: RetryPolicy = {
  retries: 6,
  busyRetries: 11,
  patienceMs: 2 * 60_000,
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

/** Whether a request gives up after so many refusals for load over so many milliseconds. */
function isOutOfPatience(refusal: ApiError, times: number, ms: number, policy: RetryPolicy): boolean {
  const retries = retriesAfter(refusal, policy);
  const patienceMs = retries === 0 || policy.maxDelayMs === 0 ? 0 : (policy.patienceMs ?? 0);
  return times > retries && ms >= patienceMs;
}

/**
 * The longest wait after a refusal for load, as a share of the time since the service began to refuse: few probes, none of them much too late. Other processes take
 * what the service accepts meanwhile, so no wait is longer than `mostMs`.
 */
const BUSY = { share: 0.3, mostMs: 6000 };
/** The jitter on top of the first `Retry-After`, as a share of a second. It grows with each further refusal up to a second. */
const FIRST_JITTER = 0.05;

/**
 * How long to wait after refusal number `times` (from 1) for load, in milliseconds. Undefined if `Retry-After` is too long. Jitter is added to
 * `Retry-After`, as other processes were refused at the same time.
 */
export function delayAfterRefusal(
  { retryAfter = 0 }: ApiError,
  times: number,
  ms: number,
  policy: RetryPolicy,
  random: () => number,
): number | undefined {
  const asked = retryAfter * 1000;
  if (asked > policy.maxRetryAfterMs) return undefined;
  if (asked > 0) return Math.round(asked + random() * 1000 * Math.min(1, FIRST_JITTER * times ** 2));
  const most = Math.min(policy.maxDelayMs, BUSY.mostMs);
  return shortened(Math.min(most, Math.max(policy.minDelayMs, BUSY.share * ms)), random);
}

/** Shortens a wait by up to half. */
const shortened = (longest: number, random: () => number): number =>
  Math.round(longest / 2 + (random() * longest) / 2);

/** How long to wait before retry number `retry` (from 1) of a request that failed alone, in milliseconds. Undefined to give up. */
export function delayBefore(
  retry: number,
  error: unknown,
  policy: RetryPolicy,
  random: () => number,
): number | undefined {
  if (retry > retriesAfter(error, policy)) return undefined;
  const asked = isApiError(error) ? error.retryAfter : undefined;
  if (asked !== undefined) return asked * 1000 > policy.maxRetryAfterMs ? undefined : asked * 1000;
  return shortened(Math.min(policy.maxDelayMs, policy.minDelayMs * 2 ** (retry - 1)), random);
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
  const outOfPatience = (refusal: ApiError, times: number, ms: number) =>
    policy.retries > 0 && isOutOfPatience(refusal, times, ms, policy);
  let used = 0;
  let before: Pass | undefined;
  let refused: ApiError | undefined;
  let refusedSince: number | undefined;
  let delayMs: number | undefined;

  const attempt = async () => {
    delayMs = undefined;
    const entered = limiter.enter({ kind, signal: waitSignal, outOfPatience, again: refused !== undefined });
    const pass = await givenUp(entered, request, refused);
    try {
      const answer = await send();
      limiter.leave(pass, "accepted");
      return answer;
    } catch (error) {
      // Before the place is free for another request, which may have to wait too.
      const last = judge(error, pass);
      limiter.leave(pass, outcomeOf(error));
      throw last;
    }
  };

  /** Decides how long to wait for the retry, and returns the error to throw if there is none. */
  const judge = (error: unknown, pass: Pass): unknown => {
    refused = isForLoad(error, limiter) ? error : undefined;
    if (refused === undefined) {
      used++;
      refusedSince = undefined;
      if (isNodeCloudError(error)) delayMs = delayBefore(Math.ceil(used), error, policy, random);
      return error;
    }
    limiter.refuse(pass, (refused.retryAfter ?? 0) * 1000);
    // While the service accepts nothing, all requests have the patience of the limiter.
    if (limiter.acceptedSince(before ?? pass)) used += REFUSED_AMONG_OTHERS;
    before = pass;
    const { streak, refusedMs } = limiter;
    const now = limiter.now();
    refusedSince ??= now;
    const ownMs = now - refusedSince;
    const isOver =
      isOutOfPatience(refused, Math.ceil(used), ownMs, policy) ||
      isOutOfPatience(refused, streak, refusedMs, policy);
    if (!isOver) delayMs = delayAfterRefusal(refused, streak, refusedMs, policy, random);
    if (delayMs !== undefined) limiter.pause(delayMs);
    else if (policy.retries > 0) limiter.giveUp(refused);
    return delayMs === undefined ? lastRefusal(refused, Math.max(ownMs, refusedMs)) : refused;
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

/** The refusal after which a request gives up. If it was refused for some time, the error says for how long. */
const lastRefusal = (refusal: ApiError, refusedMs: number): ApiError =>
  refusedMs === 0 ? refusal : new ApiError({ ...refusal, refusedMs });

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
    const { refusal, refusedMs } = error;
    if (last !== undefined) throw lastRefusal(last, refusedMs);
    const { status, reasons, retryAfter } = refusal;
    throw new ApiError({ operation, attempt, status, reasons, retryAfter, refusedMs, sent: false });
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
