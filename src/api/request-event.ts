/** The header by which an emulator says that its time passes faster or slower, so its dates do not compare with those of proxies and clients. */
export const SPEED_HEADER = "x-emulator-speed";

/** One completed attempt of a request. It contains no credential: no header, no body, and only the origin of an upload address. */
export interface RequestEvent {
  readonly method: string;
  /** With the ids of the objects, and the page of a list. For an upload it is the origin. */
  readonly path: string;
  /** The status of the answer, if there was one. */
  readonly status: number | undefined;
  /** The error code, if there was no answer. */
  readonly code: string | undefined;
  /** The time that the service gave with its answer, in milliseconds since the epoch, if it gave one that passes like the client's. */
  readonly serverTime?: number;
  /** From the request to the end of the answer, in milliseconds. */
  readonly ms: number;
  /** 1 for the first attempt. */
  readonly attempt: number;
  /** How long the attempt waited since the call, or since the attempt before it, in milliseconds. */
  readonly waitedMs: number;
}
