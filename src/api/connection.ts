import {
  type About,
  ConnectionError,
  type ErrorCode,
  type NodeCloudError,
  UnexpectedReplyError,
} from "./errors";
import { codeOf, safeCause } from "./redact";

/** The reason with which a request is aborted that took too long. */
export class TimedOut extends Error {
  constructor(readonly ms: number) {
    super(`timed out after ${ms} ms`);
  }
}

interface Kind {
  readonly code: ErrorCode;
  readonly answerLost: boolean;
  readonly problem: (host: string) => string;
  readonly hint?: string;
}

const REFUSED: Kind = {
  code: "CONNECTION_REFUSED",
  answerLost: false,
  problem: (host) => `could not connect to ${host}`,
  hint: "is the base URL right, and the service running?",
};
const NOT_RESOLVED: Kind = {
  code: "HOST_NOT_RESOLVED",
  answerLost: false,
  problem: (host) => `could not find the address of ${host}`,
  hint: "is the base URL right, and the network there?",
};
const NO_ROUTE: Kind = {
  code: "CONNECTION_TIMED_OUT",
  answerLost: false,
  problem: (host) => `could not connect to ${host} in time`,
};
const NOT_TRUSTED: Kind = {
  code: "TLS_FAILED",
  answerLost: false,
  problem: (host) => `could not trust the certificate of ${host}`,
  hint: "NODE_EXTRA_CA_CERTS names a file with further certificates to trust",
};
const TLS: Kind = {
  code: "TLS_FAILED",
  answerLost: true,
  problem: (host) => `could not talk securely to ${host}`,
};
const LOST: Kind = {
  code: "CONNECTION_LOST",
  answerLost: true,
  problem: (host) => `the connection to ${host} was lost before the answer was complete`,
};

/** What a system error's code says, where the code alone decides. Any other code counts as a lost connection. */
const KINDS: readonly (readonly [codes: RegExp, kind: Kind])[] = [
  [/^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)$/, REFUSED],
  [/^(ENOTFOUND|EAI_\w+)$/, NOT_RESOLVED],
  [
    /^(CERT_\w+|UNABLE_TO_\w+|SELF_SIGNED_\w+|DEPTH_ZERO_\w+|HOSTNAME_MISMATCH|ERR_TLS_CERT_\w+)$/,
    NOT_TRUSTED,
  ],
  [/^(EPROTO|ERR_SSL_\w+|ERR_TLS_\w+)$/, TLS],
];

/** Codes of an answer that came but cannot be read: not HTTP, or not compressed as it says. */
const UNREADABLE = /^(HPE_|Z_|ERR_BROTLI|ERR_ZSTD|ERR__ERROR_)/;

/** What went wrong below HTTP. */
interface Failure {
  /** Undefined where an answer came, but not a readable one. */
  readonly code?: ErrorCode;
  readonly answerLost: boolean;
  readonly problem: string;
  readonly hint?: string;
  readonly cause?: Error | undefined;
}

/** Puts a failure below HTTP into words. */
export function describeFailure(host: string, error: unknown, secrets: readonly string[]): Failure {
  if (error instanceof TimedOut) {
    const problem = `${host} did not answer within ${error.ms / 1000} s`;
    return { code: "CONNECTION_TIMED_OUT", answerLost: true, problem };
  }
  const cause = safeCause(error, secrets);
  const code = codeOf(error) ?? "";
  if (UNREADABLE.test(code)) {
    return { answerLost: true, problem: `${host} gave an unreadable answer (${code})`, cause };
  }
  const { problem, ...kind } = kindOf(code, error);
  // The system's own words name the address, which is another one where a proxy stands between.
  const detail = cause?.message.includes(code) ? cause.message : code;
  return { ...kind, problem: code === "" ? problem(host) : `${problem(host)} (${detail})`, cause };
}

/** The error for a request that failed below HTTP. */
export function failedConnection(
  { operation, attempt }: About,
  host: string,
  error: unknown,
  secrets: readonly string[],
): NodeCloudError {
  const { code, ...failure } = describeFailure(host, error, secrets);
  const details = { operation, attempt, ...failure };
  return code === undefined
    ? new UnexpectedReplyError(details)
    : new ConnectionError({ ...details, code, host });
}

function kindOf(code: string, error: unknown): Kind {
  const known = KINDS.find(([codes]) => codes.test(code))?.[1];
  if (known !== undefined) return known;
  return isConnectPhase(error) ? NO_ROUTE : LOST;
}

/** Whether the system failed while connecting, so that nothing was sent. Several addresses of a host fail together as one. */
function isConnectPhase(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError) return error.errors.length > 0 && error.errors.every(isConnectPhase);
  return ("syscall" in error && error.syscall === "connect") || isConnectPhase(error.cause);
}
