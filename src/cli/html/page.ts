import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { html, raw } from "hono/html";

/** HTML text. Any other text is escaped when it is inserted. */
export type Html = ReturnType<typeof html>;

export type Tone = "bad" | "warn" | "good";

/** A finding or a change. The filters select by what it is. */
export interface TreeItem {
  readonly kind: string;
  readonly type: string;
  /** The stack, or the account of an object that no stack manages. */
  readonly stack: string;
  readonly heading: Html;
  readonly body?: Html | undefined;
}

/** A part of the tree, with items or with further branches. */
export interface Branch {
  readonly heading: Html | string;
  readonly tone?: Tone | undefined;
  readonly items?: readonly TreeItem[];
  readonly branches?: readonly Branch[];
}

/** Something to know before the tree. */
export interface Notice {
  readonly tone: Tone;
  readonly text: Html | string;
}

export interface ReportPage {
  readonly title: string;
  readonly summary: string;
  readonly notices: readonly Notice[];
  /** The name of the filter by kind. */
  readonly kinds: string;
  readonly branches: readonly Branch[];
  /** The part below the tree. */
  readonly end?: readonly (Html | undefined)[];
}

/** The compiler does not copy these files, so a build reads them in `src` too. */
const FOLDER = join(__dirname, "../../../src/cli/html/browser");

const read = (name: string) => readFileSync(join(FOLDER, name), "utf8");
const hashOf = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** A report as one file: its style and its script are in it, and its policy lets it load nothing else. */
export function pageOf({ title, summary, notices, kinds, branches, end = [] }: ReportPage): string {
  const [style, script] = [read("report.css"), read("report.js")];
  const policy = [
    "default-src 'none'",
    `style-src ${hashOf(style)}`,
    `script-src ${hashOf(script)}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${policy}" />
        <meta name="referrer" content="no-referrer" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        ${raw(`<style>${style}</style>`)}
      </head>
      <body>
        <header>
          <h1>${title}</h1>
          <p>${summary}</p>
        </header>
        <main>
          ${noticeList(notices)} ${filters(kinds, branches.flatMap(itemsIn))} ${branches.map(branchText)}
          ${end}
        </main>
        ${raw(`<script type="module">${script}</script>`)}
      </body>
    </html>`;
  return String(page);
}

const itemsIn = ({ items = [], branches = [] }: Branch): readonly TreeItem[] => [
  ...items,
  ...branches.flatMap(itemsIn),
];

const noticeList = (notices: readonly Notice[]): Html | undefined =>
  notices.length === 0
    ? undefined
    : html`<ul class="notices">
        ${notices.map(({ tone, text }) => html`<li class="${tone}">${text}</li>`)}
      </ul>`;

/** The script shows it. A filter with one choice would select nothing. */
function filters(kinds: string, items: readonly TreeItem[]): Html {
  const choice = (name: "kind" | "type" | "stack", label: string) => {
    const values = [...new Set(items.map((item) => item[name]))];
    if (values.length < 2) return undefined;
    return html`<label
      >${label}<select name="${name}">
        <option value="">all</option>
        ${values.map((value) => html`<option value="${value}">${value}</option>`)}
      </select></label
    >`;
  };
  return html`<form id="filters" aria-label="Filters" hidden>
    ${choice("kind", kinds)} ${choice("type", "Type")} ${choice("stack", "Stack")}
    <label>Text<input type="search" name="text" autocomplete="off" spellcheck="false" /></label>
    <button type="reset">Clear</button>
    <button type="button" data-fold="closed">Fold all</button>
    <button type="button" data-fold="open">Unfold all</button>
    <output aria-live="polite"></output>
  </form>`;
}

function branchText(branch: Branch): Html | undefined {
  const { heading, tone = "plain", items = [], branches = [] } = branch;
  const count = itemsIn(branch).length;
  if (count === 0) return undefined;
  return html`<details class="branch" open>
    <summary><span class="${tone}">${heading}</span> <span class="count">${count}</span></summary>
    ${items.map(itemText)} ${branches.map(branchText)}
  </details>`;
}

function itemText({ kind, type, stack, heading, body }: TreeItem): Html {
  const facts = html`data-kind="${kind}" data-type="${type}" data-stack="${stack}"`;
  if (body === undefined) return html`<div class="item leaf" ${facts}>${heading}</div>`;
  return html`<details class="item" open ${facts}>
    <summary>${heading}</summary>
    <div class="body">${body}</div>
  </details>`;
}

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => Html | string | number;
  readonly isNumber?: boolean;
}

/** A table. The first column names the row. */
export function table<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): Html {
  const kind = ({ isNumber }: Column<Row>) => (isNumber === true ? "number" : "text");
  const [name, ...rest] = columns;
  return html`<table>
    <thead>
      <tr>
        ${columns.map((column) => html`<th scope="col" class="${kind(column)}">${column.title}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        (row) =>
          html`<tr>
            <th scope="row">${name?.cell(row)}</th>
            ${rest.map((column) => html`<td class="${kind(column)}">${column.cell(row)}</td>`)}
          </tr>`,
      )}
    </tbody>
  </table>`;
}

/** A section with a list. Undefined if it has no items. */
export const listSection = (title: string, items: readonly (Html | string)[]): Html | undefined =>
  items.length === 0
    ? undefined
    : html`<section>
        <h2>${title}</h2>
        <ul>
          ${items.map((item) => html`<li>${item}</li>`)}
        </ul>
      </section>`;
