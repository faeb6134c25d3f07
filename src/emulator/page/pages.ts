import { html } from "hono/html";
import { type Listing } from "../operations/validation";
import { type Html } from "./parts";

type Query = Readonly<Record<string, string>>;

/** A part of a long list. */
export interface Slice<Item> {
  readonly items: readonly Item[];
  readonly page: number;
  readonly pages: number;
  /** The number of items before this part. */
  readonly before: number;
}

/** The part that the query requests by `name`, or the nearest existing part. */
export function sliceOf<Item>(all: Listing<Item>, query: Query, name: string, size: number): Slice<Item> {
  const pages = Math.max(1, Math.ceil(all.length / size));
  const asked = Number(query[name] ?? 1);
  const page = Number.isInteger(asked) ? Math.min(Math.max(asked, 1), pages) : 1;
  const before = (page - 1) * size;
  return { items: all.slice(before, before + size), page, pages, before };
}

/** Links to the other parts of a list. They lead to the section with this id. A list of one part has none. */
export function pager(
  { page, pages }: Slice<unknown>,
  query: Query,
  name: string,
  what: string,
  section: string,
): Html | undefined {
  if (pages === 1) return undefined;
  const link = (text: string, to: number) => {
    const isThere = to >= 1 && to <= pages && to !== page;
    if (!isThere) return html`<span class="quiet">${text}</span>`;
    const search = String(new URLSearchParams({ ...query, [name]: String(to) }));
    return html`<a href="?${search}#${section}">${text}</a>`;
  };
  return html`<nav class="pager row" aria-label="Pages of ${what}">
    ${link("First", 1)} ${link("Previous", page - 1)}
    <span>Page ${page} of ${pages}</span>
    ${link("Next", page + 1)} ${link("Last", pages)}
  </nav>`;
}

/** A form with a text to filter a list by. */
export function filterForm(query: Query, what: string): Html {
  return html`<form class="filter row" role="search" aria-label="${what}">
    <label for="filter">Filter</label>
    <input
      id="filter"
      type="search"
      name="q"
      value="${query["q"] ?? ""}"
      autocomplete="off"
      spellcheck="false"
    />
    <button>Apply</button>
  </form>`;
}

/** The items whose text contains the `q` of the query. */
export function filtered<Item>(
  all: readonly Item[],
  query: Query,
  textOf: (item: Item) => string,
): readonly Item[] {
  const wanted = query["q"]?.trim().toLowerCase() ?? "";
  return wanted === "" ? all : all.filter((item) => textOf(item).toLowerCase().includes(wanted));
}
