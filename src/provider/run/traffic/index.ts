import { setImmediate, setTimeout } from "node:timers/promises";
import { type Clock } from "../../base/clock";
import { Order } from "./order";
import { Reads } from "./shared-reads";
import { type Source } from "./source";

export { type IsSettled, WatchTimeout } from "./poller";
export { type Reads } from "./shared-reads";
export { type Source } from "./source";

/** The engine hands over what it does at the same time one by one, some milliseconds apart. */
const GATHER_MS = 5;

/** The timer may fire late, while something loads. Then `setImmediate` lets the calls come first that waited too. */
async function gatherCalls(): Promise<void> {
  await setTimeout(GATHER_MS);
  await setImmediate();
}

/** The reads and writes of one process. Everything here saves requests; without it, each read would be a separate request. */
export class Traffic extends Order {
  constructor(
    private readonly clock: Clock,
    /** Waits until the reads that arrive together have arrived. */
    private readonly gather: () => Promise<void> = gatherCalls,
  ) {
    super();
  }

  /** The reads of one kind of object under one parent. */
  reads<Item>(source: Source<Item>): Reads<Item> {
    return new Reads(source, this, this.clock, this.gather);
  }
}
