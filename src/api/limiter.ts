import { type ApiError } from "./errors";
import { Pace } from "./pace";

/** How many requests to an origin run at a time, unless a client asks for another number. */
export const MAX_CONCURRENT = 16;

/** What a limiter needs from outside. */
export interface LimiterTime {
  /** Milliseconds that only grow. */
  readonly now: () => number;
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}

/** The right to send one request. It is given back by `leave`. */
export interface Pass {
  readonly epoch: number;
  readonly accepted: number;
}

/** How a request came out, as far as the load of the service is concerned. */
export type Outcome =
  | "accepted"
  /** The service failed or did not answer, which tells nothing of its load. */
  | "unknown"
  | "refused";

export interface Waiting {
  /** Requests of different kinds take turns, so that many of one do not keep another from its own. */
  readonly kind: string;
  readonly signal?: AbortSignal | undefined;
  /** Whether it was sent before and refused for the load: such requests go first. */
  readonly again?: boolean;
  /** After how many such refusals in a row, whosesoever, it gives up as well. */
  readonly patience: (refusal: ApiError) => number;
}

interface Waiter extends Waiting {
  start(): void;
  fail(error: Error): void;
}

/** With which a request is refused its pass, because the service refuses all. */
export class GivenUp extends Error {
  constructor(readonly refusal: ApiError) {
    super(refusal.message);
  }
}

/** Late timers are made up for by so much, so that the pace is kept. */
const CATCH_UP_MS = 20;

/** Between two tries whether a service that refused takes requests again, where the first is not answered yet. */
const PROBE_MS = 500;

/**
 * Decides when requests to one origin may be sent: at most so many at a time, the kinds in turn, and no faster than the service takes them.
 * Once it refuses one, nothing is sent until the wait is over; then one request tries whether it takes more, and the rest follow
 * at the pace at which it took them.
 */
export class Limiter {
  readonly #time: LimiterTime;
  readonly #pace = new Pace();
  readonly #again = new Set<Waiter>();
  /** In the order in which the kinds have their turn. */
  readonly #kinds = new Map<string, Set<Waiter>>();
  #most: number | undefined;
  #running = 0;
  /** How many requests were accepted so far. */
  #accepted = 0;
  /** Grows with each refusal that is news: those of requests that were sent before it are not. */
  #epoch = 0;
  /** Refusals in a row with nothing accepted in between. */
  #streak = 0;
  /** Nothing is sent before. */
  #next = -Infinity;
  #recentRefusals = 0;
  #alarm: { readonly at: number; readonly controller: AbortController } | undefined;

  constructor(time: LimiterTime) {
    this.#time = time;
  }

  /** How many requests may run at a time. Of several wishes the smallest counts. */
  get most(): number {
    return this.#most ?? MAX_CONCURRENT;
  }

  /** Takes a client's wish for the number of requests at a time. */
  restrict(most: number | undefined): void {
    if (most !== undefined) this.#most = Math.min(this.#most ?? Infinity, most);
  }

  /** How often in a row the service has refused. */
  get streak(): number {
    return this.#streak;
  }

  /** Whether so many requests were refused lately that it is the load, and not one object's own trouble. */
  get crowded(): boolean {
    return this.#recentRefusals > 0.25;
  }

  /** Whether another request was accepted since this one was sent. */
  acceptedSince({ accepted }: Pass): boolean {
    return this.#accepted > accepted;
  }

  /** Waits for the right to send a request. */
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

  /** Gives the right back. */
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
        this.#streak = 0;
        this.#pace.resumed(now);
        this.#next = now + 1000 / this.#pace.rate(now);
        this.#wakeAnew();
      }
    }
    this.#release();
  }

  /** Counts a refusal, before `leave`, that asks for a wait of so many milliseconds. */
  refuse(pass: Pass, askedMs = 0): void {
    const now = this.#time.now();
    if (pass.epoch === this.#epoch) {
      this.#epoch++;
      this.#streak++;
      if (this.#streak === 1) this.#pace.refused(now);
    }
    this.#pace.refusedUntil(now + askedMs);
  }

  /** Sends nothing for so long. */
  pause(ms: number): void {
    this.#next = Math.max(this.#next, this.#time.now() + ms);
    this.#wakeAnew();
  }

  /** Ends the wait of all whose patience is used up. */
  giveUp(refusal: ApiError): void {
    for (const waiters of [this.#again, ...this.#kinds.values()]) {
      for (const waiter of [...waiters])
        if (waiter.patience(refusal) < this.#streak) waiter.fail(new GivenUp(refusal));
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
    const queue = this.#kinds.get(waiter.kind) ?? new Set();
    this.#kinds.set(waiter.kind, queue.add(waiter));
  }

  #remove(waiter: Waiter): void {
    if (this.#again.delete(waiter)) return;
    const queue = this.#kinds.get(waiter.kind);
    queue?.delete(waiter);
    if (queue?.size === 0) this.#kinds.delete(waiter.kind);
  }

  /** The one whose turn it is; its kind goes to the end of the line. */
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

  /** Lets start who may. `due` is the time that an alarm was set for, which a clock may show a little later. */
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

  /** Leaves no timer behind that nobody waits for. */
  #hush(): void {
    if (this.#again.size > 0 || this.#kinds.size > 0) return;
    this.#alarm?.controller.abort();
    this.#alarm = undefined;
  }
}

/** A registered symbol, so that a second copy of the package shares the limiters. */
const KEPT = Symbol.for("pulumi-nodecloud.limiters.1");

/** The one limiter of an origin in this process. */
export function limiterOf(origin: string, make: () => Limiter): Limiter {
  const kept = globalThis as { [KEPT]?: Map<string, Limiter> };
  const limiters = (kept[KEPT] ??= new Map());
  const limiter = limiters.get(origin) ?? make();
  limiters.set(origin, limiter);
  return limiter;
}
