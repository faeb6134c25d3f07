import { setImmediate, setTimeout } from "node:timers/promises";
import { type Clock } from "../clock";
import { Order } from "./order";
import { Poller } from "./poller";
import { Reads } from "./shared-reads";
import { type Source } from "./source";

export { WatchTimeout } from "./poller";
export { type Source } from "./source";

/** Reads and watches objects of one kind under one parent. What is wanted at the same time shares requests. */
export interface SharedReads<Item> {
  /** Reads an object as it is now. Undefined if it does not exist. */
  now(id: string): Promise<Item | undefined>;
  /** Reads an object as it was at most some seconds ago, and after the last write of this process. */
  lately(id: string): Promise<Item | undefined>;
  /** Reads an object again and again until `judge` says true. Throws `WatchTimeout` when the time is up. */
  watch(
    id: string,
    timeoutMs: number,
    judge: (item: Item | undefined) => boolean | Promise<boolean>,
  ): Promise<void>;
}

/** The engine hands over what it does at the same time one by one, some milliseconds apart. */
const GATHER_MS = 5;

/** The timer may fire late, while something loads. Then `setImmediate` lets the calls come first that waited too. */
async function gatherCalls(): Promise<void> {
  await setTimeout(GATHER_MS);
  await setImmediate();
}

/** The reads and writes of one process. Everything here saves requests; without it, each read would be a request of its own. */
export class Traffic {
  readonly #order = new Order();

  constructor(
    private readonly clock: Clock,
    /** Waits until the reads that arrive together have arrived. */
    private readonly gather: () => Promise<void> = gatherCalls,
  ) {}

  /** Notes that a write begins. Returns what notes its end. */
  beginWrite(): () => void {
    return this.#order.beginWrite();
  }

  /** Runs a step that writes. Reads that began before its end do not count after it. */
  writing<Result>(step: () => Promise<Result>): Promise<Result> {
    return this.#order.writing(step);
  }

  /** A number that is larger after each write. While something is written, it is larger with each call. */
  sinceWrites(): number {
    return this.#order.sinceWrites();
  }

  /** The reads of one kind of object under one parent. */
  reads<Item>(source: Source<Item>): SharedReads<Item> {
    const reads = new Reads(source, this.#order, this.clock, this.gather);
    const poller = new Poller((id: string) => reads.now(id), this.clock);
    return {
      now: (id) => reads.now(id),
      lately: (id) => reads.lately(id),
      watch: (id, timeoutMs, judge) => poller.watch(id, timeoutMs, judge),
    };
  }
}
