/** One try of a request that has ended. No part of it is a credential: it has no header, no body, and of an upload's address the origin only. */
export interface RequestEvent {
  readonly method: string;
  /** With the ids of the objects, and the page of a list. Of an upload it is the origin. */
  readonly path: string;
  /** Of the answer, if one came. */
  readonly status: number | undefined;
  /** Why no answer came. */
  readonly code: string | undefined;
  /** From the request to the end of the answer, in milliseconds. */
  readonly ms: number;
  /** 1 for the first try. */
  readonly attempt: number;
  /** How long the try waited for its turn, or since the try before it, in milliseconds. */
  readonly waitedMs: number;
}
