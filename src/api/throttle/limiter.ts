import { cached } from "../cached";
import { type ApiError } from "../errors";
import { Pace } from "./pace";

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

/** How a request ended, as a sign of the load of the service. */
export type Outcome =
  | "accepted"
  /** The service failed or did not answer, which says nothing about its load. */
  | "unknown"
  | "refused";

/** A request that wants to be sent. */
interface Waiting {
  /** Kinds of requests take turns, so that many requests of one kind do not delay the others. */
  readonly kind: string;
  readonly signal?: AbortSignal | undefined;
  /** Whether the service refused it for load before. Such requests go first. */
  readonly again?: boolean;
  /** Whether it gives up after so many consecutive refusals for load over so many milliseconds, whoever sent the refused requests. */
  readonly outOfPatience: (refusal: ApiError, times: number, ms: number) => boolean;
}

/** Thrown when a request gives up because the service refuses all requests. */
export class GivenUp extends Error {
  constructor(
    readonly refusal: ApiError,
    readonly refusedMs: number,
  ) {
    super(refusal.message);
  }
}

interface Waiter extends Waiting {
  start(): void;
  fail(error: Error): void;
}

/** How late a timer may fire without slowing the request rate. */
const CATCH_UP_MS = 20;

/** After more consecutive refusals that name no time, other processes probably share the limit. */
const UNNAMED_STREAK = 3;

/** How long to wait between two probes of a service that refused requests, if the first is not answered yet. */
const PROBE_MS = 500;

/**
 * Decides when requests to one origin are sent. It limits how many run at a time, lets the kinds take turns, and adapts the rate to what the
 * service accepts. After a refusal it sends nothing until the wait is over. Then one request probes the service, and the rest follow at
 * the rate that the service accepted before.
 */
export class Limiter {
  readonly #time: LimiterTime;
  readonly #pace = new Pace();
  readonly #again = new Set<Waiter>();
  /** In the order of the kinds' turns. */
  readonly #kinds = new Map<string, Set<Waiter>>();
  #most: number | undefined;
  #running = 0;
  /** How many requests the service has accepted. */
  #accepted = 0;
  /** Counts refusals. A refusal of a request that was sent before the previous refusal does not count. */
  #epoch = 0;
  /** Consecutive refusals with nothing accepted in between. */
  #streak = 0;
  /** When the streak began. */
  #refusedSince = 0;
  /** The earliest time of the next request. */
  #next = -Infinity;
  #recentRefusals = 0;
  /** Whether the last refusal named the time to wait. */
  #isNamed = false;
  #alarm: { readonly at: number; readonly controller: AbortController } | undefined;

  constructor(time: LimiterTime) {
    this.#time = time;
  }

  /** How many requests may run at a time: the smallest number that a client has set. */
  get most(): number {
    return this.#most ?? MAX_CONCURRENT;
  }

  /** Sets a client's limit on concurrent requests. */
  restrict(most: number | undefined): void {
    if (most !== undefined) this.#most = Math.min(this.#most ?? Infinity, most);
  }

  /** How many consecutive times the service has refused. */
  get streak(): number {
    return this.#streak;
  }

  /** For how long the service has refused, in milliseconds. */
  get refusedMs(): number {
    return this.#streak === 0 ? 0 : this.#time.now() - this.#refusedSince;
  }

  now(): number {
    return this.#time.now();
  }

  /** Whether so many recent requests were refused that the cause is load, not one object. */
  get crowded(): boolean {
    return this.#recentRefusals > 0.25;
  }

  /** Whether the service has accepted another request since this one was sent. */
  acceptedSince({ accepted }: Pass): boolean {
    return this.#accepted > accepted;
  }

  /** Waits for the permission to send a request. */
  enter(waiting: Waiting): Promise<Pass> | Pass {
    const { signal } = waiting;
    signal?.throwIfAborted();
    if (this.#isFree()) return this.#pass();
    return new Promise<Pass>((resolve, reject) => {
      const leave = () => {
        this.#remove(waiter);
        signal?.removeEventListener("abort", abort);
      };
      const abort = () => {
        leave();
        this.#hush();
        reject(signal?.reason as Error);
      };
      const waiter: Waiter = {
        ...waiting,
        start: () => {
          leave();
          resolve(this.#pass());
        },
        fail: (error) => {
          leave();
          reject(error);
        },
      };
      signal?.addEventListener("abort", abort, { once: true });
      this.#add(waiter);
      this.#release();
    });
  }

  /** Returns the permission. */
  leave(pass: Pass, outcome: Outcome): void {
    this.#running--;
    const now = this.#time.now();
    if (outcome !== "unknown") {
      this.#recentRefusals = 0.9 * this.#recentRefusals + (outcome === "refused" ? 0.1 : 0);
    }
    if (outcome === "accepted") {
      this.#accepted++;
      this.#pace.accepted(now);
      if (this.#streak > 0 && pass.epoch === this.#epoch) {
        this.#pace.resumed(now, this.#streak > (this.#isNamed ? 1 : UNNAMED_STREAK));
        this.#streak = 0;
        this.#next = now + 1000 / this.#pace.rate(now);
        this.#wakeAnew();
      }
    }
    this.#release();
  }

  /** Counts a refusal that asks for a wait of `askedMs` milliseconds. Call it before `leave`. */
  refuse(pass: Pass, askedMs = 0): void {
    const now = this.#time.now();
    if (pass.epoch === this.#epoch) {
      this.#epoch++;
      this.#streak++;
      this.#isNamed = askedMs > 0;
      if (this.#streak === 1) {
        this.#refusedSince = now;
        this.#pace.refused(now);
      }
    }
    this.#pace.refusedUntil(now + askedMs);
  }

  /** Sends nothing for `ms` milliseconds. */
  pause(ms: number): void {
    this.#next = Math.max(this.#next, this.#time.now() + ms);
    this.#wakeAnew();
  }

  /** Rejects every waiting request whose patience has run out. */
  giveUp(refusal: ApiError): void {
    const { streak, refusedMs } = this;
    for (const waiters of [this.#again, ...this.#kinds.values()]) {
      for (const waiter of [...waiters])
        if (waiter.outOfPatience(refusal, streak, refusedMs)) waiter.fail(new GivenUp(refusal, refusedMs));
    }
    this.#hush();
  }

  #pass(): Pass {
    this.#running++;
    const at = this.#time.now();
    const rate = this.#pace.rate(at);
    if (this.#streak > 0) this.#next = at + PROBE_MS;
    else if (rate !== Infinity) this.#next = Math.max(this.#next, at - CATCH_UP_MS) + 1000 / rate;
    return { epoch: this.#epoch, accepted: this.#accepted };
  }

  #isFree(): boolean {
    const nobodyWaits = this.#again.size === 0 && this.#kinds.size === 0;
    return nobodyWaits && this.#running < this.most && this.#next <= this.#time.now();
  }

  #add(waiter: Waiter): void {
    if (waiter.again) {
      this.#again.add(waiter);
      return;
    }
    cached(this.#kinds, waiter.kind, () => new Set()).add(waiter);
  }

  #remove(waiter: Waiter): void {
    if (this.#again.delete(waiter)) return;
    const queue = this.#kinds.get(waiter.kind);
    queue?.delete(waiter);
    if (queue?.size === 0) this.#kinds.delete(waiter.kind);
  }

  /** Returns the request whose turn it is, and moves its kind to the end of the queue. */
  #first(): Waiter | undefined {
    const [again] = this.#again;
    if (again !== undefined) return again;
    const [entry] = this.#kinds;
    if (entry === undefined) return undefined;
    const [kind, queue] = entry;
    this.#kinds.delete(kind);
    this.#kinds.set(kind, queue);
    const [first] = queue;
    return first;
  }

  /** Starts every request that may run. `due` is the time of the alarm, as the clock may still show an earlier time. */
  #release(due = -Infinity): void {
    while (this.#running < this.most && (this.#again.size > 0 || this.#kinds.size > 0)) {
      const now = Math.max(this.#time.now(), due);
      if (this.#next > now) return this.#wakeAt(this.#next, now);
      this.#first()?.start();
    }
  }

  #wakeAt(at: number, now: number): void {
    if (this.#alarm !== undefined) return;
    const controller = new AbortController();
    const alarm = { at, controller };
    this.#alarm = alarm;
    const wake = () => {
      if (this.#alarm !== alarm) return;
      this.#alarm = undefined;
      this.#release(at);
    };
    void this.#time.sleep(at - now, controller.signal).then(wake, () => undefined);
  }

  #wakeAnew(): void {
    if (this.#alarm === undefined || this.#alarm.at === this.#next) return;
    this.#alarm.controller.abort();
    this.#alarm = undefined;
    this.#release();
  }

  /** Cancels the alarm once no request waits. */
  #hush(): void {
    if (this.#again.size > 0 || this.#kinds.size > 0) return;
    this.#alarm?.controller.abort();
    this.#alarm = undefined;
  }
}
