import { html } from "hono/html";
import { nounFor } from "../../api/text";
import { asDate } from "../store/clock";
import { jsonIn } from "../base/json";

/** HTML text. Any other text is escaped when it is inserted. */
export type Html = ReturnType<typeof html>;

export const NOTHING = html`<span class="quiet">–</span>`;

/** Any stored value as text. The control API can store any JSON value in an extra field. */
export function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value) && value.every((item) => typeof item !== "object")) return value.join(", ");
  return JSON.stringify(value) ?? "";
}

const MAX_CELL_LENGTH = 120;
/** A date in the format of the API. */
const DATE = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)$/;

/** A value in a table: the start of a long value, and a dash for no value. Zeros are grey, because most mean that nothing is set. */
export function cell(value: unknown): Html | string {
  const text = value === null || value === undefined ? "" : textOf(value).replace(DATE, "$1 $2");
  if (text === "") return NOTHING;
  if (value === 0) return html`<span class="quiet">0</span>`;
  return text.length > MAX_CELL_LENGTH ? `${text.slice(0, MAX_CELL_LENGTH)}…` : text;
}

/** A moment of the emulated clock. It has no date if that is the date of `now`. */
export function moment(at: number, now?: number): Html {
  const date = asDate(at);
  const [day = "", time = ""] = date.split("T");
  const isToday = now !== undefined && asDate(now).startsWith(day);
  return html`<time datetime="${date}Z">${isToday ? time : `${day} ${time}`}</time>`;
}

/** A duration in a suitable unit. */
export function duration(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000);
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 2 * 3600) return `${Math.round(seconds / 60)} min`;
  return seconds < 48 * 3600 ? `${Math.round(seconds / 3600)} h` : `${Math.round(seconds / 86_400)} days`;
}

/** A number with its noun: `1 node`, `2 nodes`. */
export const count = (number: number, one: string, many?: string): string =>
  `${number.toLocaleString("en")} ${nounFor(number, one, many)}`;

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => unknown;
  /** Whether the values are numbers. Numbers are aligned right. */
  readonly isNumber?: boolean;
}

export interface TableParts<Row> {
  /** The title for screen readers. */
  readonly caption: string;
  /** The columns. The first one contains the name of the row. */
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  /** Whether the first column is narrow. @default false */
  readonly isList?: boolean;
  /** A key that identifies a row while the table changes. */
  readonly keyOf: (row: Row) => string | number;
}

/** A table in a container that scrolls if the table is wider than the page. */
export function table<Row>({ caption, columns, rows, keyOf, isList }: TableParts<Row>): Html {
  const kind = ({ isNumber }: Column<Row>) => (isNumber ? "number" : "text");
  const [name, ...rest] = columns;
  return html`<div class="scroll" role="region" aria-label="${caption}" tabindex="0">
    <table class="${isList ? "list" : "plain"}">
      <caption class="unseen">
        ${caption}
      </caption>
      <thead>
        <tr>
          ${columns.map((column) => html`<th scope="col" class="${kind(column)}">${column.title}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr data-key="${keyOf(row)}">
              <th scope="row">${name?.cell(row)}</th>
              ${rest.map((column) => html`<td class="${kind(column)}">${column.cell(row)}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

/** A section with a table and the same title, and a note above the table. */
export function tableSection<Row>(id: string, parts: TableParts<Row>, note?: string): Html {
  return html`<section>
    <h2 id="${id}">${parts.caption}</h2>
    ${note !== undefined && html`<p>${note}</p>`} ${table(parts)}
  </section>`;
}

/** Code to read or copy, with a name for screen readers. */
export const code = (name: string, text: string | Html[]): Html =>
  html`<pre class="code" role="region" aria-label="${name}" tabindex="0"><code>${text}</code></pre>`;

/** A command to copy. The script shows the button if the browser lets it copy. */
export function command(name: string, text: string): Html {
  return html`<div class="command">
    ${code(name, text)}
    <button type="button" class="copy" aria-label="Copy: ${name}">Copy</button>
  </div>`;
}

/** A text, indented if it is JSON. */
export function laidOut(text: string): string {
  const value = jsonIn(text);
  return value === undefined ? text : JSON.stringify(value, null, 2);
}
