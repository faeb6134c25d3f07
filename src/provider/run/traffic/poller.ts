import { type Clock } from "../../base/clock";

/** Judges what was read: true ends the watch, an exception fails it. Undefined is an object that does not exist. */
export type IsSettled<Item> = (item: Item | undefined) => boolean | Promise<boolean>;

interface Watcher<Item> {
  readonly id: string;
  readonly since: number;
  readonly deadline: number;
  readonly judge: IsSettled<Item>;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Thrown to a watcher when its time is up. */
export class WatchTimeout extends Error {}

const FIRST_INTERVAL = 1_000;
const LAST_INTERVAL = 15_000;

/**
 * Watches objects of one kind until each is as its watcher wants it. All are read at the same time, so that they can share a list. The interval
 * is a second at first, and grows to 15 seconds with the age of the youngest watch.
 */
export class Poller<Item> {
  readonly #watchers = new Set<Watcher<Item>>();
  #wake = new AbortController();
  #running = false;

  constructor(
    /** Reads an object as it is now. Undefined if it does not exist. */
    private readonly read: (id: string) => Promise<Item | undefined>,
    private readonly clock: Clock,
  ) {}

  watch(id: string, timeoutMs: number, judge: IsSettled<Item>): Promise<void> {
    return new Promise((resolve, reject) => {
      const since = this.clock.now();
      this.#watchers.add({ id, since, deadline: since + timeoutMs, judge, resolve, reject });
      this.#wake.abort();
      if (!this.#running) {
        this.#running = true;
        void this.#run();
      }
    });
  }

  async #run(): Promise<void> {
    let due = Infinity;
    while (this.#watchers.size > 0) {
      // A new watcher wakes the loop: it can make the next round earlier, not later.
      due = Math.min(due, this.clock.now() + this.#pause());
      this.#wake = new AbortController();
      await this.clock.sleep(Math.max(0, due - this.clock.now()), this.#wake.signal);
      if (this.#wake.signal.aborted && this.clock.now() < due) continue;
      due = Infinity;
      await this.#round();
    }
    this.#running = false;
  }

  #pause(): number {
    const now = this.clock.now();
    const watchers = [...this.#watchers];
    const youngest = Math.max(...watchers.map(({ since }) => since));
    const interval = Math.min(LAST_INTERVAL, Math.max(FIRST_INTERVAL, (now - youngest) / 2));
    const spread = interval * (0.9 + 0.2 * this.clock.random());
    const left = Math.min(...watchers.map(({ deadline }) => deadline)) - now;
    return Math.max(0, Math.min(spread, left));
  }

  async #round(): Promise<void> {
    await Promise.all(
      [...this.#watchers].map(async (watcher) => {
        try {
          const item = await this.read(watcher.id);
          if (await watcher.judge(item)) this.#end(watcher, watcher.resolve);
          else if (this.clock.now() >= watcher.deadline) throw new WatchTimeout();
        } catch (error) {
          this.#end(watcher, () => watcher.reject(error));
        }
      }),
    );
  }

  #end(watcher: Watcher<Item>, settle: () => void): void {
    this.#watchers.delete(watcher);
    settle();
  }
}
