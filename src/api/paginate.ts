import { type About, AnswerLimitError, isApiError } from "./errors";
import { LIMITS } from "./limits";

/** Which page of a list, and how many items a page has; the server's choice where left out. */
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

/** Sizes to ask for, largest first. The reference does not show the bounds of `page_size`, so a refusal goes one step down. */
const PAGE_SIZES = [500, 100, undefined] as const;

/** Which of the page sizes the server takes, as far as it is known. */
export interface PageLadder {
  step: number;
}

/** Nothing is known yet: the largest size comes first. */
export function pageLadder(): PageLadder {
  return { step: 0 };
}

/** How often a list that shrank while it was read is read again. */
const MAX_PASSES = 3;

/**
 * Every item of every page, once. Where items are removed while the list is read, others move to pages that were read before; the list is
 * then read again for what was missed.
 */
export interface Pages<Item> extends AsyncIterable<Item> {
  /** One page of it, of the largest size that the server takes. */
  page(number: number): Promise<Page<Item>>;
}

/** The list whose pages `read` reads. */
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
        // What has no id cannot be told from its equals: given once, in the first pass.
        if (id === undefined ? pass > 1 : seen.has(id)) continue;
        seen.add(id);
        yield item;
      }
    }
    if (!shrank) return;
  }
}

/** Whether a page has something that no page before it had; an item without an id is always new. */
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
    const page = await get(query(number, size));
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
      const page = await get(query(number, size));
      ladder.step = Math.max(ladder.step, step);
      return { page, size };
    } catch (error) {
      // Another page that is refused may be one that the list no longer has.
      if (size === undefined || number > 1 || !isApiError(error, 400)) throw error;
    }
  }
}

function query(page: number, size: number | undefined): PageQuery {
  return size === undefined ? { page } : { page, page_size: size };
}

function idOf(item: unknown): unknown {
  return typeof item === "object" && item !== null && "id" in item ? item.id : undefined;
}
