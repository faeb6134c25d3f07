import { type ApiError } from "../errors";

/** How many requests to an origin run at a time, unless a client sets another number. */
export const MAX_CONCURRENT = 16;

/** The clock of a limiter. */
export interface LimiterTime {
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}

/** Permission to send one request. `leave` returns it. */
export interface Pass {
  readonly epoch: number;
  readonly accepted: number;
}

/** What the end of a request says about the load of the service. */
export type Outcome =
  | "accepted"
  /** The service failed or did not answer, which says nothing about its load. */
  | "unknown"
  | "refused";

/** A request that wants to be sent. */
export interface Waiting {
  /** Kinds of requests take turns, so that many requests of one kind do not delay the others. */
  readonly kind: string;
  readonly signal?: AbortSignal | undefined;
  /** Whether the service refused it for load before. Such requests go first. */
  readonly again?: boolean;
  /** After how many consecutive refusals for load it gives up, whoever sent the refused requests. */
  readonly patience: (refusal: ApiError) => number;
}

/** Thrown when a request gives up because the service refuses all requests. */
export class GivenUp extends Error {
  constructor(readonly refusal: ApiError) {
    super(refusal.message);
  }
}

/** Decides when requests to one origin are sent. */
export interface Limiter {
  /** How many requests may run at a time: the smallest number that a client has set. */
  readonly most: number;
  /** Sets a client's limit on concurrent requests. */
  restrict(most: number | undefined): void;
  /** Waits for the permission to send a request. */
  enter(waiting: Waiting): Promise<Pass> | Pass;
  /** Returns the permission. */
  leave(pass: Pass, outcome: Outcome): void;
  /** Counts a refusal that asks for a wait of `askedMs` milliseconds. Call it before `leave`. */
  refuse(pass: Pass, askedMs?: number): void;
  /** Sends nothing for `ms` milliseconds. */
  pause(ms: number): void;
  /** Rejects every waiting request whose patience has run out. */
  giveUp(refusal: ApiError): void;
  /** How many consecutive times the service has refused. */
  readonly streak: number;
  /** Whether so many recent requests were refused that the cause is load, not one object. */
  readonly crowded: boolean;
  /** Whether the service has accepted another request since this one was sent. */
  acceptedSince(pass: Pass): boolean;
}
