import { isApiError, isNodeCloudError } from "../../api/errors";
import { type Asked, type Noted } from "./journal";
import { type Stamp } from "./notes";

/** After this time the service has carried a request out or never will. It is longer than the client waits for an answer. */
export const SETTLED_MS = 90_000;

/** A noted request with its time. */
export type AskedBefore = Asked & Noted & Stamp;

/** The time after which no noted request takes effect any more. */
export const settledAt = ({ at, answered }: AskedBefore): number =>
  answered === true ? at : at + SETTLED_MS;

/** How much later than expected the service's clock may date a creation: it counts seconds, and its machines may differ. */
const LATE_MS = 60_000;

/** The time by the service's clock after which an object is not that of a noted request: somebody has created it since. */
export const latestOf = (asked: AskedBefore): number =>
  asked.ahead === undefined ? Infinity : settledAt(asked) + asked.ahead + LATE_MS;

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
