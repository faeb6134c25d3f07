/**
 * A typed client of the node cloud API. It works without Pulumi.
 *
 * @example
 * import { createClient } from "pulumi-nodecloud/api";
 *
 * const client = createClient({ baseUrl: "https://api.example.com/v4", token: process.env.NODECLOUD_TOKEN });
 * for await (const domain of client.domains.list.all()) console.log(domain.domain);
 *
 * @packageDocumentation
 */
export { type Client, type ClientOptions, createClient, type Method, type RequestOptions } from "./client";
export {
  AnswerLimitError,
  ApiError,
  ConfigurationError,
  ConnectionError,
  describeReasons,
  ERROR_CODES,
  type ErrorCode,
  isAnswerLost,
  isApiError,
  isNodeCloudError,
  isNotFound,
  NodeCloudError,
  ReadOnlyError,
  type Reason,
  UnexpectedReplyError,
  UploadError,
} from "./errors";
export { type Family, type OperationSpec, type Schema } from "./operation";
export { type Page, type PageQuery } from "./paginate";
export { instantly, never, patiently, type RetryEvent, type RetryPolicy } from "./retry";
export { type Scope } from "./scopes-and-params";
export { type Secrets, SecretValues } from "./secrets";
export { service, type Service } from "./service";
export { type RequestEvent } from "./request-event";
export { type UploadOptions } from "./upload";

export { NODE_BACKUP_STATUSES } from "./backups";
export { DATABASE_STATUSES } from "./databases";
export { MAX_UPLOAD_BYTES, UPLOAD_WINDOW_SECONDS } from "./images";
export { NODE_STATUSES } from "./nodes";
export { RECORD_TTLS, RECORD_TYPES } from "./records";
export type * from "./types";
