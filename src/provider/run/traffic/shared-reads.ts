import { hasPages } from "../../../api/paginate";
import { type Clock } from "../../base/clock";
import { type Order } from "./order";
import { type IsSettled, Poller } from "./poller";
import { type Source } from "./source";

/** How long a listed value stays fresh for reads that accept an older one. */
const FRESH_MS = 15_000;
/** After how many single reads one more page is tried, which may hold none of the next objects. */
const READS_PER_RISK = 32;

interface Reader<Item> {
  readonly id: string;
  /** Reads that began before this do not count. */
  readonly since: number;
  /** Whether similar reads may follow. */
  readonly isOneOfMany: boolean;
  readonly resolve: (item: Item | undefined) => void;
  readonly reject: (error: unknown) => void;
}

interface Reading {
  readonly begun: number;
  readonly at: number;
}

interface Listed<Item> extends Reading {
  readonly item: Item;
}

/** The known facts about a page: the numbers in its ids, and whether they rise (1), fall (-1) or do neither (0). Undefined if that is not known. */
interface Seen extends Reading {
  readonly least: number;
  readonly greatest: number;
  readonly direction: 1 | -1 | 0 | undefined;
}

/**
 * Reads the objects of one kind under one parent: one object alone, many objects from the pages of their list. It never sends more than one
 * request per object plus one: it reads a page only after the earlier pages have served as many reads. (After 32 reads that no page served, it
 * tries one more page if the order of the list tells which.) An object that the list lacks may have moved between pages, so it is read alone.
 */
export class Reads<Item> {
  readonly #poller: Poller<Item>;
  readonly #waiting: Reader<Item>[] = [];
  readonly #listed = new Map<string, Listed<Item>>();
  readonly #pageOf = new Map<string, number>();
  readonly #seen = new Map<number, Seen>();
  #pages = 1;
  #running = false;
  #lastAsked = -Infinity;
  /** Ids read since the last pause, and when their answers were read. */
  readonly #told = new Map<string, number>();
  /** Counts since the last pause: pages read, reads that a page served, and single reads. */
  #count = { pages: 0, served: 0, single: 0 };

  constructor(
    private readonly source: Source<Item>,
    private readonly order: Order,
    private readonly clock: Clock,
    /** Waits until the reads that arrive together have arrived. */
    private readonly gather: () => Promise<void>,
  ) {
    this.#poller = new Poller((id: string) => this.now(id), clock);
  }

  /** Reads an object as it is now. Undefined if it does not exist. */
  now(id: string): Promise<Item | undefined> {
    return this.#read(id, this.order.next(), false);
  }

  /** Reads an object as it was at most some seconds ago, after the last write and after its last read. */
  lately(id: string): Promise<Item | undefined> {
    return this.#read(id, this.order.sinceWrites(), true);
  }

  /** Reads an object again and again until `judge` says true. Throws `WatchTimeout` when the time is up. */
  watch(id: string, timeoutMs: number, judge: IsSettled<Item>): Promise<void> {
    return this.#poller.watch(id, timeoutMs, judge);
  }

  #read(id: string, since: number, isOneOfMany: boolean): Promise<Item | undefined> {
    const now = this.clock.now();
    if (now - this.#lastAsked > FRESH_MS) {
      this.#listed.clear();
      this.#told.clear();
      this.#count = { pages: 0, served: 0, single: 0 };
    }
    this.#lastAsked = now;
    // A second read of the same id wants a newer answer.
    const told = this.#told.get(id) ?? 0;
    this.#told.set(id, told);
    return new Promise((resolve, reject) => {
      const [left] = this.#serve([{ id, since: Math.max(since, told), isOneOfMany, resolve, reject }]);
      if (left === undefined) return;
      this.#waiting.push(left);
      if (!this.#running) void this.#run();
    });
  }

  async #run(): Promise<void> {
    this.#running = true;
    while (this.#waiting.length > 0) {
      for (let there = 0; there < this.#waiting.length;) {
        there = this.#waiting.length;
        await this.gather();
      }
      let left = this.#serve(this.#waiting.splice(0));
      for (let page = this.#worth(left); page !== undefined; page = this.#worth(left)) {
        if (!(await this.#load(page))) break;
        left = this.#serve(left);
      }
      this.#count.single += left.length;
      // Not awaited: the next reads must not wait for slow ones.
      for (const { id, resolve, reject } of left) this.source.one(id).then(resolve, reject);
    }
    this.#running = false;
  }

  /** Answers the reads whose objects are listed, and returns the others. */
  #serve(readers: readonly Reader<Item>[]): Reader<Item>[] {
    const served = new Map<string, number>();
    const left = readers.filter((reader) => {
      const listed = this.#listed.get(reader.id);
      if (listed === undefined || !this.#counts(listed, reader)) return true;
      served.set(reader.id, listed.begun);
      reader.resolve(listed.item);
      return false;
    });
    this.#count.served += served.size;
    for (const [id, begun] of served) {
      this.#told.set(id, begun);
      this.#listed.delete(id);
    }
    return left;
  }

  #counts({ begun, at }: Reading, { since, isOneOfMany }: Reader<Item>): boolean {
    return begun > since && (!isOneOfMany || this.clock.now() - at <= FRESH_MS);
  }

  /** The page that probably holds most of the wanted objects. Undefined if no page is worth a request. */
  #worth(readers: readonly Reader<Item>[]): number | undefined {
    const { pages, served, single } = this.#count;
    const risked = this.#direction() === 0 ? 0 : Math.floor((single + readers.length) / READS_PER_RISK);
    if (this.source.all === undefined) return undefined;
    // Watches read again and again. If their pages are known, a list saves requests whatever was spent before.
    const isKnown = ({ id, isOneOfMany }: Reader<Item>) =>
      !isOneOfMany && (this.#pages === 1 || this.#pageOf.has(id));
    const candidates = pages - served > risked ? readers.filter(isKnown) : readers;
    const wanted = new Map<number, number>();
    for (const reader of candidates) {
      const page = this.#guess(reader);
      // A single current read is cheaper alone. Of many reads that arrive one by one, all but the first can share a page.
      const weight = reader.isOneOfMany && this.#told.size > 1 ? 2 : 1;
      if (page !== undefined) wanted.set(page, (wanted.get(page) ?? 0) + weight);
    }
    const [most] = [...wanted].sort(([, a], [, b]) => b - a);
    return most !== undefined && most[1] > 1 ? most[0] : undefined;
  }

  /** The page that probably holds an object, if it was not read yet. */
  #guess(reader: Reader<Item>): number | undefined {
    const isOpen = (page: number) => {
      const seen = this.#seen.get(page);
      return seen === undefined || !this.#counts(seen, reader);
    };
    const last = this.#pageOf.get(reader.id);
    const guesses = last === undefined || last > this.#pages ? this.#guesses(reader.id) : [last];
    return guesses.find(isOpen);
  }

  /** The pages in the order of the likelihood that they hold an id that was not listed yet. Most lists ascend or descend by id. */
  #guesses(id: string): number[] {
    const every = Array.from({ length: this.#pages }, (_, index) => index + 1);
    const direction = this.#direction();
    const number = numberIn(id);
    if (direction === 0 || Number.isNaN(number)) return every;
    const distance = ({ least, greatest }: Seen) => Math.max(least - number, number - greatest, 0);
    const [nearest] = [...this.#seen].sort(([, a], [, b]) => distance(a) - distance(b));
    if (nearest === undefined) return every;
    const [page, seen] = nearest;
    const pages = Math.ceil(distance(seen) / Math.max(1, seen.greatest - seen.least));
    const step = number > seen.greatest ? direction : -direction;
    return [page + step * pages, page + step * Math.min(1, pages)].map((guess) =>
      Math.min(this.#pages, Math.max(1, guess)),
    );
  }

  /** The direction of the list by id, or 0 if none is known. */
  #direction(): 1 | -1 | 0 {
    const [direction = 0, ...others] = new Set(
      [...this.#seen.values()].flatMap((seen) => seen.direction ?? []),
    );
    return others.length === 0 ? direction : 0;
  }

  /** Reads a page. False if it cannot be read; then each object is read alone. */
  async #load(page: number): Promise<boolean> {
    const reading = { begun: this.order.next(), at: this.clock.now() };
    this.#count.pages++;
    try {
      const { data, pages } = await this.#page(page);
      this.#pages = Math.max(1, pages);
      for (const item of data) {
        const id = this.source.idOf(item);
        this.#listed.set(id, { item, ...reading });
        this.#pageOf.set(id, page);
      }
      this.#seen.set(page, { ...reading, ...shapeOf(data.map((item) => numberIn(this.source.idOf(item)))) });
      return true;
    } catch {
      return false;
    }
  }

  async #page(page: number): Promise<{ data: Item[]; pages: number }> {
    const list = this.source.all?.();
    if (list === undefined) return { data: [], pages: 1 };
    return hasPages(list) ? list.page(page) : { data: await Array.fromAsync(list), pages: 1 };
  }
}

const numberIn = (id: string): number => Number(/\d+$/.exec(id)?.[0] ?? NaN);

function shapeOf(numbers: readonly number[]): Pick<Seen, "least" | "greatest" | "direction"> {
  const goes = (way: number) =>
    numbers.every((number, index) => index === 0 || (number - (numbers[index - 1] ?? NaN)) * way > 0);
  return {
    least: Math.min(...numbers),
    greatest: Math.max(...numbers),
    direction: numbers.length < 2 ? undefined : goes(1) ? 1 : goes(-1) ? -1 : 0,
  };
}
