import { isApiError, isNodeCloudError } from "../../api/errors";

/** So long after it was asked for, the service has carried a request out or never will: longer than the client waits for an answer. */
export const SETTLED_MS = 90_000;

/** Whether a request may still be carried out: the client, or a gateway, gave up waiting for the answer. */
export const isTimeout = (error: unknown): boolean =>
  (isNodeCloudError(error) && error.code === "CONNECTION_TIMED_OUT") ||
  isApiError(error, 504) ||
  isApiError(error, 408);
