import fc from "fast-check";
import { type Page, type PageQuery } from "../../../../src/api";
import { pages } from "../../../../src/api/paginate";
import { Order } from "../../../../src/provider/run/traffic/order";
import { Reads } from "../../../../src/provider/run/traffic/shared-reads";
import { type Source } from "../../../../src/provider/run/traffic/source";
import { FakeClock, settle } from "../../fake-clock";

interface Item {
  readonly id: number;
  readonly version: number;
}

/** Objects in a list of pages, with a log of their reads. */
class FakeSource implements Source<Item> {
  /** Each request, such as `page 2` and `one 7`, in order. */
  readonly requests: string[] = [];
  version = 1;
  /** Runs before each page is read. */
  onPage: () => void | Promise<void> = () => undefined;
  /** Whether the list has pages. */
  paged = true;

  constructor(
    /** In the order of the list. */
    public ids: number[],
    private readonly pageSize = 500,
  ) {}

  one = (id: string): Promise<Item | undefined> => {
    this.requests.push(`one ${id}`);
    return Promise.resolve(this.ids.includes(Number(id)) ? this.#item(Number(id)) : undefined);
  };

  all = (): AsyncIterable<Item> =>
    this.paged ? pages(this.#page, { step: 2 }, { operation: "GET /x" }) : this.#whole();

  idOf = ({ id }: Item): string => String(id);

  async *#whole(): AsyncIterable<Item> {
    this.requests.push("all");
    for (const id of this.ids) yield await Promise.resolve(this.#item(id));
  }

  #page = async ({ page = 1 }: PageQuery): Promise<Page<Item>> => {
    this.requests.push(`page ${page}`);
    await this.onPage();
    return {
      data: this.ids.slice((page - 1) * this.pageSize, page * this.pageSize).map((id) => this.#item(id)),
      page,
      pages: Math.ceil(this.ids.length / this.pageSize),
      results: this.ids.length,
    };
  };

  #item = (id: number): Item => ({ id, version: this.version });
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

function readsFrom(source: Source<Item>, clock = new FakeClock({ byHand: true })) {
  const order = new Order();
  return { reads: new Reads(source, order, clock, settle), order, clock };
}

/** Reads these objects as the engine does, with a few concurrent reads. */
async function readAll(
  reads: Reads<Item>,
  ids: readonly number[],
  atOnce = 8,
): Promise<(Item | undefined)[]> {
  const queue = [...ids.entries()];
  const found: (Item | undefined)[] = [];
  const work = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      found[next[0]] = await reads.lately(String(next[1]));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return found;
}

/** The same numbers in an irregular order. */
const shuffled = (ids: readonly number[]) =>
  ids
    .map((id) => ({ id, place: (id * 7_919) % 12_007 }))
    .sort((a, b) => a.place - b.place)
    .map(({ id }) => id);

describe("the number of requests", () => {
  test("is one for one object", async () => {
    const source = new FakeSource(upTo(3));
    const { reads } = readsFrom(source);
    expect(await reads.lately("2")).toEqual({ id: 2, version: 1 });
    expect(await reads.now("3")).toEqual({ id: 3, version: 1 });
    expect(source.requests).toEqual(["one 2", "one 3"]);
  });

  test.each(["now", "lately"] as const)(
    "is one page for objects that are needed %s at the same time",
    async (how) => {
      const source = new FakeSource(upTo(50));
      const { reads } = readsFrom(source);
      const found = await Promise.all(upTo(50).map((id) => reads[how](String(id))));
      expect(found.map((item) => item?.id)).toEqual(upTo(50));
      expect(source.requests).toEqual(["page 1"]);
    },
  );

  test("does not grow for objects that are needed soon after a list, and grows after a pause", async () => {
    const source = new FakeSource(upTo(50));
    const { reads, clock } = readsFrom(source);
    await readAll(reads, upTo(40));
    await clock.advance(14_000);
    await readAll(reads, [41, 42]);
    expect(source.requests).toEqual(["page 1"]);
    await clock.advance(14_000);
    await readAll(reads, [43, 44]);
    expect(source.requests).toEqual(["page 1", "page 1"]);
  });

  test.each<[string, number[], number]>([
    ["as they are listed", upTo(12_000), 24],
    ["against the order of the list", upTo(12_000).reverse(), 60],
  ])("is small for 12,000 objects, read %s", async (_, ids, most) => {
    const source = new FakeSource(upTo(12_000));
    expect((await readAll(readsFrom(source).reads, ids)).map((item) => item?.id)).toEqual(ids);
    expect(source.requests.length).toBeLessThanOrEqual(most);
  });

  test("is small for 12,000 objects in an unordered list", async () => {
    const source = new FakeSource(shuffled(upTo(12_000)));
    await readAll(readsFrom(source).reads, upTo(12_000));
    expect(source.requests.length).toBeLessThanOrEqual(200);
  });

  test("is at most three for two objects of a long list", async () => {
    const source = new FakeSource(upTo(12_000));
    await readAll(readsFrom(source).reads, [3_000, 9_000]);
    expect(source.requests).toEqual(["page 1", "one 3000", "one 9000"]);
  });

  test("is at most one per object, plus one", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 400 }).chain((count) =>
          fc.record({
            list: fc.constantFrom(upTo(count), upTo(count).reverse(), shuffled(upTo(count))),
            wanted: fc.uniqueArray(fc.integer({ min: 1, max: count + 20 }), { minLength: 1 }),
          }),
        ),
        fc.integer({ min: 2, max: 50 }),
        fc.integer({ min: 1, max: 20 }),
        async ({ list, wanted }, pageSize, atOnce) => {
          const source = new FakeSource(list, pageSize);
          const found = await readAll(readsFrom(source).reads, wanted, atOnce);
          expect(found.map((item) => item?.id)).toEqual(
            wanted.map((id) => (id <= list.length ? id : undefined)),
          );
          expect(source.requests.length).toBeLessThanOrEqual(wanted.length + 1);
        },
      ),
    );
  });

  test("is one for a list without pages", async () => {
    const source = new FakeSource(upTo(50));
    source.paged = false;
    await readAll(readsFrom(source).reads, upTo(50));
    expect(source.requests).toEqual(["all"]);
  });

  test("is one per object without a list", async () => {
    const { one, idOf, requests } = new FakeSource(upTo(2));
    await readAll(readsFrom({ one, idOf }).reads, [1, 2]);
    expect(requests).toEqual(["one 1", "one 2"]);
  });

  test("is one per object, plus one, if the list cannot be read", async () => {
    const source = new FakeSource(upTo(20));
    source.onPage = () => Promise.reject(new Error("no"));
    expect(await readAll(readsFrom(source).reads, upTo(20))).not.toContain(undefined);
    expect(source.requests.filter((request) => request.startsWith("page"))).toHaveLength(1);
  });
});

describe("a read", () => {
  test("after a write is never older than the write", async () => {
    const source = new FakeSource(upTo(20));
    const { reads, order } = readsFrom(source);
    await readAll(reads, upTo(10));
    await order.writing(() => Promise.resolve(source.version++));
    const found = await readAll(reads, upTo(20).slice(10));
    expect(found.map((item) => item?.version)).toEqual(Array<number>(10).fill(2));
  });

  test("after a write is not from a page that was asked for before it", async () => {
    const source = new FakeSource(upTo(20));
    const { reads, order } = readsFrom(source);
    let answer: () => void = () => undefined;
    source.onPage = () => new Promise((resolve) => (answer = resolve));
    const before = [reads.lately("1"), reads.lately("2")];
    while (source.requests.length === 0) await settle();
    await order.writing(() => Promise.resolve());
    const after = [reads.lately("3"), reads.lately("4")];
    source.onPage = () => void source.version++;
    answer();
    await Promise.all(before);
    expect((await Promise.all(after)).map((item) => item?.version)).toEqual([2, 2]);
  });

  test("during a write is not older than the write's start", async () => {
    const source = new FakeSource(upTo(20));
    const { reads, order } = readsFrom(source);
    await readAll(reads, [1, 2]);
    const found = await order.writing(() => {
      source.version++;
      return readAll(reads, [3, 4]);
    });
    expect(found.map((item) => item?.version)).toEqual([2, 2]);
  });

  test("of the present sends a new request", async () => {
    const source = new FakeSource(upTo(20));
    const { reads } = readsFrom(source);
    await readAll(reads, [1, 2]);
    source.version++;
    expect((await Promise.all([reads.now("3"), reads.now("4")])).map((item) => item?.version)).toEqual([
      2, 2,
    ]);
  });

  test("that is repeated sends a new request", async () => {
    const source = new FakeSource(upTo(20));
    const { reads } = readsFrom(source);
    await readAll(reads, [1, 2]);
    source.version++;
    expect(await reads.lately("1")).toEqual({ id: 1, version: 2 });
  });

  test("that is repeated for several objects shares a page again", async () => {
    const source = new FakeSource(upTo(20));
    const { reads } = readsFrom(source);
    await readAll(reads, upTo(20));
    await readAll(reads, upTo(20));
    expect(source.requests).toEqual(["page 1", "page 1"]);
  });

  test("fails only for the objects that cannot be read", async () => {
    const source = new FakeSource(upTo(2));
    const { reads } = readsFrom({
      idOf: source.idOf,
      one: (id) => (id === "1" ? Promise.reject(new Error("not allowed")) : source.one(id)),
    });
    const [one, two] = await Promise.allSettled([reads.lately("1"), reads.lately("2")]);
    expect([one?.status, two?.status]).toEqual(["rejected", "fulfilled"]);
  });

  test("does not report an object as gone because the list changes between its pages", async () => {
    const change = fc.record({ remove: fc.nat(), add: fc.nat({ max: 1_000 }), at: fc.nat() });
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 120 }),
        fc.integer({ min: 1, max: 20 }),
        fc.integer({ min: 1, max: 16 }),
        fc.array(change, { maxLength: 40 }),
        async (count, pageSize, atOnce, changes) => {
          const wanted = upTo(count);
          // Other objects, which appear and disappear between the pages.
          const others = upTo(60).map((id) => 5_000 + id);
          const source = new FakeSource([...others.slice(0, 30), ...wanted, ...others.slice(30)], pageSize);
          const planned = [...changes];
          source.onPage = () => {
            const next = planned.shift();
            if (next === undefined) return;
            const removable = source.ids.filter((id) => id > 5_000);
            const removed = removable[next.remove % Math.max(1, removable.length)];
            source.ids = source.ids.filter((id) => id !== removed);
            source.ids.splice(next.at % source.ids.length, 0, 10_000 + next.add);
          };
          const found = await readAll(readsFrom(source).reads, wanted, atOnce);
          expect(found.map((item) => item?.id)).toEqual(wanted);
        },
      ),
    );
  });

  test("reports an object as gone if its own read says so", async () => {
    const source = new FakeSource([1, 2, 4, 5]);
    const found = await readAll(readsFrom(source).reads, [1, 2, 3, 4, 5]);
    expect(found.map((item) => item?.id)).toEqual([1, 2, undefined, 4, 5]);
    expect(source.requests).toEqual(["page 1", "one 3"]);
  });
});

test("of waiting objects shares a list again, even if lists saved nothing before", async () => {
  const source = new FakeSource(upTo(5));
  const { reads } = readsFrom(source);
  // A missing object is in no list, so the page was read for nothing.
  await Promise.all(["91", "92", "93"].map((id) => reads.now(id)));
  source.requests.length = 0;
  for (let round = 0; round < 3; round++) {
    const found = await Promise.all(upTo(5).map((id) => reads.now(String(id))));
    expect(found.map((item) => item?.id)).toEqual(upTo(5));
  }
  expect(source.requests).toEqual(["page 1", "page 1", "page 1"]);
});
