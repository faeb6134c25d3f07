import { type Limit, LIMITS } from "./answer-limits";
import { type OperationSpec } from "./operation";
import { printableLine } from "./text";

/** The codes of this package's errors, with their meanings. docs/errors.md says what to do about each. */
export const ERROR_CODES = {
  UNAUTHORIZED: "The API refused the token.",
  FORBIDDEN: "The token's user may not do this.",
  NOT_FOUND: "The object does not exist.",
  RATE_LIMITED: "The API asks for fewer requests.",
  REQUEST_REJECTED: "The API did not accept the request.",
  SERVICE_FAILED: "The API, or a gateway in front of it, failed.",
  CONNECTION_REFUSED: "Nothing listens at the host and port.",
  HOST_NOT_RESOLVED: "The host name has no address.",
  CONNECTION_TIMED_OUT: "The host did not answer in time.",
  CONNECTION_LOST: "The connection broke before the answer was complete.",
  TLS_FAILED: "No secure connection is possible.",
  UNEXPECTED_REPLY: "The answer does not match the API's reference.",
  REDIRECTED: "The answer is a redirect, which the client does not follow.",
  ANSWER_TOO_LARGE: "The answer is larger than any in the API's reference.",
  ANSWER_TOO_SLOW: "The answer was still arriving at the timeout.",
  LIST_TOO_LONG: "The list is endless, or longer than any in the API's reference.",
  INVALID_CONFIGURATION: "An option of the client is invalid.",
  READ_ONLY: "The client sends only reads.",
  UPLOAD_FAILED: "The data of an image did not arrive.",
} as const;

export type ErrorCode = keyof typeof ERROR_CODES;

/** A reason that the API gives for an error, with the field of the request that it concerns, as the API spells it. */
export interface Reason {
  field?: string;
  reason: string;
}

/** All copies of this package in a process share it, so the helpers below recognise errors of another copy. */
const brand = Symbol.for("pulumi-nodecloud.error");

/** The request that an error concerns. */
export interface About {
  /** The operation, as method and path: `POST /domains`. */
  readonly operation: string;
  /** The attempt of the caller: `create Domain example.org`. It replaces the operation in the message. */
  readonly attempt?: string | undefined;
}

interface Details extends About {
  readonly problem: string;
  readonly hint?: string | undefined;
  readonly answerLost?: boolean;
  readonly cause?: unknown;
}

/**
 * The base class of this package's errors. The message reads `<attempt or operation>: <problem>; <hint>`. No property contains a token, a
 * password, a header or the request.
 */
export abstract class NodeCloudError extends Error {
  abstract readonly code: ErrorCode;
  /** The operation, as method and path: `POST /domains`. */
  readonly operation: string;
  /** The attempt of the caller, if the caller named one. */
  readonly attempt: string | undefined;
  /** The advice on the error, if known. */
  readonly hint: string | undefined;
  /** Whether the request may have taken effect although its answer was lost. */
  readonly answerLost: boolean;

  constructor({ operation, attempt, problem, hint, answerLost = false, cause }: Details) {
    super(
      printableLine(`${attempt ?? operation}: ${problem}${hint === undefined ? "" : `; ${hint}`}`),
      cause === undefined ? undefined : { cause },
    );
    this.name = new.target.name;
    this.operation = operation;
    this.attempt = attempt;
    this.hint = hint;
    this.answerLost = answerLost;
  }

  get [brand](): true {
    return true;
  }
}

/** The rights that an operation requires of the token and its user. */
export type Requirements = Pick<OperationSpec, "scopes" | "grant" | "unrestrictedOnly">;

/** The API returned an error status. */
export class ApiError extends NodeCloudError {
  readonly code: ErrorCode;
  /** The HTTP status. */
  readonly status: number;
  /** The API's reasons. Empty if the answer contains no readable reason. */
  readonly reasons: readonly Reason[];
  /** How long the API asks to wait before the next attempt, in seconds. */
  readonly retryAfter: number | undefined;
  /** The scopes that the operation needs, joined by "and", if the API answered that the token may not do this (403). */
  readonly missingScope: string | undefined;

  constructor(
    details: About & {
      readonly status: number;
      readonly reasons: readonly Reason[];
      readonly retryAfter?: number | undefined;
      readonly requires?: Requirements;
      /** For how long the service refused requests for load until the client gave up, in milliseconds. */
      readonly refusedMs?: number;
      /** False if the request was never sent because the service refuses all requests. */
      readonly sent?: boolean;
    },
  ) {
    const { status, reasons, retryAfter, requires, sent = true } = details;
    const missingScope =
      status === 403 && requires?.scopes.length ? requires.scopes.join(" and ") : undefined;
    super({
      ...details,
      problem: `${describeReasons(reasons) || "the API gave no reason"} (${status})`,
      hint: hintFor(details),
      answerLost: sent && isOutcomeUnknown(status, retryAfter),
    });
    this.code = codeOf(status);
    this.status = status;
    this.reasons = reasons;
    this.retryAfter = retryAfter;
    this.missingScope = missingScope;
  }
}

/** The request got no answer, or an incomplete one. */
export class ConnectionError extends NodeCloudError {
  readonly code: ErrorCode;
  /** The host, with its port unless it is the default. */
  readonly host: string;

  constructor(details: Details & { readonly code: ErrorCode; readonly host: string }) {
    super(details);
    this.code = details.code;
    this.host = details.host;
  }
}

/** The answer does not match the API's reference: another content type, broken JSON, a missing field, a redirect. */
export class UnexpectedReplyError extends NodeCloudError {
  readonly code: ErrorCode;
  /** The HTTP status. Undefined if the answer was not HTTP. */
  readonly status: number | undefined;

  constructor(details: Details & { readonly status?: number; readonly redirected?: boolean }) {
    const { status, redirected } = details;
    // An unreadable success is still a success: a created object exists and must be looked up.
    super({ ...details, answerLost: status === undefined || (status >= 200 && status < 300) });
    this.code = redirected ? "REDIRECTED" : "UNEXPECTED_REPLY";
    this.status = status;
  }
}

/**
 * The answer, or a list of many answers, exceeds a limit. The client stops reading and does not retry. A creation with such an answer
 * may have taken effect.
 */
export class AnswerLimitError extends NodeCloudError {
  readonly code: ErrorCode;
  /** The exceeded limit. */
  readonly limit: Limit;
  /** The HTTP status. Undefined for a list, and if the headers are too large. */
  readonly status: number | undefined;

  constructor(
    details: About & {
      readonly limit: Limit;
      readonly status?: number | undefined;
      /** Replaces the default problem. */
      readonly problem?: string;
      readonly isList?: boolean;
    },
  ) {
    const { limit, status, problem = PROBLEMS[limit], isList = false } = details;
    const told = status === undefined ? "" : ` (${status})`;
    super({
      ...details,
      problem: `${problem}${told}`,
      hint: "is the base URL right? If it is, report this to the service",
      answerLost: !isList && (status === undefined || status < 300 || isOutcomeUnknown(status, undefined)),
    });
    this.code = limit === "time" ? "ANSWER_TOO_SLOW" : isList ? "LIST_TOO_LONG" : "ANSWER_TOO_LARGE";
    this.limit = limit;
    this.status = status;
  }
}

const megabytes = (bytes: number) =>
  bytes >= 1024 * 1024 ? `${bytes / 1024 / 1024} MB` : `${bytes / 1024} KB`;

/** The problem of an answer, or of a list of many answers, by the limit that it exceeds. */
const PROBLEMS: Readonly<Record<Limit, string>> = {
  bytes: `the answer is larger than ${megabytes(LIMITS.bytes)}`,
  packedBytes: `the answer is larger than ${megabytes(LIMITS.packedBytes)} before decompression`,
  errorBytes: `the API answered an error of more than ${megabytes(LIMITS.errorBytes)}`,
  headers:
    "the headers of the answer are larger than Node.js accepts: 16 KB, or --max-http-header-size if it is set",
  depth: `the answer nests lists and objects more than ${LIMITS.depth} deep`,
  values: `the answer has more than ${LIMITS.values} values`,
  pages: `the list has more than ${LIMITS.pages} pages`,
  growth: `the list grew by more than ${LIMITS.growth} pages while it was read`,
  repeats: `${LIMITS.repeats} consecutive pages of the list contain nothing new, and the list has more pages`,
  items: `the list has more than ${LIMITS.items} items`,
  time: "the answer was still arriving at the timeout",
};

/** An option of the client is invalid. Thrown before anything is sent. */
export class ConfigurationError extends NodeCloudError {
  readonly code = "INVALID_CONFIGURATION";
  /** The name of the option. */
  readonly option: string;

  constructor(option: string, problem: string) {
    super({ operation: "createClient", attempt: option, problem });
    this.option = option;
  }
}

/** A change, of a client that sends only reads. Nothing was sent. */
export class ReadOnlyError extends NodeCloudError {
  readonly code = "READ_ONLY";

  constructor(about: About) {
    super({
      ...about,
      problem: "nothing was sent, because readOnly is set, which allows only reads",
      hint: "to make changes, set it neither for the client or the provider, nor by nodecloud:readOnly or NODECLOUD_READ_ONLY",
    });
  }
}

/** The data of an image could not be sent. Uploads are never retried, as an attempt consumes the stream. */
export class UploadError extends NodeCloudError {
  readonly code = "UPLOAD_FAILED";
  /** The HTTP status, if there was an answer. */
  readonly status: number | undefined;

  constructor(details: Details & { readonly status?: number }) {
    super(details);
    this.status = details.status;
  }
}

/** Whether it is an error of this package, from any copy of it. */
export function isNodeCloudError(error: unknown): error is NodeCloudError {
  return typeof error === "object" && error !== null && brand in error;
}

/** Whether the API returned an error status, and this one if given. */
export function isApiError(error: unknown, status?: number): error is ApiError {
  return (
    isNodeCloudError(error) &&
    "reasons" in error &&
    (status === undefined || (error as ApiError).status === status)
  );
}

/** Whether the API says that the object does not exist. A 404 without the API's error format does not count. */
export function isNotFound(error: unknown): error is ApiError {
  return isApiError(error, 404);
}

/** The refusal (403) of a read that no `read_only` scope allows, also in an error that wraps it. Undefined for any other error. */
export function refusedToReaders(error: unknown): ApiError | undefined {
  if (isApiError(error, 403)) {
    const isForWriters = error.missingScope?.includes(":read_write") === true;
    return error.operation.startsWith("GET ") && isForWriters ? error : undefined;
  }
  return error instanceof Error && error.cause !== undefined ? refusedToReaders(error.cause) : undefined;
}

/** Whether the request may have taken effect although its answer was lost. Look for its effect before you repeat it. */
export function isAnswerLost(error: unknown): error is NodeCloudError {
  return isNodeCloudError(error) && error.answerLost;
}

/** The reasons as one line: `label: must be unique, region: is not valid`. A reason that already names its field stays unchanged. */
export function describeReasons(reasons: readonly Reason[]): string {
  return reasons
    .map(({ field, reason }) =>
      field === undefined || field === "" || reason.toLowerCase().includes(field.toLowerCase())
        ? reason
        : `${field}: ${reason}`,
    )
    .join(", ");
}

function codeOf(status: number): ErrorCode {
  const codes: Readonly<Record<number, ErrorCode>> = {
    401: "UNAUTHORIZED",
    403: "FORBIDDEN",
    404: "NOT_FOUND",
    408: "SERVICE_FAILED",
    429: "RATE_LIMITED",
  };
  return codes[status] ?? (status >= 500 ? "SERVICE_FAILED" : "REQUEST_REJECTED");
}

/** A 503 with Retry-After is a refusal before any work. After any other failure the request may have taken effect. */
const isOutcomeUnknown = (status: number, retryAfter: number | undefined): boolean =>
  status === 408 || (status >= 500 && !(status === 503 && retryAfter !== undefined));

function hintFor({
  status,
  reasons,
  requires,
  retryAfter,
  refusedMs,
}: ConstructorParameters<typeof ApiError>[0]): string | undefined {
  if (refusedMs !== undefined)
    return `the API refused requests for ${Math.round(refusedMs / 1000)} s: run fewer commands on this account at the same time, or try again later`;
  switch (status) {
    case 401:
      return "check that the token (of the explicit provider, nodecloud:token or NODECLOUD_TOKEN) is complete and has not expired; refresh, destroy and drift use that of the last `pulumi up`";
    case 403:
      return needsOf(requires, describeReasons(reasons).toLowerCase()) || undefined;
    case 407:
      return "a proxy on the way to the API asks for its user and password: check HTTPS_PROXY and HTTP_PROXY";
    case 429:
      return retryAfter === undefined ? undefined : `the API asks to wait ${retryAfter} s`;
    default:
      return undefined;
  }
}

/** The requirements of an operation, without those that the API itself has named. */
function needsOf({ scopes, grant, unrestrictedOnly }: Partial<Requirements> = {}, said: string): string {
  const unsaid = scopes?.filter((scope) => !said.includes(scope)) ?? [];
  return [
    unsaid.length > 0 && `the operation needs the scope ${unsaid.join(" and ")}`,
    grant && !said.includes(grant) && `a restricted user needs the grant ${grant}`,
    unrestrictedOnly && !said.includes("unrestricted") && "only an unrestricted user may do this",
  ]
    .filter(Boolean)
    .join("; ");
}
