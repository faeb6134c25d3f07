import { isApiError, isNodeCloudError } from "../../api/errors";

/** After this time the service has carried a request out or never will. It is longer than the client waits for an answer. */
export const SETTLED_MS = 90_000;

/** Whether the service may still carry out a request: the client, or a gateway, gave up waiting for the answer. */
export const isTimeout = (error: unknown): boolean =>
  (isNodeCloudError(error) && error.code === "CONNECTION_TIMED_OUT") ||
  isApiError(error, 504) ||
  isApiError(error, 408);

/** How often a creation is requested while its answers are lost. */
export const TRIES = 3;
/** How many looks must find nothing before an object counts as not created: a list may lag. */
export const LOOKS = 3;
export const LOOK_PAUSE_MS = 2_000;
