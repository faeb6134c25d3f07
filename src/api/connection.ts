import {
  type About,
  AnswerLimitError,
  ConnectionError,
  type ErrorCode,
  type NodeCloudError,
  UnexpectedReplyError,
} from "./errors";
import { OverLimit } from "./answer-limits";
import { hostOfProxy, type Proxy } from "./proxy";
import { codeOf, safeCause } from "./redact";
import { type Secrets } from "./secrets";
import { tlsCauseOf } from "./tls";

/** The abort reason of a request that timed out. */
export class TimedOut extends Error {
  constructor(readonly ms: number) {
    super(`timed out after ${ms} ms`);
  }
}

interface FailureKind {
  readonly code: ErrorCode;
  readonly answerLost: boolean;
  readonly problem: (host: string) => string;
  readonly hint?: string;
  /** Replaces the system's message. */
  readonly detail?: string;
}

const REFUSED: FailureKind = {
  code: "CONNECTION_REFUSED",
  answerLost: false,
  problem: (host) => `could not connect to ${host}`,
  hint: "is the base URL right, and the service running?",
};
const NOT_RESOLVED: FailureKind = {
  code: "HOST_NOT_RESOLVED",
  answerLost: false,
  problem: (host) => `could not find the address of ${host}`,
  hint: "is the base URL right, and does the network work?",
};
const NO_ROUTE: FailureKind = {
  code: "CONNECTION_TIMED_OUT",
  answerLost: false,
  problem: (host) => `could not connect to ${host} in time`,
};
const LOST: FailureKind = {
  code: "CONNECTION_LOST",
  answerLost: true,
  problem: (host) => `the connection to ${host} was lost before the answer was complete`,
};

/** Kinds of failure that the code of a system error decides. Any other code counts as a lost connection. */
const KINDS: readonly (readonly [codes: RegExp, kind: FailureKind])[] = [
  [/^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)$/, REFUSED],
  [/^(ENOTFOUND|EAI_\w+)$/, NOT_RESOLVED],
];

/** Codes of a response that cannot be read: it is not HTTP, or its compression is broken. */
const UNREADABLE = /^(HPE_|Z_|ERR_BROTLI|ERR_ZSTD|ERR__ERROR_)/;
const HEADERS_TOO_LARGE = /^HPE_(HEADER|CHUNK_EXTENSIONS)_OVERFLOW$/;

/** A failure below HTTP. */
interface Failure {
  /** Undefined if a response arrived but cannot be read. */
  readonly code?: ErrorCode;
  readonly answerLost: boolean;
  readonly problem: string;
  readonly hint?: string;
  readonly cause?: Error | undefined;
}

/** Describes a failure below HTTP. */
export function describeFailure(host: string, error: unknown, secrets: Secrets, proxy?: Proxy): Failure {
  if (error instanceof TimedOut) {
    const problem = `${host} did not answer within ${error.ms / 1000} s`;
    return { code: "CONNECTION_TIMED_OUT", answerLost: true, problem };
  }
  const cause = safeCause(error, secrets);
  const code = codeOf(error) ?? "";
  if (UNREADABLE.test(code)) {
    return { answerLost: true, problem: `${host} gave an unreadable answer (${code})`, cause };
  }
  const message = cause?.message ?? "";
  const { problem, detail: known, ...kind } = kindOf(code, message, error, proxy);
  // The system's message names the connected address, which may be that of a proxy.
  const detail = known ?? (message.includes(code) ? message : code);
  return { ...kind, problem: code === "" ? problem(host) : `${problem(host)} (${detail})`, cause };
}

/** Creates the error of a request that failed below HTTP. */
export function failedConnection(
  { operation, attempt }: About,
  host: string,
  error: unknown,
  secrets: Secrets,
  proxy?: Proxy,
): NodeCloudError {
  if (error instanceof OverLimit) return new AnswerLimitError({ operation, attempt, ...error });
  if (HEADERS_TOO_LARGE.test(codeOf(error) ?? ""))
    return new AnswerLimitError({ operation, attempt, limit: "headers" });
  const { code, ...failure } = describeFailure(host, error, secrets, proxy);
  const details = { operation, attempt, ...failure };
  return code === undefined
    ? new UnexpectedReplyError(details)
    : new ConnectionError({ ...details, code, host });
}

function kindOf(code: string, message: string, error: unknown, proxy: Proxy | undefined): FailureKind {
  const known = KINDS.find(([codes]) => codes.test(code))?.[1];
  const unconnected = known ?? (isConnectPhase(error) ? NO_ROUTE : undefined);
  if (unconnected !== undefined) return proxy === undefined ? unconnected : onTheWayTo(proxy, unconnected);
  const tls = tlsCauseOf(code, message);
  if (tls === undefined) return LOST;
  const { problem, hint, detail, isOfCertificate } = tls;
  return { code: "TLS_FAILED", answerLost: !isOfCertificate, problem, hint, detail };
}

/** With a proxy, the failed connection is the one to the proxy. */
const onTheWayTo = (proxy: Proxy, { problem, ...kind }: FailureKind): FailureKind => ({
  ...kind,
  problem: (host) => `${problem(`the proxy ${hostOfProxy(proxy)}`)}, which requests to ${host} use`,
  hint: `is ${proxy.variable} right?`,
});

/** Whether the system failed while connecting, before anything was sent. If a host has several addresses, all must have failed so. */
function isConnectPhase(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError) return error.errors.length > 0 && error.errors.every(isConnectPhase);
  return ("syscall" in error && error.syscall === "connect") || isConnectPhase(error.cause);
}
