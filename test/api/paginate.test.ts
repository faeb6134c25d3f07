import { ApiError, type Page, type PageQuery } from "../../src/api";
import { pageLadder, pages } from "../../src/api/paginate";

const about = { operation: "GET /x" };

interface Item {
  id?: number;
  name?: string;
}

const refusal = (status: number, field?: string) =>
  new ApiError({ operation: "GET /x", status, reasons: [{ ...(field && { field }), reason: "no" }] });

/** A server of items that accepts page sizes up to `largest`, and records each query. */
function serverOf(items: () => Item[], largest = 500) {
  const asked: PageQuery[] = [];
  const get = async (query: PageQuery): Promise<Page<Item>> => {
    asked.push(query);
    const size = query.page_size ?? 2;
    if (size > largest) throw refusal(400, "page_size");
    const all = items();
    const page = query.page ?? 1;
    return {
      data: all.slice((page - 1) * size, page * size),
      page,
      pages: Math.ceil(all.length / size),
      results: all.length,
    };
  };
  return { get, asked };
}

const numbered = (...ids: number[]) => ids.map((id) => ({ id }));

async function collect(items: AsyncIterable<Item>): Promise<unknown[]> {
  const all = [];
  for await (const item of items) all.push(item.id ?? item.name);
  return all;
}

test("yields the items of all pages in order", async () => {
  const { get, asked } = serverOf(() => numbered(1, 2, 3, 4, 5), 2);
  expect(await collect(pages(get, { step: 2 }, about))).toEqual([1, 2, 3, 4, 5]);
  expect(asked).toEqual([{ page: 1 }, { page: 2 }, { page: 3 }]);
});

test("yields nothing from an empty list, in one request", async () => {
  const { get, asked } = serverOf(() => []);
  expect(await collect(pages(get, pageLadder(), about))).toEqual([]);
  expect(asked).toEqual([{ page: 1, page_size: 500 }]);
});

test("falls back to 100 and then to the server's own size after a refused page size, and remembers it", async () => {
  const hundred = serverOf(() => numbered(1), 100);
  const ladder = pageLadder();
  await collect(pages(hundred.get, ladder, about));
  await collect(pages(hundred.get, ladder, about));
  expect(hundred.asked.map(({ page_size }) => page_size)).toEqual([500, 100, 100]);

  const two = serverOf(() => numbered(1, 2, 3), 2);
  expect(await collect(pages(two.get, ladder, about))).toEqual([1, 2, 3]);
  expect(two.asked).toEqual([{ page: 1, page_size: 100 }, { page: 1 }, { page: 2 }]);
});

test("throws a refusal that is not about the page size, and keeps the size", async () => {
  const ladder = pageLadder();
  const always = async () => Promise.reject(refusal(400, "X-Filter"));
  await expect(collect(pages(always, ladder, about))).rejects.toThrow("X-Filter: no (400)");
  expect(ladder.step).toBe(0);
});

test("throws any other failure at once", async () => {
  let requests = 0;
  const get = async () => {
    requests++;
    throw refusal(401);
  };
  await expect(collect(pages(get, pageLadder(), about))).rejects.toThrow("(401)");
  expect(requests).toBe(1);
});

test("throws the failure of a later page instead of returning part of the list", async () => {
  const get = async ({ page }: PageQuery): Promise<Page<Item>> => {
    if (page !== 1) throw refusal(400);
    return { data: numbered(1), page: 1, pages: 2, results: 2 };
  };
  await expect(collect(pages(get, pageLadder(), about))).rejects.toThrow("(400)");
});

test("yields an item once if an addition moves it to the next page", async () => {
  let list = numbered(1, 2, 3);
  const { get } = serverOf(() => list, 2);
  const seen: unknown[] = [];
  for await (const item of pages(get, { step: 2 }, about)) {
    seen.push(item.id);
    if (item.id === 1) list = numbered(0, 1, 2, 3);
  }
  expect(seen).toEqual([1, 2, 3]);
});

test("yields an item that a removal moves to the previous page", async () => {
  let list = numbered(1, 2, 3, 4);
  const { get } = serverOf(() => list, 2);
  const seen: unknown[] = [];
  for await (const item of pages(get, { step: 2 }, about)) {
    seen.push(item.id);
    if (item.id === 1) list = numbered(2, 3, 4);
  }
  expect(seen.sort()).toEqual([1, 2, 3, 4]);
});

test("stops reading a list that keeps shrinking", async () => {
  let results = 100;
  let requests = 0;
  const get = async ({ page = 1 }: PageQuery): Promise<Page<Item>> => {
    requests++;
    return { data: numbered(page), page, pages: 2, results: results-- };
  };
  expect(await collect(pages(get, pageLadder(), about))).toEqual([1, 2]);
  expect(requests).toBe(6);
});

test("yields items without an id in the order of the pages, duplicates included", async () => {
  const { get } = serverOf(() => [{ name: "a" }, { name: "a" }, { name: "b" }], 2);
  expect(await collect(pages(get, { step: 2 }, about))).toEqual(["a", "a", "b"]);
});

test("yields items without an id once, even if the list shrinks and is read again", async () => {
  const get = async ({ page = 1 }: PageQuery): Promise<Page<Item>> => ({
    data: [{ name: `item of page ${page}` }],
    page,
    pages: 2,
    results: 3 - page,
  });
  expect(await collect(pages(get, pageLadder(), about))).toEqual(["item of page 1", "item of page 2"]);
});

test("reads a page that is added to the list during the reading", async () => {
  let list = numbered(1, 2, 3, 4);
  const { get } = serverOf(() => list, 2);
  const seen: unknown[] = [];
  for await (const item of pages(get, { step: 2 }, about)) {
    seen.push(item.id);
    if (item.id === 1) list = numbered(1, 2, 3, 4, 5);
  }
  expect(seen).toEqual([1, 2, 3, 4, 5]);
});

test("requests only the pages that the caller consumes", async () => {
  const { get, asked } = serverOf(() => numbered(1, 2, 3, 4, 5, 6), 2);
  for await (const item of pages(get, { step: 2 }, about)) if (item.id === 2) break;
  expect(asked).toHaveLength(1);
});
