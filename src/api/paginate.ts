import { type About, AnswerLimitError, isApiError } from "./errors";
import { LIMITS } from "./answer-limits";

/** The page of a list, and the number of items per page. The server chooses what is omitted. */
export interface PageQuery {
  readonly page?: number | undefined;
  readonly page_size?: number | undefined;
}

/** A page of a list. */
export interface Page<Item> {
  data: Item[];
  page: number;
  pages: number;
  results: number;
}

/** Page sizes to request, largest first. The reference does not show the limits of `page_size`, so a refusal selects the next size. */
const PAGE_SIZES = [500, 100, undefined] as const;

/** The index of the largest page size that the server may accept. */
export interface PageLadder {
  step: number;
}

/** Starts with the largest size. */
export const pageLadder = (): PageLadder => ({ step: 0 });

/** How many times a list is read at most, if it shrinks while it is read. */
const MAX_PASSES = 3;

/**
 * Every item of every page, once. If items are removed during the read, others move to pages already read, so the list is then read
 * again for the missed items.
 */
export interface Pages<Item> extends AsyncIterable<Item> {
  /** One page of the list, with the largest size that the server accepts. */
  page(number: number): Promise<Page<Item>>;
}

/** Creates the list whose pages `read` reads. */
export function pages<Item>(
  read: (query: PageQuery) => Promise<Page<Item>>,
  ladder: PageLadder,
  about: About,
): Pages<Item> {
  const get = async (query: PageQuery) => {
    const page = await read(query);
    if (page.pages > LIMITS.pages) throw endless(about, "pages");
    return page;
  };
  return {
    [Symbol.asyncIterator]: () => everyItem(get, ladder, about),
    page: async (number) => (await pageAt(number, get, ladder)).page,
  };
}

const endless = (about: About, limit: "pages" | "growth" | "repeats" | "items") =>
  new AnswerLimitError({ ...about, limit, isList: true });

/** Whether a list can be read page by page. */
export const hasPages = <Item>(list: AsyncIterable<Item>): list is Pages<Item> =>
  "page" in list && typeof list.page === "function";

async function* everyItem<Item>(
  get: (query: PageQuery) => Promise<Page<Item>>,
  ladder: PageLadder,
  about: About,
): AsyncGenerator<Item, void, undefined> {
  const seen = new Set<unknown>();
  for (let pass = 1; pass <= MAX_PASSES; pass++) {
    let shrank = false;
    let previous: Page<Item> | undefined;
    const onThisWalk = new Set<unknown>();
    let [items, repeats] = [0, 0];
    for await (const page of walk(get, ladder, about)) {
      shrank ||= previous !== undefined && page.results < previous.results;
      previous = page;
      items += page.data.length;
      if (items > LIMITS.items) throw endless(about, "items");
      repeats = bringsNew(page, onThisWalk) ? 0 : repeats + 1;
      if (repeats === LIMITS.repeats) throw endless(about, "repeats");
      for (const item of page.data) {
        const id = idOf(item);
        // Items without an id cannot be told apart: they are yielded in the first pass only.
        if (id === undefined ? pass > 1 : seen.has(id)) continue;
        seen.add(id);
        yield item;
      }
    }
    if (!shrank) return;
  }
}

/** Whether a page has an item that no earlier page had. An item without an id is always new. */
function bringsNew({ data }: Page<unknown>, seen: Set<unknown>): boolean {
  let isNew = false;
  for (const item of data) {
    const id = idOf(item);
    isNew ||= id === undefined || !seen.has(id);
    seen.add(id);
  }
  return isNew;
}

async function* walk<Item>(
  get: (query: PageQuery) => Promise<Page<Item>>,
  ladder: PageLadder,
  about: About,
): AsyncGenerator<Page<Item>, void, undefined> {
  const { page: first, size } = await pageAt(1, get, ladder);
  yield first;
  let last = first.pages;
  for (let number = 2; number <= last; number++) {
    const page = await get({ page: number, page_size: size });
    yield page;
    last = page.pages;
    if (last > Math.max(1, first.pages) + LIMITS.growth) throw endless(about, "growth");
  }
}

async function pageAt<Item>(
  number: number,
  get: (query: PageQuery) => Promise<Page<Item>>,
  ladder: PageLadder,
) {
  for (let step = ladder.step; ; step++) {
    const size = PAGE_SIZES[step];
    try {
      const page = await get({ page: number, page_size: size });
      ladder.step = Math.max(ladder.step, step);
      return { page, size };
    } catch (error) {
      // A refused later page may be one that the list no longer has.
      if (size === undefined || number > 1 || !isApiError(error, 400)) throw error;
    }
  }
}

const idOf = (item: unknown): unknown =>
  typeof item === "object" && item !== null && "id" in item ? item.id : undefined;
