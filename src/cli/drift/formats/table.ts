import Table from "cli-table3";
import { printableLine } from "../../../api/text";
import { type coloursFor } from "../../terminal";
import { type DriftFinding } from "../findings";
import { KINDS, type Report } from "../report";
import { coverageOf, differencesOf, othersOf, placeOf, summaryOf, titleOf } from "./text";

export interface TableLook {
  readonly colours: ReturnType<typeof coloursFor>;
  /** The width of the terminal. Undefined: there is none, and each finding is one line, or one line for each property. */
  readonly width?: number | undefined;
}

type Colour = (text: string) => string;

const INDENT = "  ";
const GAP = 2;
const NARROWEST = 6;
/** How many rows are laid out at a time: the time that the library takes grows with their square. */
const ROWS = 50;

/** The report for a person: grouped by stack and kind in a terminal, and otherwise with the same columns in each line. */
export function table(report: Report, look: TableLook): string {
  const { bold, red, yellow, green, dim } = look.colours;
  const findings = look.width === undefined ? flat(report) : grouped(report, { ...look, width: look.width });
  const gaps = report.gaps.map(({ what, reason }) => `${printableLine(what)}: ${printableLine(reason)}`);
  const colour = gaps.length > 0 ? yellow : report.findings.length > 0 ? red : green;
  const section = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : [bold(title), ...lines, ""];
  const marked = (lines: readonly string[], mark: Colour) => lines.map((line) => INDENT + mark(line));
  return [
    ...findings,
    ...section("Coverage", aligned(coverageOf(report), look.width, dim)),
    ...section("Not looked at", marked(gaps, yellow)),
    ...section("Notes", marked(report.notes.map(printableLine), dim)),
    colour(bold(summaryOf(report))),
  ].join("\n");
}

/** One table of all findings. Its columns are the same in each run. */
function flat({ findings }: Report): string[] {
  if (findings.length === 0) return [];
  const rows = findings.flatMap((finding) => {
    const { kind, type, id, label = "-", resource, account } = finding;
    const differences = differencesOf(finding);
    const others = othersOf(finding).join("; ") || "-";
    const shown = differences.length > 0 ? differences : [{ property: others, expected: "-", live: "-" }];
    const start = { kind, "stack or account": resource?.stack.name ?? account, type, id, label };
    const end = { line: placeOf(finding) ?? "-", urn: resource?.urn ?? "-" };
    return shown.map((difference) => ({ ...start, ...difference, ...end }));
  });
  return [...aligned(rows), ""];
}

function grouped({ groups }: Report, look: TableLook & { readonly width: number }): string[] {
  const { bold, dim } = look.colours;
  return groups.flatMap(({ name, directory, findings }) => {
    if (findings.length === 0) return [];
    const folder = directory === undefined ? "" : ` ${dim(`(${printableLine(directory)})`)}`;
    return [bold(printableLine(name)) + folder, "", ...kinds(findings, look)];
  });
}

function kinds(findings: readonly DriftFinding[], look: TableLook & { readonly width: number }): string[] {
  return KINDS.flatMap((kind) => {
    const own = findings.filter((finding) => finding.kind === kind);
    if (own.length === 0) return [];
    const { yellow, red, cyan } = look.colours;
    const colour = { changed: yellow, deleted: red, shared: red, unmanaged: cyan }[kind];
    const heading = INDENT + colour(`${own.length} ${kind}`);
    return kind === "unmanaged"
      ? [heading, "", ...objects(own, look), ""]
      : [heading, "", ...own.flatMap((one) => resource(one, look))];
  });
}

const objects = (findings: readonly DriftFinding[], { width, colours }: TableLook): string[] =>
  aligned(
    findings.map(({ type, id, label = "-", tags = [] }) => ({ type, id, label, tags: tags.join(", ") })),
    width,
    colours.dim,
  );

/** A resource of a stack. The URN has its own line, so that it can be copied. */
function resource(finding: DriftFinding, { colours: { bold, dim }, width }: TableLook): string[] {
  const place = placeOf(finding);
  return [
    `${INDENT}${bold(titleOf(finding))}${place === undefined ? "" : `  ${place}`}`,
    INDENT + dim(printableLine(finding.resource?.urn ?? "")),
    ...othersOf(finding).map((line) => INDENT + line),
    ...aligned(differencesOf(finding), width, dim),
    "",
  ];
}

/** Columns without lines between them, each with the name of its cells. In a terminal, long cells are wrapped. */
function aligned(rows: readonly object[], width?: number, dim: Colour = (text) => text): string[] {
  const [first] = rows;
  if (first === undefined) return [];
  const all = [Object.keys(first), ...rows.map((row) => Object.values(row).map(String).map(printableLine))];
  const colWidths = widths(all, width === undefined ? Infinity : width - INDENT.length);
  const parts = Array.from({ length: Math.ceil(all.length / ROWS) }, (_, part) =>
    all.slice(part * ROWS, (part + 1) * ROWS),
  );
  return parts
    .flatMap((part) => drawn(part, colWidths))
    .map((line, index) => INDENT + (index === 0 ? dim(line.trimEnd()) : line.trimEnd()));
}

function drawn(rows: readonly (readonly string[])[], colWidths: number[]): string[] {
  const noLines = Object.fromEntries(Object.keys(new Table().options.chars).map((name) => [name, ""]));
  const table = new Table({
    chars: { ...noLines, middle: " ".repeat(GAP) },
    style: { "padding-left": 0, "padding-right": 0, head: [], border: [], compact: true },
    colWidths,
    wordWrap: true,
    wrapOnWordBoundary: false,
  });
  table.push(...rows.map((row) => [...row]));
  return table.toString().split("\n");
}

/** The widths of columns: the widest become narrower until all fit. */
function widths(rows: readonly (readonly string[])[], available: number): number[] {
  const [head = []] = rows;
  const found = head.map((_, column) =>
    rows.reduce((most, row) => Math.max(most, columnsOf(row[column] ?? "")), 1),
  );
  const room = Math.max(available - GAP * (found.length - 1), NARROWEST * found.length);
  for (let over = found.reduce((sum, one) => sum + one, 0) - room; over > 0; over--) {
    const widest = found.indexOf(Math.max(...found));
    found[widest] = (found[widest] ?? 0) - 1;
  }
  return found;
}

const columnsOf = (text: string): number =>
  [...text].reduce(
    (sum, character) => sum + (/[\u1100-\uffff\u{10000}-\u{3ffff}]/u.test(character) ? 2 : 1),
    0,
  );
