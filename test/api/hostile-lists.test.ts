import { AnswerLimitError, type Page, type PageQuery } from "../../src/api";
import { LIMITS } from "../../src/api/answer-limits";
import { pageLadder, pages } from "../../src/api/paginate";
import { clientFor, failure, withServer } from "./scripted-server";

interface Item {
  readonly id: number;
}

/** Reads a whole list. Returns the error and the number of requested pages. */
async function reading(answer: (page: number, size: number) => Partial<Page<Item>>) {
  let asked = 0;
  const get = ({ page = 1, page_size: size = 100 }: PageQuery): Promise<Page<Item>> => {
    asked++;
    return Promise.resolve({ data: [], page, pages: 1, results: 0, ...answer(page, size) });
  };
  const read = async () => {
    for await (const item of pages(get, pageLadder(), { operation: "GET /x", attempt: "list x" })) void item;
  };
  return { error: await failure(read()), asked };
}

const fresh = (page: number, size: number) =>
  Array.from({ length: size }, (_, index) => ({ id: page * size + index }));

test.each([
  [
    "claims a billion pages",
    (page: number, size: number) => ({ data: fresh(page, size), pages: 1e9 }),
    { limit: "pages", asked: 1, said: "list x: the list has more than 4000 pages" },
  ],
  [
    "grows with each page that is read",
    (page: number, size: number) => ({ data: fresh(page, size), pages: page + 1 }),
    { limit: "growth", asked: LIMITS.growth + 2, said: "grew by more than 100 pages while it was read" },
  ],
  [
    "repeats the same page",
    (_: number, size: number) => ({ data: fresh(1, size), pages: 4_000 }),
    {
      limit: "repeats",
      asked: 1 + LIMITS.repeats,
      said: "3 consecutive pages of the list contain nothing new",
    },
  ],
  [
    "gives empty pages",
    () => ({ data: [], pages: 4_000 }),
    { limit: "repeats", asked: LIMITS.repeats, said: "contain nothing new" },
  ],
  [
    "has too many items",
    (page: number) => ({ data: fresh(page, 10_000), pages: 4_000 }),
    { limit: "items", asked: 21, said: "the list has more than 200000 items" },
  ],
])("reading stops early at a list that %s", async (_, answer, { limit, asked, said }) => {
  const read = await reading(answer);
  expect(read.error).toBeInstanceOf(AnswerLimitError);
  expect(read.error).toMatchObject({ code: "LIST_TOO_LONG", limit, answerLost: false });
  expect(read.error.message).toContain(said);
  expect(read.asked).toBe(asked);
});

test("the error over HTTP names the list, and the request is not repeated", async () => {
  const page = { data: [], page: 1, pages: 1e9, results: 5 };
  await withServer([["GET /v4/domains?page=1&page_size=500", { body: page }]], async ({ baseUrl }) => {
    const { client } = clientFor(baseUrl);
    const error = await failure(client.domains.list.all()[Symbol.asyncIterator]().next());
    expect(error.message).toMatch(/^GET \/domains: the list has more than 4000 pages/);
  });
});

test("a list that grows a little during the reading is read completely", async () => {
  const get = ({ page = 1 }: PageQuery): Promise<Page<Item>> =>
    Promise.resolve({ data: fresh(page, 100), page, pages: Math.min(page + 1, 50), results: 100 * page });
  const ids = new Set<number>();
  for await (const { id } of pages(get, pageLadder(), { operation: "GET /x" })) ids.add(id);
  expect(ids.size).toBe(5_000);
});
