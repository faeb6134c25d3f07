/**
 * A typed client of the node cloud API, usable without Pulumi.
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
  type Reason,
  UnexpectedReplyError,
  UploadError,
} from "./errors";
export { type Family, type OperationSpec, type Scope } from "./operation";
export { type PageQuery } from "./paginate";
export { instantly, never, patiently, type RetryEvent, type RetryPolicy } from "./retry";
export { type Page } from "./schema";
export { service, type Service } from "./service";
export { type RequestEvent } from "./transport";
export { type UploadOptions } from "./upload";

export { NODE_BACKUP_STATUSES, type NodeBackup } from "./backups";
export { type Database, DATABASE_STATUSES, type DatabaseBackup } from "./databases";
export { type Domain } from "./domains";
export { type Image, MAX_UPLOAD_BYTES, UPLOAD_WINDOW_SECONDS } from "./images";
export { type Node, NODE_STATUSES } from "./nodes";
export { type DomainRecord, RECORD_TTLS, RECORD_TYPES } from "./records";
export { type Region } from "./regions";
