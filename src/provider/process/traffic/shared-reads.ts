import { hasPages } from "../../../api/paginate";
import { type Clock } from "../clock";
import { type Order } from "./order";
import { type Source } from "./source";

/** How long what a list said may be told to those who do not need to know what is there at this moment. */
const FRESH_MS = 15_000;
/** After how many reads one by one a page is risked that may hold none of what comes next. */
const READS_PER_RISK = 32;

interface Reader<Item> {
  readonly id: string;
  /** From where on what was read counts for it. */
  readonly since: number;
  /** Whether others like it may come. */
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

/** What was seen of a page: the numbers in its ids, and whether they rise (1), fall (-1) or do neither (0); undefined where one cannot tell. */
interface Seen extends Reading {
  readonly least: number;
  readonly greatest: number;
  readonly direction: 1 | -1 | 0 | undefined;
}

/**
 * Reads the objects of one kind under one parent: one by itself, many at a time from the pages of their list. Never with more requests
 * than one for each object and one besides: a page is read only when those before it have paid off. (Once in 32 reads that no page
 * served, one more is risked where the order of the list tells which.) What the list lacks may have moved between its pages: only a read of its own says that it is gone.
 */
export class Reads<Item> {
  readonly #waiting: Reader<Item>[] = [];
  readonly #listed = new Map<string, Listed<Item>>();
  readonly #pageOf = new Map<string, number>();
  readonly #seen = new Map<number, Seen>();
  #pages = 1;
  #running = false;
  #lastAsked = -Infinity;
  /** Who was asked for since there was a pause, and when what was told of it was read. */
  readonly #told = new Map<string, number>();
  /** Since then: how many pages were read, and how many reads a page served, or none. */
  #count = { pages: 0, served: 0, single: 0 };

  constructor(
    private readonly source: Source<Item>,
    private readonly order: Order,
    private readonly clock: Clock,
    /** Waits until those that come together are there. */
    private readonly gather: () => Promise<void>,
  ) {}

  /** Reads an object as it is now. */
  now(id: string): Promise<Item | undefined> {
    return this.#read(id, this.order.next(), false);
  }

  /** Reads an object as it was some seconds ago at most, after the last write and after it was read the last time. */
  lately(id: string): Promise<Item | undefined> {
    return this.#read(id, this.order.sinceWrites(), true);
  }

  #read(id: string, since: number, isOneOfMany: boolean): Promise<Item | undefined> {
    const now = this.clock.now();
    if (now - this.#lastAsked > FRESH_MS) {
      this.#listed.clear();
      this.#told.clear();
      this.#count = { pages: 0, served: 0, single: 0 };
    }
    this.#lastAsked = now;
    // Who asks again wants to know what has changed since.
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
      // Not waited for: who comes next need not wait for what takes long.
      for (const { id, resolve, reject } of left) this.source.one(id).then(resolve, reject);
    }
    this.#running = false;
  }

  /** Gives those what they want for whom it was listed, and returns the others. */
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

  /** The page that is likely to hold the most of what is wanted, where reading it is worth a request. */
  #worth(readers: readonly Reader<Item>[]): number | undefined {
    const { pages, served, single } = this.#count;
    const risked = this.#direction() === 0 ? 0 : Math.floor((single + readers.length) / READS_PER_RISK);
    if (this.source.all === undefined) return undefined;
    // Those that wait look again and again: where their pages are known, a list pays off whatever was spent before.
    const isKnown = ({ id, isOneOfMany }: Reader<Item>) =>
      !isOneOfMany && (this.#pages === 1 || this.#pageOf.has(id));
    const candidates = pages - served > risked ? readers.filter(isKnown) : readers;
    const wanted = new Map<number, number>();
    for (const reader of candidates) {
      const page = this.#guess(reader);
      // One that is wanted now is read by itself; of many that come one by one, each but the first has a page to share.
      const weight = reader.isOneOfMany && this.#told.size > 1 ? 2 : 1;
      if (page !== undefined) wanted.set(page, (wanted.get(page) ?? 0) + weight);
    }
    const [most] = [...wanted].sort(([, a], [, b]) => b - a);
    return most !== undefined && most[1] > 1 ? most[0] : undefined;
  }

  /** The page that an object is likely on, unless that one was looked at. */
  #guess(reader: Reader<Item>): number | undefined {
    const isOpen = (page: number) => {
      const seen = this.#seen.get(page);
      return seen === undefined || !this.#counts(seen, reader);
    };
    const last = this.#pageOf.get(reader.id);
    const guesses = last === undefined || last > this.#pages ? this.#guesses(reader.id) : [last];
    return guesses.find(isOpen);
  }

  /** Pages by the likelihood that they hold an id that was not listed yet. Most lists go up or down by id. */
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

  /** Which way the list goes by id, as far as it was seen. */
  #direction(): 1 | -1 | 0 {
    const [direction = 0, ...others] = new Set(
      [...this.#seen.values()].flatMap((seen) => seen.direction ?? []),
    );
    return others.length === 0 ? direction : 0;
  }

  /** Reads a page; false where it cannot be read, and each reader has to find out by itself why. */
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
    if (hasPages(list)) return list.page(page);
    const data: Item[] = [];
    for await (const item of list) data.push(item);
    return { data, pages: 1 };
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
