import { type Limit, LIMITS } from "./limits";
import { type OperationSpec } from "./operation";
import { printableLine } from "./text";

/** Every code that an error of this package carries, with its meaning. docs/errors.md says for each what to do. */
export const ERROR_CODES = {
  UNAUTHORIZED: "The API refused the token.",
  FORBIDDEN: "The token's user may not do this.",
  NOT_FOUND: "The object does not exist.",
  RATE_LIMITED: "The API asks for fewer requests.",
  REQUEST_REJECTED: "The API did not accept the request.",
  SERVICE_FAILED: "The API, or a gateway before it, failed.",
  CONNECTION_REFUSED: "Nothing listens at the host and port.",
  HOST_NOT_RESOLVED: "The name of the host has no address.",
  CONNECTION_TIMED_OUT: "The host did not answer in time.",
  CONNECTION_LOST: "The connection broke before the answer was complete.",
  TLS_FAILED: "No secure connection could be established.",
  UNEXPECTED_REPLY: "The answer is not what the API's reference describes.",
  REDIRECTED: "The answer points to another address, which is not followed.",
  ANSWER_TOO_LARGE: "The answer is larger than any that the API's reference describes.",
  ANSWER_TOO_SLOW: "The answer was still coming when its time was over.",
  LIST_TOO_LONG: "The list has more pages or items than any that the API's reference describes, or no end.",
  INVALID_CONFIGURATION: "An option of the client is not usable.",
  UPLOAD_FAILED: "The data of an image did not arrive.",
} as const;

export type ErrorCode = keyof typeof ERROR_CODES;

/** One of the API's own words on what is wrong, with the field of the request that it is about, in the spelling of the wire. */
export interface Reason {
  field?: string;
  reason: string;
}

/** Shared by all copies of this package in a process, so that the helpers below recognise errors of another copy. */
const brand = Symbol.for("pulumi-nodecloud.error");

/** What an error is about. */
export interface About {
  /** The operation, as method and path: `POST /domains`. */
  readonly operation: string;
  /** What was being attempted, in the caller's words: `create Domain example.org`. Takes the operation's place in the message. */
  readonly attempt?: string | undefined;
}

interface Details extends About {
  readonly problem: string;
  readonly hint?: string | undefined;
  readonly answerLost?: boolean;
  readonly cause?: unknown;
}

/**
 * The base of all errors of this package. Its message reads `<attempt or operation>: <problem>; <hint>`. No property holds a token, a
 * password, a header or the request.
 */
export abstract class NodeCloudError extends Error {
  abstract readonly code: ErrorCode;
  /** The operation, as method and path: `POST /domains`. */
  readonly operation: string;
  /** What was being attempted, where the caller said so. */
  readonly attempt: string | undefined;
  /** What to do about it, where that is known. */
  readonly hint: string | undefined;
  /** Whether the request may have taken effect although its answer is not known. */
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

/** What an operation asks of the token and its user. */
export type Requirements = Pick<OperationSpec, "scopes" | "grant" | "unrestrictedOnly">;

/** The API answered with an error status. */
export class ApiError extends NodeCloudError {
  readonly code: ErrorCode;
  /** The HTTP status. */
  readonly status: number;
  /** The API's reasons; empty where the answer had none that could be read. */
  readonly reasons: readonly Reason[];
  /** How long the API asks to wait before the next try, in seconds. */
  readonly retryAfter: number | undefined;
  /** The scopes that the operation needs, joined by "and", where the token was refused (401, 403). */
  readonly missingScope: string | undefined;

  constructor(
    details: About & {
      readonly status: number;
      readonly reasons: readonly Reason[];
      readonly retryAfter?: number | undefined;
      readonly requires?: Requirements;
      /** False where the request was never sent, since the service refuses all. */
      readonly sent?: boolean;
    },
  ) {
    const { status, reasons, retryAfter, requires, sent = true } = details;
    const refused = status === 401 || status === 403;
    const missingScope = refused && requires?.scopes.length ? requires.scopes.join(" and ") : undefined;
    super({
      ...details,
      problem: `${describeReasons(reasons) || "the API gave no reason"} (${status})`,
      hint: hintFor(status, missingScope, requires, retryAfter),
      answerLost: sent && isOutcomeUnknown(status, retryAfter),
    });
    this.code = codeOf(status);
    this.status = status;
    this.reasons = reasons;
    this.retryAfter = retryAfter;
    this.missingScope = missingScope;
  }
}

/** The request got no answer, or not all of it. */
export class ConnectionError extends NodeCloudError {
  readonly code: ErrorCode;
  /** The host, with its port where it is not the usual one. */
  readonly host: string;

  constructor(details: Details & { readonly code: ErrorCode; readonly host: string }) {
    super(details);
    this.code = details.code;
    this.host = details.host;
  }
}

/** The answer is not what the API's reference describes: another type of content, broken JSON, a field that is missing, a redirect. */
export class UnexpectedReplyError extends NodeCloudError {
  readonly code: ErrorCode;
  /** The HTTP status; undefined where the answer was not even HTTP. */
  readonly status: number | undefined;

  constructor(details: Details & { readonly status?: number; readonly redirected?: boolean }) {
    const { status, redirected } = details;
    // A success that cannot be read is still a success: whoever created something should look for it.
    super({ ...details, answerLost: status === undefined || (status >= 200 && status < 300) });
    this.code = redirected ? "REDIRECTED" : "UNEXPECTED_REPLY";
    this.status = status;
  }
}

/**
 * The answer, or a list of many answers, goes over a bound: it is read no further, and not asked for again. A creation that is answered so
 * may have taken effect.
 */
export class AnswerLimitError extends NodeCloudError {
  readonly code: ErrorCode;
  /** Which bound. */
  readonly limit: Limit;
  /** The HTTP status; undefined for a list, and where the headers are what is too large. */
  readonly status: number | undefined;

  constructor(
    details: About & {
      readonly limit: Limit;
      readonly status?: number | undefined;
      /** In place of the usual words. */
      readonly problem?: string;
      readonly isList?: boolean;
    },
  ) {
    const { limit, status, problem = problemOver(limit), isList = false } = details;
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

function problemOver(limit: Limit): string {
  switch (limit) {
    case "bytes":
      return `the answer is larger than ${megabytes(LIMITS.bytes)}`;
    case "packedBytes":
      return `the answer is larger than ${megabytes(LIMITS.packedBytes)} as it comes over the connection`;
    case "errorBytes":
      return `the API answered an error of more than ${megabytes(LIMITS.errorBytes)}`;
    case "headers":
      return "the headers of the answer are larger than Node.js takes, 16 KB unless --max-http-header-size says otherwise";
    case "depth":
      return `the answer has lists and objects more than ${LIMITS.depth} deep in each other`;
    case "values":
      return `the answer has more than ${LIMITS.values} values`;
    case "pages":
      return `the list has more than ${LIMITS.pages} pages`;
    case "growth":
      return `the list grew by more than ${LIMITS.growth} pages while it was read`;
    case "repeats":
      return `${LIMITS.repeats} pages of the list in a row brought nothing new, and it has more`;
    case "items":
      return `the list has more than ${LIMITS.items} items`;
    case "time":
      return "the answer was still coming when its time was over";
  }
}

/** An option of the client cannot be used. Thrown before anything is sent. */
export class ConfigurationError extends NodeCloudError {
  readonly code = "INVALID_CONFIGURATION";
  /** The name of the option. */
  readonly option: string;

  constructor(option: string, problem: string) {
    super({ operation: "createClient", attempt: option, problem });
    this.option = option;
  }
}

/** The data of an image could not be sent. Uploads are never repeated by themselves: the stream is used up. */
export class UploadError extends NodeCloudError {
  readonly code = "UPLOAD_FAILED";
  /** The HTTP status, where there was an answer. */
  readonly status: number | undefined;

  constructor(details: Details & { readonly status?: number }) {
    super(details);
    this.status = details.status;
  }
}

/** Whether it is an error of this package, of whichever copy. */
export function isNodeCloudError(error: unknown): error is NodeCloudError {
  return typeof error === "object" && error !== null && brand in error;
}

/** Whether it is an answer of the API with an error status, and with this one where it is given. */
export function isApiError(error: unknown, status?: number): error is ApiError {
  return (
    isNodeCloudError(error) &&
    "reasons" in error &&
    (status === undefined || (error as ApiError).status === status)
  );
}

/** Whether the API said that the object does not exist. A 404 that is not in the API's own words does not count. */
export function isNotFound(error: unknown): error is ApiError {
  return isApiError(error, 404);
}

/** Whether the request may have taken effect although its answer is not known: look before doing it again. */
export function isAnswerLost(error: unknown): error is NodeCloudError {
  return isNodeCloudError(error) && error.answerLost;
}

/** The reasons as one line: `label: must be unique, region: is not valid`. A reason that names its field already is left as it is. */
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

/** 503 with Retry-After is a refusal at the door; after any other failure the work may have been done. */
function isOutcomeUnknown(status: number, retryAfter: number | undefined): boolean {
  return status === 408 || (status >= 500 && !(status === 503 && retryAfter !== undefined));
}

function hintFor(
  status: number,
  missingScope: string | undefined,
  requires: Requirements | undefined,
  retryAfter: number | undefined,
): string | undefined {
  const needs = missingScope === undefined ? "" : `the operation needs the scope ${missingScope}`;
  switch (status) {
    case 401:
      return ["the API refused the token: check nodecloud:token / NODECLOUD_TOKEN", needs]
        .filter(Boolean)
        .join("; ");
    case 403:
      return (
        [
          needs,
          requires?.grant && `a restricted user needs the grant ${requires.grant}`,
          requires?.unrestrictedOnly && "only an unrestricted user may do this",
        ]
          .filter(Boolean)
          .join("; ") || undefined
      );
    case 429:
      return retryAfter === undefined ? undefined : `the API asks to wait ${retryAfter} s`;
    default:
      return undefined;
  }
}
